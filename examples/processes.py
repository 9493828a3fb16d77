"""One regression in several processes, with checkpoints, on this machine or on a cluster.

Each process holds its own part of the examples and of the weights. ``jax.distributed`` joins the
processes, and every 25 steps all of them write a checkpoint together, from which the next start
goes on. Without ``--worker`` the script starts the processes itself, on simulated CPU devices.
With ``--worker`` it is one of the processes that Slurm, Kubernetes, Open MPI or a TPU started:

    srun python examples/processes.py --worker --keep /shared/run

Source: https://docs.jax.dev/en/latest/501/multiprocess.html
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "orbax-checkpoint"]
# ///

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, folder, whole_number
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from orbax.checkpoint import v1 as ocp

LIMIT_S = 300  # the processes started here are ended after this time
FEATURES = 8


def free_port() -> int:
    """Find a port of the loopback address that nothing uses, among those of JAX under Slurm.

    Raises:
        OSError: If all of them are used.

    >>> 61440 <= free_port() < 65536
    True
    """
    for port in random.sample(range(61440, 65536), 4096):
        try:
            with socket.create_server(("127.0.0.1", port)):
                return port
        except OSError:
            continue
    raise OSError("61440-65535")


def slurm_variables(process: int, count: int, port: int) -> dict[str, str]:
    """Make the variables by which JAX recognizes a process of Slurm, for this machine.

    JAX computes the port from the number of the job. The last variable is JAX's own; with it, the
    coordinator is out of reach for other machines.

    >>> slurm_variables(1, 2, 61441)["SLURM_JOB_ID"]
    '1'
    """
    return {
        "SLURM_JOB_ID": str(port - 61440),
        "SLURM_STEP_NODELIST": "127.0.0.1",
        "SLURM_NTASKS": str(count),
        "SLURM_PROCID": str(process),
        "SLURM_LOCALID": str(process),
        "JAX_COORDINATOR_BIND_ADDRESS": f"127.0.0.1:{port}",
    }


def make_data(n: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Draw n examples with eight features and exact targets.

    Returns:
        x, shape (n, 8), standard normal, and y = x · (0, 1, ..., 7), shape (n,); float32.

    >>> x, y = make_data(4)
    >>> x.shape, y.shape, bool(np.allclose(x @ np.arange(8), y, atol=1e-4))
    ((4, 8), (4,), True)
    """
    x = np.random.default_rng(0).normal(size=(n, 8)).astype(np.float32)
    return x, x @ np.arange(8, dtype=np.float32)


def loss(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """Give the mean squared error of a linear model with weights w.

    >>> float(loss(jnp.zeros(8), jnp.ones((2, 8)), jnp.array([1.0, 3.0])))
    5.0
    """
    return jnp.mean((x @ w - y) ** 2)


@jax.jit
def step(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """Take a step of gradient descent with a learning rate of 0.1."""
    return w - 0.1 * jax.grad(loss)(w, x, y)  # type: ignore[no-any-return]


def train(folder: str | Path, steps: int = 100, crash: int | None = None) -> None:
    """Train from the last checkpoint on, if there is one; every process must call this.

    Process 0 prints the steps, the number of processes and the loss at the end.

    Args:
        folder: Of the checkpoints, an absolute path that all processes share.
        steps: The step after which the training is done.
        crash: The step after which process 1 kills itself.

    A program without ``jax.distributed.initialize`` is process 0 of 1:

    >>> with tempfile.TemporaryDirectory() as name:  # doctest: +ELLIPSIS
    ...     train(name, steps=25)
    ...     train(name, steps=50)
    steps 0 to 25, processes: 1, loss ...
    steps 25 to 50, processes: 1, loss ...
    """
    mesh = jax.make_mesh((jax.device_count(),), ("i",))
    cut = NamedSharding(mesh, P("i"))  # type: ignore[no-untyped-call]
    parts = [np.split(a, jax.process_count())[jax.process_index()] for a in make_data()]
    x, y = (jax.make_array_from_process_local_data(cut, part) for part in parts)  # type: ignore[no-untyped-call]
    w, first = jax.device_put(np.zeros(8, np.float32), cut), 0
    with ocp.training.Checkpointer(folder) as checkpoints:
        if checkpoints.latest is not None:
            first = checkpoints.latest.step
            like = jax.ShapeDtypeStruct(w.shape, w.dtype, sharding=cut)  # type: ignore[no-untyped-call]
            w = checkpoints.load(first, {"w": like})["w"]
        for n in range(first + 1, steps + 1):
            w = jax.block_until_ready(step(w, x, y))  # type: ignore[no-untyped-call]
            if n % 25 == 0:
                checkpoints.save(n, {"w": w})
            if n == crash and jax.process_index() == 1:
                os.kill(os.getpid(), signal.SIGKILL)
    value = jax.block_until_ready(jax.jit(loss)(w, x, y))  # type: ignore[no-untyped-call]
    if jax.process_index() == 0:
        print(f"steps {first} to {steps}, processes: {jax.process_count()}, loss {value:.1e}")


def launch(processes: int, devices: int, arguments: Sequence[str]) -> list[tuple[int, str, str]]:
    """Start processes of this script on this machine, as Slurm would, and wait for them.

    Args:
        processes: How many processes.
        devices: Simulated CPU devices in each.
        arguments: Of each process, after ``--worker``.

    Returns:
        The exit status of each process, its output and its errors.

    Raises:
        subprocess.TimeoutExpired: If they take longer than LIMIT_S; none is left behind.
    """
    # A web proxy has no part in what processes of one machine send each other.
    env = {name: text for name, text in os.environ.items() if "proxy" not in name.lower()}
    env |= {"JAX_PLATFORMS": "cpu", "JAX_NUM_CPU_DEVICES": str(devices)}
    port, workers = free_port(), []
    for process in range(processes):
        own = env | slurm_variables(process, processes, port)
        command = [sys.executable, __file__, "--worker", *arguments]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        workers.append(subprocess.Popen(command, env=own, text=True, **pipes))
    try:
        texts = [worker.communicate(timeout=LIMIT_S) for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    return [(w.returncode, *text) for w, text in zip(workers, texts, strict=True)]


def main(arguments: Sequence[str] | None = None) -> int:
    """Train in several processes, or be one of them.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0, or 1 after a line for each process that failed.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    few, many = whole_number(1, 8), whole_number(1, 100_000)
    add("--processes", type=few, default=2, metavar="N", help=f"to start here; {default}")
    add("--devices", type=few, default=2, metavar="N", help=f"of each process; {default}")
    add("--steps", type=many, default=100, metavar="N", help=f"of the training; {default}")
    add("--crash", type=many, metavar="N", help="kill process 1 after this step")
    add("--keep", type=folder, metavar="FOLDER", help="for checkpoints; start from the latest")
    add("--worker", action="store_true", help="be one process of a cluster's job")
    options = parser.parse_args(arguments)
    if options.worker:
        if options.keep is None:
            parser.error("--worker needs --keep with a folder that all processes share")
        try:
            jax.distributed.initialize(heartbeat_timeout_seconds=10)
        except ValueError:
            parser.error("--worker found no cluster: start it with srun, or leave --worker out")
        train(options.keep.resolve(), options.steps, options.crash)
        return 0
    if FEATURES % (options.processes * options.devices):
        parser.error(f"--processes times --devices must divide the {FEATURES} weights")

    with tempfile.TemporaryDirectory() as temporary:
        passed = ["--keep", str(options.keep or temporary), "--steps", str(options.steps)]
        passed += ["--crash", str(options.crash)] if options.crash else []
        results = launch(options.processes, options.devices, passed)
    for process, (status, output, errors) in enumerate(results):
        for line in output.splitlines():
            if line.startswith("steps"):
                print(line)
        if status:
            reason = [line for line in errors.splitlines() if "Error: " in line] or ["no message"]
            print(f"process {process} ended with status {status}: {reason[0]}", file=sys.stderr)
    return int(any(status for status, *_ in results))


if __name__ == "__main__":
    raise SystemExit(main())
