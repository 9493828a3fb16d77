"""Measure every implementation of UKR, beside each other in one process.

Each method runs some epochs in turn, again and again, and the median of its processor time counts.
So what slows the machine down for a while slows all of them. `nox -s bench` runs this script on one
core and writes what the guide shows.

    python examples/ukr_bench.py --sizes 200 500

Source: the mathematics and the methods are those of `examples/ukr.py`.
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
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, save, whole_number
from _ukr import rivalry, rivals
from _ukr.data import saddle
from _ukr.descent import make_step, scan
from _ukr.fused import CPU_OPTIONS
from matplotlib.figure import Figure
from ukr import form_of

Result = dict[str, Any]

FORMS = ("dense", "products", "fused", "blocks")
# Python's loop over programs without jit takes minutes; torch-compile has those columns.
RIVALS = tuple(name for name in rivalry.RIVALS if name not in ("loop", "torch-columns"))
METHODS = (*RIVALS, "torch-compile", "c", *FORMS)
SLOW = ("torch-compile",)  # to compile
DOUBLE = ("numpy-original", "numpy", "torch-matrix", "torch-hand", "scan", "products", "fused")
ALL_CORES = ("numpy", "torch-hand", "torch-compile", "scan", "products", "fused")
SETTINGS: dict[str, Any] = {"bandwidth": 0.3, "learning_rate": 0.1}
COLORS = [*(f"C{k}" for k in range(10)), "black"]
MARKS = "osD^v<>pP*X"
LARGE = {20_000: ("blocks", "fused", "expansion"), 100_000: ("expansion",)}
# What the table compares with, and how wide its columns are.
COLUMNS = {"numpy": ("numpy", 9), "torch-hand": ("torch", 9), "c": ("c", 9)}
TURN_S = 0.1  # how long a method runs in each round, about
# Libraries count the cores when they are imported: so a program that takes all starts another one.
UNPIN = """import os, sys
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, range(os.cpu_count()))
os.execv(sys.argv[1], sys.argv[1:])"""
Clock = Callable[[], float]


def seconds(run: Callable[[], object], clock: Clock = time.process_time) -> float:
    """Measure the time of a call that ends when its result is there.

    >>> seconds(lambda: None) < 1
    True
    """
    begin = clock()
    run()
    return clock() - begin


@functools.cache
def program(method: str, epochs: int, dtype: str) -> Any:
    """Return a jitted function of X and Z: the descent with one of FORMS, or "expansion"."""
    form = form_of(method, np.dtype(dtype), SETTINGS["bandwidth"])

    def descend(X: jax.Array, Z: jax.Array) -> tuple[jax.Array, jax.Array]:
        step = make_step(lambda Z: form(Z, X, SETTINGS["bandwidth"]), SETTINGS["learning_rate"])
        return scan(step, Z, epochs)

    on_cpu = jax.default_backend() == "cpu"
    return jax.jit(descend, compiler_options=CPU_OPTIONS if on_cpu else None)


def missing(method: str) -> str:
    """Say what has to be installed for a method, if anything.

    >>> missing("fused")
    ''
    """
    if method == "c":
        return "" if rivals.c_library(3, 2) else "cc"
    return rivalry.missing(method)


def make_run(method: str, n: int, epochs: int, dtype: str = "float32") -> Callable[[], Any]:
    """Prepare some epochs of one method.

    Args:
        method: One of METHODS, or "expansion".
        n: The number of points.
        epochs: The number of epochs.
        dtype: Of the computation.

    Returns:
        A function that runs them, and returns the history and the losses when they are there.

    >>> make_run("products", 20, 2)()[0].shape
    (2, 20, 2)
    """
    X = np.asarray(saddle(jax.random.key(0), n)).astype(dtype)
    X = X - X.mean(axis=0)
    Z = (0.1 * np.random.default_rng(0).normal(size=(n, 2))).astype(dtype)
    settings = SETTINGS | {"epochs": epochs}
    if method == "c":
        return functools.partial(rivals.in_c, X, Z, **settings)
    if method == "torch-compile":
        return functools.partial(rivals.descend, rivals.torch_compiled(), X, Z, **settings)
    if method in rivalry.RIVALS:
        return functools.partial(rivalry.descend, method, X, Z, **settings)
    run = program(method, epochs, dtype)
    wait: Any = jax.block_until_ready  # it has no types
    return lambda: wait(run(jnp.asarray(X), jnp.asarray(Z)))


def measure(
    methods: Sequence[str],
    n: int,
    rounds: int,
    dtype: str = "float32",
    clock: Clock = time.process_time,
) -> dict[str, float]:
    """Measure methods in turn.

    Args:
        methods: Of METHODS, or "expansion".
        n: The number of points.
        rounds: How often each takes its turn.
        dtype: Of the computation.
        clock: ``time.process_time``, or ``time.perf_counter`` for several cores.

    Returns:
        Median milliseconds of an epoch, for each method.

    >>> sorted(measure(["numpy", "products"], 20, 1))
    ['numpy', 'products']
    """
    with jax.enable_x64(dtype == "float64"):
        runs, epochs = {}, {}
        for method in methods:
            make_run(method, n, 1, dtype)()  # compiles, for what a single epoch takes
            once = seconds(make_run(method, n, 1, dtype), clock)
            epochs[method] = max(1, min(500, round(TURN_S / max(once, 1e-4))))
            runs[method] = make_run(method, n, epochs[method], dtype)
            runs[method]()
        times: dict[str, list[float]] = {method: [] for method in methods}
        for _ in range(rounds):
            for method in methods:
                times[method].append(seconds(runs[method], clock) / epochs[method] * 1000)
    return {method: statistics.median(values) for method, values in times.items()}


def compile_times(methods: Sequence[str], n: int) -> dict[str, float]:
    """Measure the first call of methods that compile, less a second call.

    Args:
        methods: Of METHODS.
        n: The number of points; no other call in this process may have had it.

    Returns:
        Seconds on the clock, for each method.

    >>> compile_times(["products"], 21)["products"] > 0
    True
    """
    result = {}
    for method in methods:
        run = make_run(method, n, 1)
        first, second = (seconds(run, time.perf_counter) for _ in range(2))
        result[method] = first - second
    return result


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
    """Return the memory that the compiler plans for an epoch besides data, start and result.

    Args:
        method: One of FORMS, or "expansion".
        n: The number of points.

    Returns:
        MiB.

    >>> temporaries("products", 1000) > 3
    True
    """
    shape: Any = jax.ShapeDtypeStruct  # it has no types
    arrays = [shape((n, columns), jnp.float32) for columns in (3, 2)]
    analysis: Any = program(method, 1, "float32").lower(*arrays).compile().memory_analysis()
    return float(analysis.temp_size_in_bytes) / 2**20


def machine() -> Result:
    """Describe what measures.

    >>> machine()["backend"] in ("cpu", "gpu", "tpu")
    True
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cpu = Path("/proc/cpuinfo")
    lines = cpu.read_text(encoding="utf-8").splitlines() if cpu.is_file() else []
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


def on_all_cores(n: int, rounds: int) -> Result:
    """Measure ALL_CORES in a process of its own, which may use every core.

    Args:
        n: The number of points.
        rounds: How often each method takes its turn.

    Returns:
        "cores", and "milliseconds" on the clock by method.
    """

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "all.json")
        sizes = ("--sizes", str(n), "--rounds", str(rounds))
        command = [sys.executable, __file__, *sizes, "--clock", "--save", str(file)]
        subprocess.run(
            [sys.executable, "-c", UNPIN, *command], check=True, stdout=subprocess.DEVNULL
        )
        child = json.loads(file.read_text(encoding="utf-8"))
    return {"cores": child["machine"]["cores"], "milliseconds": child["milliseconds"][str(n)]}


def bench(sizes: Sequence[int], rounds: int, large: bool) -> Result:
    """Measure everything.

    Args:
        sizes: Numbers of points.
        rounds: How often each method takes its turn.
        large: Whether what takes minutes is measured too: torch.compile, float64, all cores, and
            20 000 and 100 000 points.

    Returns:
        "machine", "peak_gflops", "milliseconds" by points and method; with ``large`` also
        "compile_seconds", "milliseconds_float64", "all_cores", "large_seconds" and
        "large_temporaries_mib".

    >>> sorted(bench([20], 1, large=False))
    ['machine', 'milliseconds', 'peak_gflops']
    """
    methods = [name for name in METHODS if (large or name not in SLOW) and not missing(name)]
    result: Result = {"machine": machine(), "peak_gflops": peak(rounds)}
    if large:
        compiles = [name for name in ("scan", "fused", "torch-compile") if name in methods]
        result["compile_seconds"] = compile_times(compiles, 501)
    result["milliseconds"] = {str(n): measure(methods, n, rounds) for n in sizes}
    if large:
        double = [name for name in DOUBLE if name in methods]
        result["milliseconds_float64"] = {
            str(n): measure(double, n, rounds, "float64") for n in sizes
        }
        result["all_cores"] = {"1000": on_all_cores(1000, rounds)}
        result["large_seconds"] = {
            str(n): {name: ms / 1000 for name, ms in measure(names, n, 3).items()}
            for n, names in LARGE.items()
        }
        result["large_temporaries_mib"] = {
            str(n): {name: temporaries(name, n) for name in names} for n, names in LARGE.items()
        }
    return result


def table(times: dict[str, dict[str, float]]) -> str:
    """Write times as a table of ratios.

    Args:
        times: Milliseconds by number of points and method.

    Returns:
        For each number of points: milliseconds of an epoch, and how many times longer NumPy,
        PyTorch with the gradient by hand, and C take.

    >>> print(table({"9": {"numpy": 8.0, "c": 0.5, "fused": 1.0}}))
    N = 9            ms an epoch    numpy    torch        c
    numpy                  8.000      1.0        -      0.1
    c                      0.500     16.0        -      1.0
    fused                  1.000      8.0        -      0.5
    """
    heads = "".join(f"{head:>{width}}" for head, width in COLUMNS.values())
    lines = []
    for n, row in times.items():
        lines.append(f"{f'N = {n}':16}{'ms an epoch':>12}{heads}")
        for method, ms in row.items():
            line = f"{method:16}{ms:12.3f}"
            for other, (_, width) in COLUMNS.items():
                ratio = f"{row[other] / ms:.1f}" if other in row else "-"
                line += f"{ratio:>{width}}"
            lines.append(line)
    return "\n".join(lines)


def draw(result: Result) -> Figure:
    """Draw the time of a pair against the number of points, and what all cores change.

    Args:
        result: From ``bench``.

    Returns:
        One graph; with "all_cores" a second one below it.

    >>> len(draw({"milliseconds": {"9": {"numpy": 2.0}, "90": {"numpy": 9.0}}}).axes[0].lines)
    1
    """
    several = result.get("all_cores", {})
    figure = Figure(figsize=(4.5, 10.5 if several else 7), layout="constrained")
    axes, *below = figure.subplots(
        1 + len(several), squeeze=False, height_ratios=[5, 3][: 1 + len(several)]
    )[:, 0]
    sizes = [int(n) for n in result["milliseconds"]]
    last: dict[str, float] = {}
    for method in next(iter(result["milliseconds"].values())):
        times = [1e6 * times[method] / int(n) ** 2 for n, times in result["milliseconds"].items()]
        # Dashed: other libraries; dotted: the definition in JAX; solid: the forms.
        line = ":" if method in rivalry.LOOPS else "-" if method in FORMS else "--"
        look = {"color": COLORS[len(last) % len(COLORS)], "marker": MARKS[len(last) % len(MARKS)]}
        axes.loglog(sizes, times, line, lw=2, label=method, **look)
        last[method] = times[-1]
    handles, labels = axes.get_legend_handles_labels()
    # In the order in which the lines end.
    order = sorted(range(len(labels)), key=lambda k: -last[labels[k]])
    code: dict[str, Any] = {"family": "monospace", "size": "small"}
    columns: dict[str, Any] = {"bbox_to_anchor": (0.5, -0.15), "loc": "upper center", "ncols": 2}
    axes.legend([handles[k] for k in order], [labels[k] for k in order], prop=code, **columns)
    axes.set(xlabel="number of points", ylabel="time of a pair / ns")
    axes.set_xticks(sizes, [str(size) for size in sizes])
    axes.minorticks_off()
    for ax, (n, measured) in zip(below, several.items(), strict=True):
        one, every = result["milliseconds"][n], measured["milliseconds"]
        names = sorted(every, key=lambda name: every[name])
        for shift, times, label in ((-0.2, one, "one core"), (0.2, every, "all cores")):
            places = [k + shift for k in range(len(names))]
            ax.barh(places, [1e6 * times[name] / int(n) ** 2 for name in names], 0.4, label=label)
        ax.set_yticks(range(len(names)), names, **code)
        ax.set(xlabel="time of a pair / ns")
        ax.legend()
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
    add("--large", action="store_true", help="torch.compile, float64, all cores, many points too")
    add("--clock", action="store_true", help="only what several cores can share, by the clock")
    add("--save", type=json_file, metavar="FILE", help="write the figures into FILE.json")
    add("--plot", type=picture_file, metavar="FILE", help="draw them into FILE")
    options = parser.parse_args(arguments)
    if options.large and 1000 not in options.sizes:
        parser.error("--large: add 1000 to --sizes")
    if options.clock:
        methods = [name for name in ALL_CORES if not missing(name)]
        result: Result = {"machine": machine(), "peak_gflops": peak(options.rounds)}
        result["milliseconds"] = {
            str(n): measure(methods, n, options.rounds, clock=time.perf_counter)
            for n in options.sizes
        }
    else:
        result = bench(options.sizes, options.rounds, options.large)
    if options.save:
        try:
            options.save.write_text(json.dumps(result, indent=2) + "\n", encoding="utf-8")
        except OSError as error:
            parser.error(f"--save {options.save}: {error.strerror}; name another file")
    if options.plot:
        save(draw(result), options.plot, parser)
    print(table(result["milliseconds"]))
    if options.large:
        print("float64", table(result["milliseconds_float64"]), sep="\n")
        for n, measured in result["all_cores"].items():
            print(f"{measured['cores']} cores", table({n: measured["milliseconds"]}), sep="\n")
    for method, time_s in result.get("compile_seconds", {}).items():
        print(f"{method}  {time_s:.1f} s to compile")
    for n, times in result.get("large_seconds", {}).items():
        for method, time_s in times.items():
            mib = result["large_temporaries_mib"][n][method]
            print(f"N = {n}  {method}  {time_s:.2f} s an epoch  {mib:.0f} MiB of temporaries")
    print(f"matrix product: {result['peak_gflops']:.0f} GFLOP/s")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
