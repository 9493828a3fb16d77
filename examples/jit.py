"""What jit does to a function: the instructions of the program, and the gain in time.

``jax.jit`` records a Python function with tracers and lets XLA compile the record. For three small
functions, this script prints how many operations were recorded, the instructions of the compiled
program, and the gain: the time without jit over the time with it. ``without_x`` never uses its
array, so its time does not depend on the size.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import re
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

Function = Callable[[jax.Array], jax.Array]

LARGEST_SIZE = 10_000_000  # one float32 array of this size fills 40 MB


def without_x(x: jax.Array, p: float = 2, q: float = 3) -> jax.Array:
    """Evaluate exp(p) + q sin(q), and ignore the array."""
    return jnp.exp(p) + q * jnp.sin(q)


def wave(x: jax.typing.ArrayLike, p: float = 2, q: float = 3) -> jax.Array:
    """Evaluate exp(p x) + q sin(q x) for each element."""
    return jnp.exp(p * x) + q * jnp.sin(q * x)


def horner(x: jax.Array) -> jax.Array:
    """Evaluate the polynomial with the coefficients 0, 1, ..., 19, by Horner's rule.

    >>> print(horner(jnp.array([0.0, 1.0])))  # the constant, and the sum of the coefficients
    [ 19. 190.]
    """
    y = 0.0
    for coefficient in range(20):
        y = y * x + coefficient  # type: ignore[assignment]
    return y  # type: ignore[return-value]


def instructions(program: jax.stages.Compiled) -> list[str]:
    """List the instructions of the part of a compiled program that runs first.

    >>> instructions(jax.jit(jnp.negative).lower(jnp.ones(3)).compile())[0]
    'parameter'
    """
    entry = program.as_text().split("ENTRY")[1]  # type: ignore[union-attr]
    return re.findall(r" ([a-z-]+)\(", entry)


def seconds(function: Function, x: jax.Array, calls: int = 2, repeats: int = 10) -> float:
    """Time a call of a function, without its first one: the smallest of several times.

    Each time is that of several calls, which are queued before the clock waits for their results.
    """
    jax.block_until_ready(function(x))  # type: ignore[no-untyped-call]
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        jax.block_until_ready([function(x) for _ in range(calls)])  # type: ignore[no-untyped-call]
        times.append(time.perf_counter() - begin)
    return min(times) / calls


def gain(function: Function, x: jax.Array) -> float:
    """Divide the time of a function without jit by its time with jit.

    >>> gain(horner, jnp.ones(10)) > 1
    True
    """
    return seconds(function, x) / seconds(jax.jit(function), x)


def draw(sizes: Sequence[int], gains: Mapping[str, Sequence[float]]) -> Figure:
    """Draw the gain of each function over the size, with a grey line at 1."""
    figure = Figure(figsize=(5, 3.6), layout="constrained")
    ax = figure.subplots()
    styles = (("#b3430f", "o-"), ("#0b5fa5", "s-"), ("#2e7d32", "^-"))
    for (name, values), (colour, style) in zip(gains.items(), styles, strict=True):
        ax.loglog(sizes, values, style, lw=2, color=colour, label=name)
    ax.axhline(1, lw=2, color="0.5")
    ax.set(xlabel="$n$", ylabel="gain")
    ax.legend(ncols=2)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what became of each function, and the table of gains.

    >>> main(["--sizes", "10"])  # doctest: +ELLIPSIS
    without_x   4 operations  program ...constant...
    wave        6 operations  program ...
    horner     40 operations  program ...
    <BLANKLINE>
    gain     without_x      wave    horner
          10 ...
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    size, sizes = whole_number(1, LARGEST_SIZE), [1, 100, 10_000, 1_000_000]
    add("--sizes", type=size, nargs="+", default=sizes, help=f"numbers of elements; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw the gains into FILE")
    options = parser.parse_args(arguments)

    functions: dict[str, Function] = {"without_x": without_x, "wave": wave, "horner": horner}
    sizes = sorted(set(options.sizes))
    x = jnp.ones(sizes[-1])
    for name, function in functions.items():
        recorded = len(jax.make_jaxpr(function)(x).eqns)
        names = " ".join(instructions(jax.jit(function).lower(x).compile()))
        print(f"{name:<9} {recorded:3d} operations  program {names}")

    print(f"\n{'gain':<8}", *(f"{name:>9}" for name in functions))
    gains: dict[str, list[float]] = {name: [] for name in functions}
    for n in sizes:
        for name, function in functions.items():
            gains[name].append(gain(function, jnp.ones(n)))
        print(f"{n:8d}", *(f"{values[-1]:9.1f}" for values in gains.values()), flush=True)
    if options.plot:
        save(draw(sizes, gains), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
