"""Asynchronous dispatch, measured: the time of a call and the time of its result.

A call of a JAX function returns before its result exists. This script times both for the
product of two n-by-n matrices: the dispatch time (the call alone) and the finished time (the
call and ``block_until_ready()``). The ratio of the two grows with n. It measures how long the
device works, not how fast anything is. The subject comes from a Korean blog series of July
2022, which reports a ratio of 509 on a GPU.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

LARGEST_SIZE = 16384  # one float32 matrix of this size fills 1 GiB
SUFFIXES = (".png", ".pdf", ".svg")


def stopwatch(function: Callable[..., Any], *arguments: Any) -> tuple[float, float]:
    """Time one call, until it returns and until its result exists.

    Args:
        function: What to call; its result may be any pytree.
        *arguments: What to call it with.

    Returns:
        Dispatch time and finished time in seconds, both counted from the start of the call.

    Source:
        https://docs.jax.dev/en/latest/async_dispatch.html

    A function that is not asynchronous leaves nothing to wait for:

    >>> dispatch, finished = stopwatch(time.sleep, 0.02)
    >>> 0.01 < dispatch <= finished < 3 * dispatch
    True
    """
    start = time.perf_counter()
    result = function(*arguments)
    dispatch = time.perf_counter() - start
    jax.block_until_ready(result)  # type: ignore[no-untyped-call]
    return dispatch, time.perf_counter() - start


def dispatch_and_finish(n: int, repeats: int = 5) -> tuple[float, float]:
    """Time the product of an n-by-n float32 matrix with itself.

    A first call, which compiles, is not counted. Other processes can only add to a time, so
    the smallest of several runs is the least disturbed one.

    Args:
        n: Rows and columns of the matrix, at least 1.
        repeats: Number of timed runs, at least 1.

    Returns:
        Smallest dispatch time and smallest finished time, in seconds.

    Raises:
        ValueError: If ``repeats`` is less than 1.

    Source:
        A Korean blog series on JAX, July 2022 (longest time 509 times the shortest).

    >>> dispatch, finished = dispatch_and_finish(16, repeats=3)
    >>> 0 < dispatch <= finished
    True
    """
    x = jax.random.normal(jax.random.key(0), (n, n))
    product = jax.jit(jnp.matmul)
    stopwatch(product, x, x)
    runs = [stopwatch(product, x, x) for _ in range(repeats)]
    dispatches, finishes = zip(*runs, strict=True)
    return min(dispatches), min(finishes)


def finished_seconds(function: Callable[..., Any], *arguments: Any, repeats: int = 5) -> float:
    """Time a JAX function correctly: warm, and until its result exists.

    The first call is not counted: it compiles, and it waits for arguments still on their way.

    Args:
        function: What to time; its result may be any pytree.
        *arguments: What to call it with.
        repeats: Number of timed runs, at least 1.

    Returns:
        Smallest finished time in seconds.

    Raises:
        ValueError: If ``repeats`` is less than 1.

    Source:
        https://docs.jax.dev/en/latest/_autosummary/jax.block_until_ready.html

    >>> tracings = []
    >>> double = jax.jit(lambda x: tracings.append("traced") or {"double": 2 * x})
    >>> finished_seconds(double, jnp.ones(3), repeats=4) > 0
    True
    >>> tracings
    ['traced']
    """
    stopwatch(function, *arguments)
    return min(stopwatch(function, *arguments)[1] for _ in range(repeats))


def size_for_ratio(sizes: Sequence[float], ratios: Sequence[float], target: float) -> float:
    """Find the size at which a growing ratio reaches a target.

    A straight line is fitted to the points on log-log axes, so a power law is found exactly.

    Args:
        sizes: Matrix sizes, at least two different ones.
        ratios: Finished time divided by dispatch time at each size; it must grow.
        target: The ratio to look for.

    Returns:
        The size, not rounded.

    Source:
        None; a least-squares fit with ``numpy.polyfit``.

    >>> round(size_for_ratio([100, 200, 400], [8, 64, 512], 509))
    399
    """
    slope, offset = np.polyfit(np.log(sizes), np.log(ratios), 1)
    return float(np.exp((np.log(target) - offset) / slope))


def draw(rows: Sequence[tuple[int, float, float]], path: Path) -> None:
    """Draw dispatch and finished times against the size into a file.

    Args:
        rows: Size, dispatch time and finished time (seconds) of each measurement.
        path: File to write; its suffix chooses the format.

    Raises:
        OSError: If the file cannot be written.

    Source:
        The figure of the page "Asynchronous dispatch, measured".

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "times.svg")
    ...     draw([(64, 1e-5, 2e-5), (128, 1e-5, 1e-4)], path)
    ...     path.stat().st_size > 0
    True
    """
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    sizes, dispatches, finishes = np.array(rows).T
    fig, ax = plt.subplots(figsize=(6, 3.6), layout="constrained")
    ax.loglog(sizes, 1e3 * finishes, "o-", color="#b3430f", lw=2, label="block_until_ready()")
    ax.loglog(sizes, 1e3 * dispatches, "s--", color="#0b5fa5", lw=2, label="product(x, x)")
    ax.fill_between(sizes, 1e3 * dispatches, 1e3 * finishes, color="0.9")
    ax.set_xscale("log", base=2)
    ax.set(xlabel="$n$", ylabel="ms")
    ax.legend()
    fig.savefig(path)
    plt.close(fig)


def _whole_number(largest: int) -> Callable[[str], int]:
    """Make a converter for argparse that accepts 1 to ``largest``."""

    def convert(text: str) -> int:
        if not text.isdecimal() or not 1 <= int(text) <= largest:
            raise argparse.ArgumentTypeError(
                f"{text!r} is not possible; give a whole number from 1 to {largest}"
            )
        return int(text)

    return convert


def _refuse_unwritable(parser: argparse.ArgumentParser, path: Path) -> None:
    """End with a message, before anything is measured, if the figure could not be saved."""
    if path.suffix.lower() not in SUFFIXES:
        parser.error(f"--plot: the name {str(path)!r} must end in {', '.join(SUFFIXES)}")
    existed = path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        parser.error(f"--plot: cannot write {str(path)!r} ({error.strerror}); name another file")
    if not existed:
        path.unlink()


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of times and, if asked, draw it.

    Args:
        arguments: Command line without the program's name; None takes it from ``sys.argv``.

    Returns:
        The exit status, 0.

    Raises:
        SystemExit: With status 2 after a message, if an argument is not usable.

    >>> main(["--sizes", "8", "--repeats", "2"])  # doctest: +ELLIPSIS
         n  dispatch ms  finished ms    ratio
         8 ...
    0
    """
    parser = argparse.ArgumentParser(
        description="Time the product of two n-by-n matrices in JAX: the call alone (dispatch), "
        "the call and block_until_ready() (finished), and the ratio of the two."
    )
    parser.add_argument(
        "--sizes", metavar="N", nargs="+", type=_whole_number(LARGEST_SIZE),
        default=[64, 128, 256, 512, 1024],
        help="rows and columns of the matrices (default: 64 128 256 512 1024)",
    )  # fmt: skip
    parser.add_argument(
        "--repeats", metavar="R", type=_whole_number(1000), default=5,
        help="timed runs for each size, of which the smallest time counts (default: 5)",
    )  # fmt: skip
    parser.add_argument(
        "--ratio", metavar="Q", type=_whole_number(1_000_000), default=509,
        help="name the size that would give this ratio, if there are three sizes (default: 509)",
    )  # fmt: skip
    parser.add_argument(
        "--plot", metavar="FILE", type=Path,
        help=f"also draw the times into FILE ({', '.join(SUFFIXES)})",
    )  # fmt: skip
    options = parser.parse_args(arguments)
    if options.plot is not None:
        _refuse_unwritable(parser, options.plot)

    rows = []
    print("     n  dispatch ms  finished ms    ratio")
    for n in sorted(set(options.sizes)):
        if sys.stderr.isatty():  # a large product takes seconds; the row then overwrites this
            print(f"{n:6d} ...", end="\r", file=sys.stderr, flush=True)
        dispatch, finished = dispatch_and_finish(n, options.repeats)
        print(f"{n:6d}{1e3 * dispatch:13.4f}{1e3 * finished:13.4f}{finished / dispatch:9.1f}",
              flush=True)  # fmt: skip
        rows.append((n, dispatch, finished))

    sizes, ratios = [row[0] for row in rows], [row[2] / row[1] for row in rows]
    if len(rows) >= 3 and ratios[-3] < ratios[-2] < ratios[-1]:
        n = round(size_for_ratio(sizes[-3:], ratios[-3:], options.ratio))
        print(f"ratio {options.ratio} near n = {n}")
    if options.plot is not None:
        draw(rows, options.plot)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
