"""Asynchronous dispatch, measured: the time of a call and the time of its result.

A call of a JAX function returns before its result exists. This script times both for the product
of two n-by-n matrices: the dispatch time (the call alone) and the completion time (the call and
``block_until_ready()``). Their ratio grows with n: it measures how long the device works, not how
fast anything is.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import sys
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

LARGEST_SIZE = 16384  # one float32 matrix of this size fills 1 GiB


def stopwatch(function: Callable[..., Any], *arguments: Any) -> tuple[float, float]:
    """Time one call, until it returns and until its result exists.

    The result may be any pytree.

    Returns:
        Dispatch time and completion time in seconds, both counted from the start of the call.

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


def finished_seconds(function: Callable[..., Any], *arguments: Any, repeats: int = 5) -> float:
    """Time a JAX function warm, until its result exists; return the smallest of several times.

    A first call is not counted: it may compile, and its arguments may still be unfinished.

    Raises:
        ValueError: If ``repeats`` is less than 1.

    >>> tracings = []
    >>> double = jax.jit(lambda x: tracings.append("traced") or {"double": 2 * x})
    >>> finished_seconds(double, jnp.ones(3), repeats=4) > 0
    True
    >>> tracings
    ['traced']
    """
    stopwatch(function, *arguments)
    return min(stopwatch(function, *arguments)[1] for _ in range(repeats))


def dispatch_and_finish(n: int, repeats: int = 5) -> tuple[float, float]:
    """Time the product of an n-by-n float32 matrix with itself.

    Returns:
        Smallest dispatch time and smallest completion time of ``repeats`` runs, in seconds.

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


def draw(rows: Sequence[tuple[int, float, float]]) -> Figure:
    """Draw the times in rows of size, dispatch time and completion time, on logarithmic axes.

    >>> figure = draw([(64, 1e-5, 2e-5), (128, 1e-5, 1e-4)])
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['block_until_ready()', 'product(x, x)']
    """
    sizes, dispatches, finishes = np.array(rows).T
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    ax.loglog(sizes, 1e3 * finishes, "o-", color="#b3430f", lw=2, label="block_until_ready()")
    ax.loglog(sizes, 1e3 * dispatches, "s--", color="#0b5fa5", lw=2, label="product(x, x)")
    ax.fill_between(sizes, 1e3 * dispatches, 1e3 * finishes, color="0.9")
    ax.set_xscale("log", base=2)
    ax.set(xlabel="$n$", ylabel="ms")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of times and, if asked, draw it.

    >>> main(["--sizes", "8", "--repeats", "2"])  # doctest: +ELLIPSIS
         n  dispatch ms     ready ms    ratio
         8 ...
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    size, sizes = whole_number(1, LARGEST_SIZE), [64, 128, 256, 512, 1024]
    sizes_help = "rows and columns of the matrices; default: 64 128 256 512 1024"
    add("--sizes", type=size, nargs="+", default=sizes, metavar="N", help=sizes_help)
    repeats_help = "timed runs for each size, of which the smallest counts; default: %(default)s"
    add("--repeats", type=whole_number(1, 1000), default=5, metavar="N", help=repeats_help)
    add("--plot", type=picture_file, metavar="FILE", help="draw the times into FILE")
    options = parser.parse_args(arguments)

    rows = []
    print("     n  dispatch ms     ready ms    ratio")
    for n in sorted(set(options.sizes)):
        if sys.stderr.isatty():  # a large product takes seconds; the row then overwrites this
            print(f"{n:6d} ...", end="\r", file=sys.stderr, flush=True)
        dispatch, finished = dispatch_and_finish(n, options.repeats)
        row = f"{n:6d}{1e3 * dispatch:13.4f}{1e3 * finished:13.4f}{finished / dispatch:9.1f}"
        print(row, flush=True)
        rows.append((n, dispatch, finished))
    if options.plot:
        save(draw(rows), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
