"""The batching race, with jax.jit and jax.vmap told apart.

A function written for one vector (a matrix times the vector) is applied to many vectors in four
ways: a Python loop, ``jax.vmap``, and both of them under ``jax.jit``. The table gives the time of a
call for each, and the part of the saved time that ``jit`` alone and ``vmap`` alone would save.

The race comes from a Japanese article after JAX's introduction, which reports 1.68 ms for a loop
without ``jit`` and 19.6 µs for ``vmap`` within ``jit``.
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

Function = Callable[[jax.Array], jax.Array]

MAX_VECTORS = 200  # jit(loop) compiles one product for each vector: about 5 s for 200
MAX_SIDE = 10_000  # one float32 matrix of 10 000 x 10 000 fills 400 MB


def squared_distance(p: jax.Array, q: jax.Array) -> jax.Array:
    """Sum the squared differences of two points.

    Args:
        p: A point, shape (d,).
        q: Another point, shape (d,).

    Returns:
        The squared distance, shape ().

    >>> float(squared_distance(jnp.array([0.0, 0.0]), jnp.array([3.0, 4.0])))
    25.0
    """
    return jnp.sum((p - q) ** 2)


def all_pairs(function: Callable[[jax.Array, jax.Array], jax.Array]) -> Callable[..., jax.Array]:
    """Apply a function of two examples to all pairs from two batches.

    Args:
        function: Takes one example from each batch.

    Returns:
        A function of two batches, of n and of m examples along axis 0. Its result has shape
        (n, m), followed by the shape of one result. Results in between are as large: the
        differences in ``squared_distance`` fill (n, m, d) if nothing fuses them away.

    >>> corners = jnp.array([[0.0, 0.0], [3.0, 4.0], [0.0, 4.0]])
    >>> print(all_pairs(squared_distance)(corners[:2], corners))
    [[ 0. 25. 16.]
     [25.  0.  9.]]
    """
    return jax.vmap(jax.vmap(function, in_axes=(None, 0)), in_axes=(0, None))


def looped(function: Function) -> Function:
    """Apply a function to each example of a batch, one after the other.

    Args:
        function: Takes one example.

    Returns:
        A function of a batch along axis 0, whose results are stacked along a new axis 0.

    >>> print(looped(jnp.sum)(jnp.array([[1, 2], [3, 4]])))
    [3 7]
    """

    def over(batch: jax.Array) -> jax.Array:
        return jnp.stack([function(example) for example in batch])

    return over


def four_ways(function: Function) -> dict[str, Function]:
    """Combine loop or vmap with jit or no jit.

    Args:
        function: Takes one example.

    Returns:
        Four functions of a batch, with the same results: "loop", "vmap", "jit(loop)" and
        "jit(vmap)".

    >>> {name: way(jnp.array([1, 2])).tolist() for name, way in four_ways(jnp.square).items()}
    {'loop': [1, 4], 'vmap': [1, 4], 'jit(loop)': [1, 4], 'jit(vmap)': [1, 4]}
    """
    loop, mapped = looped(function), jax.vmap(function)
    compiled = {"jit(loop)": jax.jit(loop), "jit(vmap)": jax.jit(mapped)}
    return {"loop": loop, "vmap": mapped, **compiled}


def call_seconds(function: Function, batch: jax.Array, calls: int = 10) -> float:
    """Time several calls until all their results exist.

    Args:
        function: What to call; it should have been called with such a batch before.
        batch: Its argument.
        calls: How many calls, at least 1.

    Returns:
        Seconds for one call.

    Source:
        https://docs.jax.dev/en/latest/async_dispatch.html

    >>> call_seconds(jnp.square, jnp.ones(3)) > 0
    True
    """
    start = time.perf_counter()
    jax.block_until_ready([function(batch) for _ in range(calls)])  # type: ignore[no-untyped-call]
    return (time.perf_counter() - start) / calls


def race(ways: dict[str, Function], batch: jax.Array, rounds: int = 20) -> dict[str, float]:
    """Time several functions of a batch, in turns.

    A first call of each, which may compile, is not counted. Taking turns spreads a slow moment
    of the machine over all of them.

    Args:
        ways: Functions of the batch, by name.
        batch: The argument of each.
        rounds: How often each is timed, at least 1.

    Returns:
        The smallest time of a call, in seconds, by name.

    Raises:
        ValueError: If ``rounds`` is less than 1.

    >>> times = race(four_ways(jnp.square), jnp.ones(3), rounds=2)
    >>> list(times), min(times.values()) > 0
    (['loop', 'vmap', 'jit(loop)', 'jit(vmap)'], True)
    """
    for way in ways.values():
        jax.block_until_ready(way(batch))  # type: ignore[no-untyped-call]
    runs = [[call_seconds(way, batch) for way in ways.values()] for _ in range(rounds)]
    return dict(zip(ways, np.min(runs, axis=0).tolist(), strict=True))


def saved_alone(times: dict[str, float]) -> tuple[float, float]:
    """Split the time saved by jit and vmap together.

    Args:
        times: Seconds for "loop", "vmap", "jit(loop)" and "jit(vmap)".

    Returns:
        The part of loop - jit(vmap) that ``jit`` alone saves, and the part that ``vmap`` alone
        saves. They need not add up to 1; a negative part is a loss of time.

    >>> saved_alone({"loop": 9.0, "vmap": 11.0, "jit(loop)": 3.0, "jit(vmap)": 1.0})
    (0.75, -0.25)
    """
    saved = times["loop"] - times["jit(vmap)"]
    by_jit = (times["loop"] - times["jit(loop)"]) / saved
    by_vmap = (times["loop"] - times["vmap"]) / saved
    return float(by_jit), float(by_vmap)


def draw(counts: Sequence[int], table: Sequence[dict[str, float]]) -> Figure:
    """Draw the times of the four ways against the number of vectors.

    Args:
        counts: Numbers of vectors.
        table: For each number, the seconds by name, from ``race``.

    Returns:
        One graph on logarithmic axes, with times relative to the smallest of all.

    >>> figure = draw([1, 2], [{"loop": 2.0, "vmap": 1.0}, {"loop": 4.0, "vmap": 1.0}])
    >>> [text.get_text() for text in figure.legends[0].get_texts()]
    ['loop', 'vmap']
    """
    smallest = min(min(row.values()) for row in table)
    figure = Figure(figsize=(6, 3.8), layout="constrained")
    ax: Any = figure.subplots()
    for name, style in zip(table[0], ["o--", "s--", "o-", "s-"], strict=False):
        color = "#b3430f" if "loop" in name else "#0b5fa5"
        ratios = [row[name] / smallest for row in table]
        ax.loglog(counts, ratios, style, color=color, lw=2, label=name)
    ax.set_xticks(counts, counts)
    ax.minorticks_off()
    ax.set(xlabel="$n$", ylabel=r"$t\,/\,t_{\min}$")
    figure.legend(loc="outside upper center", ncols=4)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the race for several numbers of vectors and print the table.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--vectors", "2", "--rows", "4", "--columns", "3", "--rounds", "2"])
    ... # doctest: +ELLIPSIS
    µs per call                                    saved by
      n     loop     vmap jit(loop) jit(vmap)    jit   vmap
      2 ...
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    vectors = "numbers of vectors; default: 1 3 10 30"
    default = "default: %(default)s"
    limit = whole_number(1, MAX_VECTORS)
    add("--vectors", type=limit, nargs="+", default=[1, 3, 10, 30], metavar="N", help=vectors)
    add("--rows", type=whole_number(1, MAX_SIDE), default=150, metavar="N", help=default)
    add("--columns", type=whole_number(1, MAX_SIDE), default=100, metavar="N", help=default)
    add("--rounds", type=whole_number(1, 1000), default=20, metavar="N", help=default)
    add("--plot", type=picture_file, metavar="FILE", help="draw the times into FILE")
    options = parser.parse_args(arguments)

    key_matrix, key_vectors = jax.random.split(jax.random.key(0))
    matrix = jax.random.normal(key_matrix, (options.rows, options.columns))
    ways = four_ways(lambda vector: matrix @ vector)
    counts, table = sorted(set(options.vectors)), []
    print(f"{'µs per call':44}   saved by")
    print("  n     loop     vmap jit(loop) jit(vmap)    jit   vmap")
    for n in counts:
        if sys.stderr.isatty():  # many vectors take seconds to compile; the row overwrites this
            print(f"{n:3} ...", end="\r", file=sys.stderr, flush=True)
        times = race(ways, jax.random.normal(key_vectors, (n, options.columns)), options.rounds)
        micro = [1e6 * times[name] for name in ways]
        parts = saved_alone(times)
        print("{:3}{:9.1f}{:9.1f}{:10.1f}{:10.1f}{:7.2f}{:7.2f}".format(n, *micro, *parts),
              flush=True)  # fmt: skip
        table.append(times)
    if options.plot:
        save(draw(counts, table), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
