"""The batching race, with jax.jit and jax.vmap told apart.

A function of one vector is applied to many vectors in four ways: a Python loop, ``jax.vmap``, and
both under ``jax.jit``. The table gives the time of a call for each, and the part of the saved time
that ``jit`` alone and ``vmap`` alone would save. The race comes from a Japanese article after JAX's
introduction: 1.68 ms for a loop without ``jit``, 19.6 µs for ``vmap`` within ``jit``.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

Function = Callable[[jax.Array], jax.Array]

MAX_VECTORS = 200  # jit(loop) compiles one product for each vector: about 5 s for 200
MAX_SIDE = 10_000  # one float32 matrix of 10 000 x 10 000 fills 400 MB


def squared_distance(p: jax.Array, q: jax.Array) -> jax.Array:
    """Sum the squared differences of two points of shape (d,)."""
    return jnp.sum((p - q) ** 2)


def all_pairs(function: Callable[[jax.Array, jax.Array], jax.Array]) -> Callable[..., jax.Array]:
    """Apply a function of two examples to all pairs from two batches.

    For batches of n and of m examples along axis 0, the result has shape (n, m), followed by the
    shape of one result.

    >>> corners = jnp.array([[0.0, 0.0], [3.0, 4.0], [0.0, 4.0]])
    >>> print(all_pairs(squared_distance)(corners[:2], corners))
    [[ 0. 25. 16.]
     [25.  0.  9.]]
    """
    return jax.vmap(jax.vmap(function, in_axes=(None, 0)), in_axes=(0, None))


def four_ways(function: Function) -> dict[str, Function]:
    """Apply a function of one example to a batch along axis 0, by loop or vmap, with jit or not.

    >>> {name: way(jnp.array([1, 2])).tolist() for name, way in four_ways(jnp.square).items()}
    {'loop': [1, 4], 'vmap': [1, 4], 'jit(loop)': [1, 4], 'jit(vmap)': [1, 4]}
    """

    def loop(batch: jax.Array) -> jax.Array:
        return jnp.stack([function(example) for example in batch])

    ways = {"loop": loop, "vmap": jax.vmap(function)}
    return ways | {f"jit({name})": jax.jit(way) for name, way in ways.items()}


def call_seconds(function: Function, batch: jax.Array, calls: int = 10) -> float:
    """Divide the time until the results of several calls exist by the number of calls."""
    start = time.perf_counter()
    jax.block_until_ready([function(batch) for _ in range(calls)])  # type: ignore[no-untyped-call]
    return (time.perf_counter() - start) / calls


def race(ways: dict[str, Function], batch: jax.Array, rounds: int = 20) -> dict[str, float]:
    """Time several functions of a batch, alternately.

    A first call of each, which may compile, is not counted. Taking turns spreads a slow moment
    of the machine over all of them.

    Returns:
        The smallest time of a call, in seconds, by name.

    >>> times = race(four_ways(jnp.square), jnp.ones(3), rounds=2)
    >>> list(times), min(times.values()) > 0
    (['loop', 'vmap', 'jit(loop)', 'jit(vmap)'], True)
    """
    for way in ways.values():
        jax.block_until_ready(way(batch))  # type: ignore[no-untyped-call]
    runs = [[call_seconds(way, batch) for way in ways.values()] for _ in range(rounds)]
    return dict(zip(ways, np.min(runs, axis=0).tolist(), strict=True))


def saved_alone(times: dict[str, float]) -> tuple[float, float]:
    """Divide what jit alone and what vmap alone save by what both save together.

    The parts need not add up to 1, and a negative part is a loss of time.

    >>> saved_alone({"loop": 9.0, "vmap": 11.0, "jit(loop)": 3.0, "jit(vmap)": 1.0})
    (0.75, -0.25)
    """
    saved = times["loop"] - times["jit(vmap)"]
    by_jit = (times["loop"] - times["jit(loop)"]) / saved
    by_vmap = (times["loop"] - times["vmap"]) / saved
    return by_jit, by_vmap


def draw(counts: Sequence[int], table: Sequence[dict[str, float]]) -> Figure:
    """Draw the times of the four ways, relative to the smallest, over the number of vectors."""
    smallest = min(min(row.values()) for row in table)
    figure = Figure(figsize=(6, 3.8), layout="constrained")
    ax: Any = figure.subplots()
    for name, style in zip(table[0], ["o--", "s--", "o-", "s-"], strict=True):
        color = "#b3430f" if "loop" in name else "#0b5fa5"
        ratios = [row[name] / smallest for row in table]
        ax.loglog(counts, ratios, style, color=color, lw=2, label=name)
    ax.set_xticks(counts, counts)
    ax.minorticks_off()
    ax.set(xlabel="$n$", ylabel=r"$t\,/\,t_{\min}$")
    figure.legend(loc="outside upper center", ncols=4)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the race for several numbers of vectors and print the table."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    limit, side = whole_number(1, MAX_VECTORS), whole_number(1, MAX_SIDE)
    add("--vectors", type=limit, nargs="+", default=[1, 3, 10, 30], help=f"how many; {DEFAULT}")
    add("--rows", type=side, default=150, help=f"of the matrix; {DEFAULT}")
    add("--columns", type=side, default=100, help=f"of the matrix; {DEFAULT}")
    add("--rounds", type=whole_number(1, 1000), default=20, help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the times into FILE")
    options = parser.parse_args(arguments)

    key_matrix, key_vectors = jax.random.split(jax.random.key(0))
    matrix = jax.random.normal(key_matrix, (options.rows, options.columns))
    ways = four_ways(lambda vector: matrix @ vector)
    counts, table = sorted(set(options.vectors)), []
    print(f"{'µs per call':44}   saved by")
    print("  n     loop     vmap jit(loop) jit(vmap)    jit   vmap")
    for n in counts:
        times = race(ways, jax.random.normal(key_vectors, (n, options.columns)), options.rounds)
        micro = [1e6 * seconds for seconds in times.values()]
        row = "{:3}{:9.1f}{:9.1f}{:10.1f}{:10.1f}{:7.2f}{:7.2f}"
        print(row.format(n, *micro, *saved_alone(times)), flush=True)
        table.append(times)
    if options.plot:
        save(draw(counts, table), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
