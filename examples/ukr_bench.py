"""Measure every way to run UKR, beside each other in one process.

Each way runs some epochs in turn, again and again, and the median of its processor time counts. So
what slows the machine down for a while slows all of them. `nox -s bench` runs this script on one
core and writes what the guide shows.

    python examples/ukr_bench.py --sizes 200 500

Source: the mathematics and the ways are those of `examples/ukr.py`.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "scikit-learn"]
# ///

import argparse
import datetime
import functools
import importlib.metadata
import importlib.util
import json
import os
import platform
import statistics
import time
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, save, whole_number
from _ukr import rivalry
from _ukr.data import saddle
from matplotlib.figure import Figure
from ukr import compiled, fit, form_of

Result = dict[str, Any]

# The two ways in NumPy are as people write them: with float64. The others use float32.
DOUBLE = ("numpy-original", "numpy")
RIVALS = tuple(method for method in rivalry.RIVALS if method != "loop")  # it takes minutes
METHODS = (*RIVALS, "dense", "products", "fused", "blocks")
SETTINGS: dict[str, Any] = {"bandwidth": 0.3, "learning_rate": 0.1}
COLORS = [*(f"C{k}" for k in range(10)), "black"]
MARKS = "osD^v<>pP*X"
LARGE = {20_000: ("blocks", "expansion"), 100_000: ("expansion",)}
# What the table compares with, and how wide its columns are.
COLUMNS = {"numpy-original": ("original", 10), "numpy": ("numpy", 9), "torch": ("torch", 9)}
TURN_S = 0.1  # how long a way runs in each round, about


def seconds(run: Callable[[], object]) -> float:
    """Measure the processor time of a call that ends when its result is there.

    >>> seconds(lambda: None) < 1
    True
    """
    begin = time.process_time()
    run()
    return time.process_time() - begin


def make_run(method: str, n: int, epochs: int) -> Callable[[], Any]:
    """Prepare some epochs of one way.

    Args:
        method: One of METHODS, or "expansion".
        n: How many points.
        epochs: How many epochs.

    Returns:
        A function that runs them and waits for the history.

    >>> make_run("products", 20, 2)().method
    'products'
    """
    dtype = np.float64 if method in DOUBLE else np.float32
    X = np.asarray(saddle(jax.random.key(0), n)).astype(dtype)
    Z = (0.1 * np.random.default_rng(0).normal(size=(n, 2))).astype(dtype)
    settings = SETTINGS | {"epochs": epochs}
    if method in rivalry.RIVALS:
        return functools.partial(rivalry.descend, method, X, Z, **settings)

    def run() -> Any:
        result = fit(X, Z, method=method, **settings)
        result.history.block_until_ready()
        return result

    return run


def measure(methods: Sequence[str], n: int, rounds: int) -> dict[str, float]:
    """Measure ways in turn.

    Args:
        methods: Of METHODS, or "expansion".
        n: How many points.
        rounds: How often each takes its turn.

    Returns:
        Median milliseconds of an epoch, for each method.

    >>> sorted(measure(["numpy", "products"], 20, 1))
    ['numpy', 'products']
    """
    runs, epochs = {}, {}
    for method in methods:
        make_run(method, n, 1)()  # compiles, for what a single epoch takes
        once = seconds(make_run(method, n, 1))
        epochs[method] = max(1, min(500, round(TURN_S / max(once, 1e-4))))
        runs[method] = make_run(method, n, epochs[method])
        runs[method]()
    times: dict[str, list[float]] = {method: [] for method in methods}
    for _ in range(rounds):
        for method in methods:
            times[method].append(seconds(runs[method]) / epochs[method] * 1000)
    return {method: statistics.median(values) for method, values in times.items()}


def peak(rounds: int) -> float:
    """Measure the most that this machine's matrix product does, in float32.

    Args:
        rounds: How often it takes its turn.

    Returns:
        GFLOP/s.

    >>> peak(1) > 0.1
    True
    """
    n = 1024
    matrix = jnp.ones((n, n))
    product = jax.jit(lambda a, b: a @ b)
    product(matrix, matrix).block_until_ready()

    def run() -> None:
        for _ in range(5):
            product(matrix, matrix).block_until_ready()

    return 5 * 2 * n**3 / min(seconds(run) for _ in range(rounds)) / 1e9


def temporaries(method: str, n: int) -> float:
    """Ask the compiler for the memory of an epoch besides data, start and result.

    Args:
        method: "products", "dense", "blocks" or "expansion".
        n: How many points.

    Returns:
        MiB.

    >>> temporaries("products", 1000) > 3
    True
    """
    form = form_of(method, np.dtype("float32"), SETTINGS["bandwidth"])
    shape: Any = jax.ShapeDtypeStruct  # it has no types
    numbers = [shape((), jnp.float32)] * 3
    arrays = [shape((n, columns), jnp.float32) for columns in (3, 2)]
    program = compiled(form, 1, True, False).lower(*arrays, *numbers).compile()
    analysis: Any = program.memory_analysis()
    return float(analysis.temp_size_in_bytes) / 2**20


def machine() -> Result:
    """Say what measures.

    >>> machine()["backend"] in ("cpu", "gpu", "tpu")
    True
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text().splitlines() if cpu.is_file() else []
    names = [line.split(": ", 1)[1] for line in lines if line.startswith("model name")]
    packages = [name for name in ("jax", "numpy", "torch") if importlib.util.find_spec(name)]
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "backend": jax.default_backend(),
        "device": jax.devices()[0].device_kind,
        "processor": names[0] if names else platform.processor(),
        "cores": cores,
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in packages},
    }


def bench(sizes: Sequence[int], rounds: int, large: bool) -> Result:
    """Measure everything.

    Args:
        sizes: Numbers of points.
        rounds: How often each way takes its turn.
        large: Whether 20 000 and 100 000 points are measured too.

    Returns:
        "machine", "peak_gflops", "milliseconds" by points and way, and, for large N,
        "large_seconds" and "large_temporaries_mib".

    >>> sorted(bench([20], 1, large=False))
    ['machine', 'milliseconds', 'peak_gflops']
    """
    methods = [method for method in METHODS if not rivalry.missing(method)]
    result: Result = {"machine": machine(), "peak_gflops": peak(rounds)}
    result["milliseconds"] = {str(n): measure(methods, n, rounds) for n in sizes}
    if large:
        result["large_seconds"] = {
            str(n): {name: ms / 1000 for name, ms in measure(names, n, 3).items()}
            for n, names in LARGE.items()
        }
        result["large_temporaries_mib"] = {
            str(n): {name: temporaries(name, n) for name in names} for n, names in LARGE.items()
        }
    return result


def table(result: Result) -> str:
    """Write the result as a table of ratios.

    Args:
        result: From ``bench``.

    Returns:
        For each number of points: milliseconds of an epoch, and how many times longer the
        original NumPy, the good NumPy and PyTorch take.

    >>> print(table({"milliseconds": {"9": {"numpy-original": 8.0, "numpy": 2.0, "scan": 1.0}}}))
    N = 9            ms an epoch  original    numpy    torch
    numpy-original         8.000       1.0      0.2        -
    numpy                  2.000       4.0      1.0        -
    scan                   1.000       8.0      2.0        -
    """
    heads = "".join(f"{head:>{width}}" for head, width in COLUMNS.values())
    lines = []
    for n, times in result["milliseconds"].items():
        lines.append(f"{f'N = {n}':16}{'ms an epoch':>12}{heads}")
        for method, ms in times.items():
            line = f"{method:16}{ms:12.3f}"
            for other, (_, width) in COLUMNS.items():
                ratio = f"{times[other] / ms:.1f}" if other in times else "-"
                line += f"{ratio:>{width}}"
            lines.append(line)
    return "\n".join(lines)


def draw(result: Result) -> Figure:
    """Draw the time of an epoch against the number of points.

    Args:
        result: From ``bench``.

    Returns:
        One graph with logarithmic axes.

    >>> len(draw({"milliseconds": {"9": {"numpy": 2.0}, "90": {"numpy": 9.0}}}).axes[0].lines)
    1
    """
    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.subplots()
    sizes = [int(n) for n in result["milliseconds"]]
    last: dict[str, float] = {}
    for method in next(iter(result["milliseconds"].values())):
        times = [times[method] for times in result["milliseconds"].values()]
        # Dashed: other libraries; dotted: the definition in JAX; solid: the forms.
        line = "--" if method in rivalry.NUMPY_FORMS else ":" if method in rivalry.LOOPS else "-"
        look = {"color": COLORS[len(last) % len(COLORS)], "marker": MARKS[len(last) % len(MARKS)]}
        axes.loglog(sizes, times, line, lw=2, label=method, **look)
        last[method] = times[-1]
    handles, labels = axes.get_legend_handles_labels()
    # In the order in which the lines end.
    order = sorted(range(len(labels)), key=lambda k: -last[labels[k]])
    code = {"family": "monospace", "size": "small"}
    axes.legend([handles[k] for k in order], [labels[k] for k in order], prop=code)
    axes.set(xlabel="number of points", ylabel="time of an epoch / ms")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    return figure


def json_file(text: str) -> Path:
    """Read the name of a JSON file for argparse.

    >>> json_file("bench.txt")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'bench.txt': end the name in .json
    """
    path = Path(text)
    if path.suffix != ".json":
        raise argparse.ArgumentTypeError(f"{text!r}: end the name in .json")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: create the folder {path.parent} first")
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print the ratios."""
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    size = whole_number(2, 5000)
    add("--sizes", type=size, nargs="+", default=[200, 500, 1000, 2000], metavar="N", help=default)
    add("--rounds", type=whole_number(1, 100), default=9, metavar="N", help=default)
    add("--large", action="store_true", help="measure 20 000 and 100 000 points too")
    add("--save", type=json_file, metavar="FILE", help="write the figures into FILE.json")
    add("--plot", type=picture_file, metavar="FILE", help="draw them into FILE")
    options = parser.parse_args(arguments)
    with warnings.catch_warnings(action="ignore"):  # the learning rate is not the point here
        result = bench(options.sizes, options.rounds, options.large)
    if options.save:
        try:
            options.save.write_text(json.dumps(result, indent=2) + "\n")
        except OSError as error:
            parser.error(f"--save {options.save}: {error.strerror}; name another file")
    if options.plot:
        save(draw(result), options.plot, parser)
    print(table(result))
    for n, times in result.get("large_seconds", {}).items():
        for method, time_s in times.items():
            mib = result["large_temporaries_mib"][n][method]
            print(f"N = {n}  {method}  {time_s:.2f} s an epoch  {mib:.0f} MiB of temporaries")
    print(f"matrix product: {result['peak_gflops']:.0f} GFLOP/s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
