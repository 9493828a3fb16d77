"""One regression in several processes, on this machine or on a cluster.

Each process holds its own part of the examples. ``jax.distributed`` joins the processes, the
examples become one global array over all devices, and gradient descent runs on it as if there
were one device. Without ``--worker`` the script starts the processes itself, on simulated CPU
devices of this machine, and compares their result with that of a single process. With
``--worker`` it is one of the processes that Slurm, Kubernetes, Open MPI or a TPU started, and
finds the others through JAX's own detection:

    srun python examples/processes.py --worker

Source: https://docs.jax.dev/en/latest/501/multiprocess.html
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import argparse
import json
import os
import random
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, save, whole_number
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P
from matplotlib.axes import Axes
from matplotlib.figure import Figure

# A device's number, and the first and the last + 1 of the examples that it holds.
Shard = tuple[int, int, int]

MAX_EXAMPLES = 1_000_000  # 16 MB
LIMIT_S = 300  # the processes started here are ended after this time


def free_port() -> int:
    """Find a TCP port of the loopback address that nothing uses.

    Returns:
        A port from 61440 to 65535: outside the range from which Linux takes the ports of
        outgoing connections, and the one from which JAX chooses under Slurm.

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


def make_data(n: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """Draw n examples with three features and exact targets.

    Args:
        n: How many examples.

    Returns:
        x, shape (n, 3), standard normal, and y = x · (1, 2, 3), shape (n,); float32.

    >>> x, y = make_data(4)
    >>> x.shape, y.shape, bool(np.allclose(x @ [1, 2, 3], y))
    ((4, 3), (4,), True)
    """
    x = np.random.default_rng(0).normal(size=(n, 3)).astype(np.float32)
    return x, x @ np.array([1, 2, 3], np.float32)


def loss(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """Give the mean squared error of a linear model.

    Args:
        w: Parameters, shape (3,).
        x: Examples, shape (n, 3).
        y: Targets, shape (n,).

    Returns:
        The mean of (x w - y)², shape ().

    >>> float(loss(jnp.zeros(3), jnp.ones((2, 3)), jnp.array([1.0, 3.0])))
    5.0
    """
    return jnp.mean((x @ w - y) ** 2)


def fit(w: jax.Array, x: jax.Array, y: jax.Array, steps: int = 100) -> jax.Array:
    """Run gradient descent with a learning rate of 0.1.

    Args:
        w: Where to start, shape (3,); on the same mesh as the examples, if they are sharded.
        x: Examples, shape (n, 3).
        y: Targets, shape (n,).
        steps: How many steps.

    Returns:
        The parameters after the last step, shape (3,).

    >>> w = fit(jnp.zeros(3), *make_data())
    >>> bool(jnp.allclose(w, jnp.array([1, 2, 3]), atol=1e-3))
    True
    """

    def step(_: int, w: jax.Array) -> jax.Array:
        return w - 0.1 * jax.grad(loss)(w, x, y)  # type: ignore[no-any-return]

    return jax.lax.fori_loop(0, steps, step, w)  # type: ignore[no-any-return]


def take_part(n: int, steps: int) -> dict[str, Any]:
    """Fit with the examples of all processes; every process must call this.

    Args:
        n: Examples of all processes together, a multiple of the number of devices.
        steps: Steps of gradient descent.

    Returns:
        "process" and "processes", numbers; "shards", what each local device holds; "w", the
        three parameters; "loss", the loss at the end. The last two are equal in all processes.

    Raises:
        ValueError: If the devices cannot share the examples evenly.

    A program without ``jax.distributed.initialize`` is process 0 of 1:

    >>> result = take_part(64, 100)
    >>> result["process"], result["processes"], [round(value, 3) for value in result["w"]]
    (0, 1, [1.0, 2.0, 3.0])
    """
    mesh = jax.make_mesh((jax.device_count(),), ("i",))
    specs: Any = P("i"), P()  # type: ignore[no-untyped-call]
    by_row, full = (NamedSharding(mesh, spec) for spec in specs)
    # A real program would read these rows from a file of this process.
    parts = [np.split(a, jax.process_count())[jax.process_index()] for a in make_data(n)]
    make_global: Any = jax.make_array_from_process_local_data
    x, y = (make_global(by_row, part) for part in parts)
    start = jax.device_put(np.zeros(3, np.float32), full)
    w = jax.jit(fit, static_argnames="steps")(start, x, y, steps=steps)
    # Simulated devices can block each other if two exchanges are under way: first wait for w.
    # And wait for all devices, not for the first: a process does not end while one still connects.
    found = np.asarray(w.block_until_ready()).tolist()
    error = float(jax.jit(loss)(w, x, y).block_until_ready())
    rows = [(shard.device.id, shard.index[0]) for shard in y.addressable_shards]
    return {
        "process": jax.process_index(),
        "processes": jax.process_count(),
        "shards": [(device, *index.indices(n)[:2]) for device, index in rows],
        "w": found,
        "loss": error,
    }


def launch(processes: int, devices: int, n: int, steps: int) -> list[dict[str, Any]]:
    """Start processes of this script on this machine and wait for them.

    Args:
        processes: How many processes.
        devices: Simulated CPU devices in each.
        n: Examples of all processes together.
        steps: Steps of gradient descent.

    Returns:
        What ``take_part`` returned in each process.

    Raises:
        RuntimeError: With the last line of its error, if a process failed.
        subprocess.TimeoutExpired: If they take longer than LIMIT_S; none is left behind.
    """
    # A web proxy has no part in what processes of one machine say to each other.
    env = {name: text for name, text in os.environ.items() if "proxy" not in name.lower()}
    env |= {"JAX_PLATFORMS": "cpu", "JAX_NUM_CPU_DEVICES": str(devices)}
    port = free_port()
    workers = []
    for process in range(processes):
        command = [sys.executable, __file__, "--join", f"{port},{processes},{process}"]
        command += ["--examples", str(n), "--steps", str(steps)]
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        workers.append(subprocess.Popen(command, env=env, text=True, **pipes))
    try:
        texts = [worker.communicate(timeout=LIMIT_S) for worker in workers]
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
    results = []
    for output, errors in texts:
        lines = [line for line in output.splitlines() if line.startswith("{")]
        if not lines:
            raise RuntimeError((errors.strip() or "no output").splitlines()[-1])
        results.append(json.loads(lines[-1]))
    return results


def draw_layout(ax: Axes, rows: Sequence[Sequence[Shard]]) -> None:
    """Draw which device of which process holds which part of an array's first axis.

    Args:
        ax: Where to draw.
        rows: For each process, its shards: device number, begin and end.

    >>> ax = Figure().subplots()
    >>> draw_layout(ax, [[(0, 0, 4)], [(2048, 4, 8)]])
    >>> [text.get_text() for text in ax.texts]
    ['id=0', 'id=2048']
    """
    for process, shards in enumerate(rows):
        for k, (device, begin, end, *_) in enumerate(shards):
            ax.broken_barh([(begin, end - begin)], (process - 0.4, 0.8), color=f"C{k}")
            style = {"color": "white", "weight": "bold", "ha": "center", "va": "center"}
            ax.text((begin + end) / 2, process, f"id={device}", style)
    ax.set(yticks=range(len(rows)), ylabel="process_index", xlabel="position")
    ax.invert_yaxis()


def draw(results: Sequence[dict[str, Any]]) -> Figure:
    """Draw where the examples lie.

    Args:
        results: What ``launch`` returned.

    Returns:
        One graph, with a row for each process.

    >>> len(draw([{"shards": [(0, 0, 64)]}]).axes)
    1
    """
    figure = Figure(figsize=(6, 1.2 + 0.6 * len(results)), layout="constrained")
    draw_layout(figure.subplots(), [result["shards"] for result in results])
    return figure


def port_count_number(text: str) -> tuple[int, int, int]:
    """Read ``--join`` for argparse.

    >>> port_count_number("61440,2,0")
    (61440, 2, 0)
    >>> port_count_number("61440")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: '61440': give PORT,COUNT,NUMBER
    """
    numbers = text.split(",")
    if len(numbers) == 3 and all(number.isdecimal() for number in numbers):
        port, count, number = map(int, numbers)
        if 0 < port < 65536 and number < count:
            return port, count, number
    raise argparse.ArgumentTypeError(f"{text!r}: give PORT,COUNT,NUMBER")


def work(options: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    """Be one of several processes: join the others, take part, print one line of JSON.

    Args:
        options: The command line.
        parser: For a message if it cannot be done.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, without a cluster or if the devices
            cannot share the examples.
    """
    try:
        if options.join:
            port, count, number = options.join
            address = f"127.0.0.1:{port}"
            # Bound to the loopback address, the coordinator is out of reach for other machines.
            jax.distributed.initialize(address, count, number, coordinator_bind_address=address)
        else:
            jax.distributed.initialize()
    except ValueError:
        parser.error("--worker found no cluster: start it with srun, or leave --worker out")
    if options.examples % jax.device_count():
        parser.error(f"--examples: give a multiple of the {jax.device_count()} devices")
    answer = json.dumps(take_part(options.examples, options.steps))
    # In one piece even if output is not buffered: Gloo's threads write to the same place.
    print(f"\n{answer}\n", end="", flush=True)
    return 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit in several processes, or be one of them.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0, or 1 after one line on stderr if a process failed.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    few = whole_number(1, 8)
    add("--processes", type=few, default=2, metavar="N", help=f"to start here; {default}")
    add("--devices", type=few, default=2, metavar="N", help=f"of each process; {default}")
    rows = whole_number(1, MAX_EXAMPLES)
    add("--examples", type=rows, default=64, metavar="N", help=f"of all processes; {default}")
    add("--steps", type=whole_number(0, 100_000), default=100, metavar="N", help=default)
    add("--worker", action="store_true", help="be one process of a cluster's job")
    join_help = "used by this script when it starts the processes itself"
    add("--join", type=port_count_number, metavar="PORT,COUNT,NUMBER", help=join_help)
    add("--plot", type=picture_file, metavar="FILE", help="draw where the examples lie into FILE")
    options = parser.parse_args(arguments)
    if options.worker or options.join:
        return work(options, parser)
    devices = options.processes * options.devices
    if options.examples % devices:
        parser.error(f"--examples {options.examples}: give a multiple of the {devices} devices")

    if sys.stderr.isatty():  # the processes take seconds to start
        print(f"starting {options.processes} processes ...", file=sys.stderr, flush=True)
    try:
        results = launch(options.processes, options.devices, options.examples, options.steps)
    except (OSError, RuntimeError, subprocess.TimeoutExpired) as error:
        print(f"the processes did not finish: {error}", file=sys.stderr)
        return 1
    if options.plot:
        save(draw(results), options.plot, parser)
    print("process  device  examples")
    for result in results:
        for device, begin, end in result["shards"]:
            print(f"{result['process']:7d}{device:8d}  {begin}:{end}")
    together = results[0]
    x, y = map(jnp.asarray, make_data(options.examples))
    alone = np.asarray(fit(jnp.zeros(3), x, y, options.steps))
    print("w =", *(f"{value:.4f}" for value in together["w"]), f"  loss = {together['loss']:.2e}")
    print(f"equal in all processes: {all(r['w'] == together['w'] for r in results)}")
    print(f"difference from one process: {np.abs(alone - together['w']).max():.1e}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
