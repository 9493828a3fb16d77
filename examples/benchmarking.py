"""A fair race between functions: warm, waited for, alternating, with an interval for each ratio.

Two functions for all squared distances of some points run alternately; every round gives a ratio
to the first one. The table has the smallest time, the median of the ratios and its 95 % interval.
The row "again" races the first function against itself: if its interval is far from 1, do not
trust the others. Put your own functions into ``racers``.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "scipy"]
# ///

import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.stats  # type: ignore[import-untyped]
from _command_line import command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

Function = Callable[..., Any]

MAX_SIZE = 10_000  # float32 distances of 10 000 points fill 400 MB


def seconds(function: Function, *arguments: Any) -> float:
    """Time one call until its result, any pytree, exists.

    >>> 0.01 < seconds(time.sleep, 0.02) < 1
    True
    """
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    return time.perf_counter() - start


def turns(functions: Sequence[Function], *arguments: Any, rounds: int = 20) -> np.ndarray:
    """Time several functions alternately, after one call of each in advance.

    Returns:
        The times in seconds, shape (rounds, number of functions).

    >>> turns([jnp.sin, jnp.cos], jnp.ones(3), rounds=4).shape
    (4, 2)
    """
    for function in functions:
        jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    rows = [[seconds(f, *arguments) for f in functions] for _ in range(rounds)]
    return np.array(rows)


def median_interval(ratios: np.ndarray) -> Any:
    """Find where the true median lies with 95 % confidence, by the bootstrap.

    The rounds must be independent; a machine that changes in the meantime is not covered.

    Args:
        ratios: Shape (rounds, ...).

    Returns:
        The lower and the upper end, each of shape (...).

    >>> low, high = median_interval(np.random.default_rng(0).normal(1, 0.05, (400, 2)))
    >>> bool(np.all((0.98 < low) & (low < 1) & (1 < high) & (high < 1.02)))
    True
    """
    result = scipy.stats.bootstrap(
        (ratios,), np.median, n_resamples=1000, method="percentile", batch=50, rng=0
    )
    return result.confidence_interval


def by_broadcast(x: jax.Array) -> jax.Array:
    """Compute all squared distances of the rows of x from all differences.

    >>> print(by_broadcast(jnp.array([[0.0, 0.0], [3.0, 4.0]])))
    [[ 0. 25.]
     [25.  0.]]
    """
    return jnp.sum((x[:, None] - x[None, :]) ** 2, axis=-1)


def by_product(x: jax.Array) -> jax.Array:
    """Compute all squared distances of the rows of x with one matrix product.

    Rounding errors are larger than in ``by_broadcast`` for points far from the origin.

    >>> print(by_product(jnp.array([[0.0, 0.0], [3.0, 4.0]])))
    [[ 0. 25.]
     [25.  0.]]
    """
    squares = jnp.sum(x**2, axis=-1)
    return squares[:, None] + squares[None, :] - 2 * x @ x.T


def draw(names: Sequence[str], ratios: np.ndarray) -> Figure:
    """Draw the median of each column of ratios with its interval.

    >>> figure = draw(["old", "new"], np.array([[1.0, 2.0], [1.0, 3.0]]))
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['old', 'new']
    """
    middle, (low, high) = np.median(ratios, axis=0), median_interval(ratios)
    figure = Figure(figsize=(6, 1.2 + 0.35 * len(names)), layout="constrained")
    ax: Any = figure.subplots()
    rows = np.arange(len(names))
    ax.errorbar(middle, rows, xerr=[middle - low, high - middle], fmt="o", capsize=4, lw=2)
    ax.set_yticks(rows, names)
    ax.axvline(1, color="0.4", lw=2, ls=":")
    ax.invert_yaxis()
    ax.set_xlabel(r"$t\,/\,t_1$")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Race the functions, and print a table with the interval of each ratio.

    >>> main(["--size", "8", "--rounds", "3"])  # doctest: +ELLIPSIS
    function             ms   ratio  95 % interval
    by_broadcast ...  1.000  1.000 to 1.000
    again ...
    by_product ...
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    size, rounds, default = whole_number(1, MAX_SIZE), whole_number(3, 10_000), "%(default)s"
    add("--size", type=size, default=500, metavar="N", help=f"points; default: {default}")
    add("--rounds", type=rounds, default=40, metavar="N", help=f"default: {default}")
    add("--plot", type=picture_file, metavar="FILE", help="draw the intervals into FILE")
    options = parser.parse_args(arguments)

    points = jax.random.normal(jax.random.key(0), (options.size, 32))
    first, second = jax.jit(by_broadcast), jax.jit(by_product)
    np.testing.assert_allclose(first(points), second(points), rtol=1e-3, atol=1e-3)
    racers = {"by_broadcast": first, "again": first, "by_product": second}
    runs = turns(list(racers.values()), points, rounds=options.rounds)
    ratios = runs / runs[:, :1]
    print("function             ms   ratio  95 % interval")
    columns = [1e3 * runs.min(axis=0), np.median(ratios, axis=0), *median_interval(ratios)]
    for name, best, middle, low, high in zip(racers, *columns, strict=True):
        print(f"{name:<13}{best:10.4f}{middle:8.3f}  {low:.3f} to {high:.3f}")
    if options.plot:
        save(draw(list(racers), ratios), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
