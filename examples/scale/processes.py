"""One training in several processes, with a checkpoint that all of them write.

Each process holds its own part of the examples and of the weights. You will see the loss after 50
steps, then another start that continues to 100. The script starts the processes itself, on this
machine and its CPU. On a cluster, every process calls `jax.distributed.initialize`, which under
Slurm, Open MPI and on TPUs needs no arguments, and then `train` with a folder that all share.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "orbax-checkpoint>=0.12"]
# ///

import os
import socket
import subprocess
import sys
import tempfile
import time

import jax
import jax.numpy as jnp
import numpy as np
from jax import P
from jax.sharding import NamedSharding
from orbax.checkpoint import v1 as ocp

PROCESSES, DEVICES = 2, 2  # processes, and simulated CPU devices in each
EXAMPLES, FEATURES = 64, 8  # multiples of the number of all devices
EVERY = 25  # steps between checkpoints
LIMIT_S = 300


def loss(w, x, y):
    """Give the mean squared error of a linear model, for x (n, 8) and y (n,).

    >>> float(loss(jnp.zeros(8), jnp.ones((2, 8)), jnp.array([1.0, 3.0])))
    5.0
    """
    return jnp.mean((x @ w - y) ** 2)


def step(w, x, y):
    """Take a step of gradient descent."""
    return w - 0.1 * jax.grad(loss)(w, x, y)


def train(folder, steps):
    """Train from the last checkpoint on, if there is one; every process must call this.

    Args:
        folder: For the checkpoints, an absolute path that all processes share.
        steps: The step after which the training is done.

    A program without jax.distributed.initialize is process 0 of 1:

    >>> with tempfile.TemporaryDirectory() as folder:  # doctest: +ELLIPSIS
    ...     train(folder, steps=25)
    ...     train(folder, steps=50)
    steps 0 to 25, processes: 1, loss ...
    steps 25 to 50, processes: 1, loss ...
    """
    mesh = jax.make_mesh((jax.device_count(),), ("i",), axis_types=(jax.sharding.AxisType.Auto,))
    cut = NamedSharding(mesh, P("i"))
    x = np.random.default_rng(0).normal(size=(EXAMPLES, FEATURES)).astype(np.float32)
    y = x @ np.arange(FEATURES, dtype=np.float32)
    # Each process loads its own part; here they cut it out of the whole.
    parts = [np.split(a, jax.process_count())[jax.process_index()] for a in (x, y)]
    x, y = (jax.make_array_from_process_local_data(cut, part) for part in parts)
    w, first = jax.device_put(np.zeros(FEATURES, np.float32), cut), 0
    train_step = jax.jit(step, out_shardings=cut)
    with ocp.training.Checkpointer(folder) as checkpoints:
        if checkpoints.latest is not None:
            first = checkpoints.latest.step
            like = jax.ShapeDtypeStruct(w.shape, w.dtype, sharding=cut)
            w = checkpoints.load(first, {"w": like})["w"]
        for n in range(first + 1, steps + 1):
            w = train_step(w, x, y)
            if n % EVERY == 0:
                checkpoints.save(n, {"w": w})
    value = jax.jit(loss)(w, x, y)
    if jax.process_index() == 0:
        print(f"steps {first} to {steps}, processes: {jax.process_count()}, loss {value:.1e}")


def work(coordinator, process, folder, steps):
    """Be one of the processes; process 0 is reached at the address `coordinator`."""
    jax.distributed.initialize(coordinator, PROCESSES, process)
    train(folder, steps)


def launch(folder, steps):
    """Start the processes on this machine, wait for them, and print what the first one prints."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        coordinator = f"127.0.0.1:{server.getsockname()[1]}"  # a port that nothing uses
    # A web proxy has no part in what processes of one machine send each other.
    environment = {key: text for key, text in os.environ.items() if "proxy" not in key.lower()}
    environment |= {"JAX_PLATFORMS": "cpu", "JAX_NUM_CPU_DEVICES": str(DEVICES)}
    workers = [
        subprocess.Popen(
            [sys.executable, __file__, coordinator, str(process), folder, str(steps)],
            env=environment,
            stdout=None if process == 0 else subprocess.DEVNULL,
        )
        for process in range(PROCESSES)
    ]
    end = time.monotonic() + LIMIT_S
    try:
        # Where one has failed, the others would wait for it.
        while None in (statuses := [worker.poll() for worker in workers]) and not any(statuses):
            if time.monotonic() > end:
                raise SystemExit(f"the processes were stopped after {LIMIT_S} s")
            time.sleep(0.1)
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    if any(statuses):
        raise SystemExit(f"a process has failed, see above; the statuses are {statuses}")


def main():
    """Train, and continue in new processes; or be one of them."""
    if len(sys.argv) == 5:
        coordinator, process, folder, steps = sys.argv[1:]
        work(coordinator, int(process), folder, int(steps))
        return
    with tempfile.TemporaryDirectory() as folder:
        launch(folder, steps=50)
        launch(folder, steps=100)


if __name__ == "__main__":
    main()
