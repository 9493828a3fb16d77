"""A fair race between functions: warm, waited for, in turns, with a spread and a test of itself.

Each case has two or more functions with the same result. Before the race their results are
compared. Then all are timed in turns, and every round gives a ratio to the first one. The table
shows the smallest time, the median of the ratios and their quartiles. The row "again" races the
first function against itself: a difference counts only if it is larger than that.
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

Function = Callable[..., Any]

MAX_SIZE = 4000  # distances by broadcasting, not compiled, would fill 16 n² floats: 1 GB


def seconds(function: Function, *arguments: Any) -> float:
    """Time one call until its result exists.

    Args:
        function: What to call; its result may be any pytree.
        *arguments: What to call it with.

    Returns:
        The time in seconds.

    Source:
        https://docs.jax.dev/en/latest/async_dispatch.html

    >>> 0.01 < seconds(time.sleep, 0.02) < 1
    True
    """
    start = time.perf_counter()
    jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    return time.perf_counter() - start


def turns(functions: Sequence[Function], *arguments: Any, rounds: int = 20) -> np.ndarray:
    """Time several functions in turns, after one call of each in advance.

    Args:
        functions: What to time.
        *arguments: What to call each of them with.
        rounds: How often each is timed, at least 1.

    Returns:
        The times in seconds, shape (rounds, number of functions).

    >>> turns([jnp.sin, jnp.cos], jnp.ones(3), rounds=4).shape
    (4, 2)
    """
    for function in functions:
        jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    rows = [[seconds(f, *arguments) for f in functions] for _ in range(rounds)]
    return np.array(rows)


def quartiles(runs: np.ndarray) -> np.ndarray:
    """Divide each round by its first time, and take the quartiles of the ratios.

    A change of the machine that lasts longer than a round cancels in a ratio.

    Args:
        runs: Times, shape (rounds, functions), from ``turns``.

    Returns:
        Lower quartile, median and upper quartile of each function, shape (functions, 3).

    >>> quartiles(np.array([[1.0, 2.0], [10.0, 30.0], [5.0, 20.0]])).tolist()
    [[1.0, 1.0, 1.0], [2.5, 3.0, 3.5]]
    """
    return np.quantile(runs / runs[:, :1], [0.25, 0.5, 0.75], axis=0).T  # type: ignore[no-any-return]


def by_broadcast(x: jax.Array) -> jax.Array:
    """Compute all squared distances from all differences.

    Args:
        x: Points, shape (n, d).

    Returns:
        The squared distances, shape (n, n), of the dtype of ``x``.

    >>> print(by_broadcast(jnp.array([[0.0, 0.0], [3.0, 4.0]])))
    [[ 0. 25.]
     [25.  0.]]
    """
    return jnp.sum((x[:, None] - x[None, :]) ** 2, axis=-1)


def by_product(x: jax.Array) -> jax.Array:
    """Compute all squared distances with one matrix product.

    Rounding errors are larger than in ``by_broadcast`` for points far from the origin.

    Args:
        x: Points, shape (n, d).

    Returns:
        The squared distances, shape (n, n), of the dtype of ``x``.

    >>> print(by_product(jnp.array([[0.0, 0.0], [3.0, 4.0]])))
    [[ 0. 25.]
     [25.  0.]]
    """
    squares = jnp.sum(x**2, axis=-1)
    return squares[:, None] + squares[None, :] - 2 * x @ x.T


def powers(x: jax.Array) -> jax.Array:
    """Sum x^k / (k + 1) for k from 0 to 15, each power on its own.

    Args:
        x: Array of any shape, between -1 and 1.

    Returns:
        The sums, of the same shape.

    >>> float(powers(jnp.array(0.0)))
    1.0
    """
    return jnp.sum(jnp.stack([x**k / (k + 1) for k in range(16)]), axis=0)


def horner(x: jax.Array) -> jax.Array:
    """Sum the same polynomial as ``powers`` by Horner's rule.

    Args:
        x: Array of any shape, between -1 and 1.

    Returns:
        The sums, of the same shape.

    >>> bool(jnp.allclose(horner(jnp.array([0.0, 0.5])), powers(jnp.array([0.0, 0.5]))))
    True
    """
    value = jnp.full_like(x, 1 / 16)
    for k in range(14, -1, -1):
        value = value * x + 1 / (k + 1)
    return value


def machine_limits(n: int, length: int) -> tuple[float, float]:
    """Measure what the machine can do: float32 operations and bytes read.

    Args:
        n: Rows and columns of the matrices of a product, 2 n³ operations.
        length: Length of the vector of a sum, 4 bytes each.

    Returns:
        Operations per second and bytes per second.

    >>> flops, bandwidth = machine_limits(64, 1000)
    >>> bool(flops > 0), bool(bandwidth > 0)
    (True, True)
    """
    x, v = jnp.ones((n, n)), jnp.ones(length)
    product = np.min(turns([jax.jit(jnp.matmul)], x, x))
    read = np.min(turns([jax.jit(jnp.sum)], v))
    return 2 * n**3 / product, v.nbytes / read


def cases(name: str, size: int) -> tuple[dict[str, Function], Any]:
    """Give the functions of a built-in case, and their argument.

    Args:
        name: "distances", "polynomial", "dtypes" or "jit".
        size: Number of points, or of rows and columns, at least 1.

    Returns:
        The functions by name, and an argument for all of them.

    Raises:
        KeyError: If there is no such case.

    >>> functions, argument = cases("distances", 10)
    >>> list(functions), argument.shape
    (['by_broadcast', 'by_product'], (10, 16))
    """
    points = jax.random.normal(jax.random.key(0), (size, 16))
    square = jax.random.uniform(jax.random.key(1), (size, size))
    double, single = np.asarray(square, dtype=np.float64), np.asarray(square)
    # Each side holds its own array, so that no call transfers anything.
    tanh = jax.jit(jnp.tanh)
    types: dict[str, Function] = {
        "np.float64": lambda _: np.tanh(double),
        "np.float32": lambda _: np.tanh(single),
        "jnp.float32": lambda _: tanh(square),
    }
    broadcast, product = jax.jit(by_broadcast), jax.jit(by_product)
    distances: dict[str, Function] = {"by_broadcast": broadcast, "by_product": product}
    built_in: dict[str, tuple[dict[str, Function], Any]] = {
        "distances": (distances, points),
        "polynomial": ({"powers": jax.jit(powers), "horner": jax.jit(horner)}, square),
        "dtypes": (types, None),
        "jit": ({"horner": horner, "jit(horner)": jax.jit(horner)}, square),
    }
    return built_in[name]


def same_results(functions: Sequence[Function], *arguments: Any) -> bool:
    """Tell whether functions agree to a relative and absolute difference of 1e-3.

    Args:
        functions: Functions that return one array each.
        *arguments: What to call each of them with.

    Returns:
        True if all results are close to the first.

    >>> same_results([jnp.sin, jnp.sin], 1.0), same_results([jnp.sin, jnp.cos], 1.0)
    (True, False)
    """
    first, *others = (np.asarray(function(*arguments)) for function in functions)
    return all(np.allclose(first, other, rtol=1e-3, atol=1e-3) for other in others)


def draw(ratios: dict[str, np.ndarray]) -> Figure:
    """Draw the distribution of the ratios of each function.

    Args:
        ratios: For each name, the ratio to the first function in every round.

    Returns:
        One box for each name on a logarithmic axis; a box spans the quartiles.

    >>> figure = draw({"a": np.ones(4), "b": np.array([2.0, 2.0, 3.0, 3.0])})
    >>> [label.get_text() for label in figure.axes[0].get_yticklabels()]
    ['a', 'b']
    """
    figure = Figure(figsize=(6, 1.2 + 0.35 * len(ratios)), layout="constrained")
    ax: Any = figure.subplots()
    line = {"color": "#b3430f", "lw": 2}
    ax.boxplot(list(ratios.values()), orientation="horizontal", showfliers=False, medianprops=line)
    ax.set_yticks(range(1, len(ratios) + 1), list(ratios))
    ax.axvline(1, color="0.4", lw=2, ls=":")
    ax.set_xscale("log")
    ax.invert_yaxis()
    ax.set_xlabel(r"$t\,/\,t_1$")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Race the built-in cases and print a table with the spread of each ratio.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--case", "jit", "--size", "8", "--rounds", "3"])  # doctest: +ELLIPSIS
    case        function           ms   ratio  quartiles
    jit         horner    ...  1.000  1.000 to 1.000
    jit         again     ...
    jit         jit(horner) ...
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    names = ["distances", "polynomial", "dtypes", "jit"]
    which = f"{', '.join(names)}; default: all"
    add("--case", choices=names, nargs="+", default=names, metavar="NAME", help=which)
    size = "points, or rows and columns; default: %(default)s"
    add("--size", type=whole_number(1, MAX_SIZE), default=500, metavar="N", help=size)
    rounds = "default: %(default)s"
    add("--rounds", type=whole_number(3, 10_000), default=40, metavar="N", help=rounds)
    add("--plot", type=picture_file, metavar="FILE", help="draw all ratios into FILE")
    limits = "measure the machine first: float32 operations and bytes per second"
    add("--limits", action="store_true", help=limits)
    options = parser.parse_args(arguments)

    if options.limits:
        flops, bandwidth = machine_limits(1024, 2**24)
        print(f"matrix product {flops / 1e9:.0f} GFLOP/s, reading {bandwidth / 1e9:.0f} GB/s")
    print("case        function           ms   ratio  quartiles")
    ratios: dict[str, np.ndarray] = {}
    for case in dict.fromkeys(options.case):
        if sys.stderr.isatty():  # the rows then overwrite this
            print(f"{case} ...", end="\r", file=sys.stderr, flush=True)
        functions, argument = cases(case, options.size)
        if not same_results(list(functions.values()), argument):
            raise AssertionError(f"the functions of {case} do not agree")
        (first, function), *others = functions.items()
        racers = {first: function, "again": function, **dict(others)}
        runs = turns(list(racers.values()), argument, rounds=options.rounds)
        for name, times, row in zip(racers, runs.T, quartiles(runs), strict=True):
            low, middle, high = row
            print(f"{case:<11} {name:<12}{1e3 * times.min():9.4f}{middle:8.3f}  "
                  f"{low:.3f} to {high:.3f}", flush=True)  # fmt: skip
            ratios[f"{case}: {name}"] = times / runs[:, 0]
    if options.plot:
        save(draw(ratios), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
