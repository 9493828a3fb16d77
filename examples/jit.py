"""What jit does to a function: unused inputs, instructions of the program, and the gain in time.

``jax.jit`` records a Python function with tracers and lets XLA compile the record. For three small
functions, this script prints how many operations were recorded, which inputs none of them uses,
what is left of the operations in the compiled program, and the ratio of the times without and with
jit for several sizes. One function never uses its array, so its time does not depend on the size.

That function is the one of a Japanese article that reports 27.1 µs without and 4.7 µs with jit.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import re
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

LARGEST_SIZE = 10_000_000  # one float32 array of this size fills 40 MB


def without_x(x: jax.Array, p: float = 2, q: float = 3) -> jax.Array:
    """Evaluate exp(p) + q sin(q) and ignore the array.

    Args:
        x: Any array; it is not used.
        p: Exponent.
        q: Factor and angle in radians.

    Returns:
        A float32 scalar.

    Source:
        A Japanese article on jit, there named ``func``.

    >>> print(f"{without_x(jnp.ones(5)):.4f}")
    7.8124
    """
    return jnp.exp(p) + q * jnp.sin(q)


def wave(x: jax.typing.ArrayLike, p: float = 2, q: float = 3) -> jax.Array:
    """Evaluate exp(p x) + q sin(q x) for each element.

    Args:
        x: Floating-point number or array of any shape.
        p: Factor in the exponent.
        q: Factor of the sine and of its angle.

    Returns:
        An array of the shape and dtype of ``x``.

    Source:
        The form of ``without_x``, with its argument in use.

    >>> print(f"{wave(0.0):.4f} {wave(1.0):.4f}")
    1.0000 7.8124
    """
    return jnp.exp(p * x) + q * jnp.sin(q * x)


def horner(x: jax.Array) -> jax.Array:
    """Evaluate the polynomial with the coefficients 0, 1, ..., 19, the last one constant.

    Args:
        x: Floating-point array of any shape.

    Returns:
        An array of the shape and dtype of ``x``.

    Source:
        Horner's rule.

    >>> print(horner(jnp.array([0.0, 1.0])))
    [ 19. 190.]
    """
    y = 0.0
    for coefficient in range(20):
        y = y * x + coefficient  # type: ignore[assignment]
    return y  # type: ignore[return-value]


def unused_inputs(function: Callable[..., Any], *arguments: Any) -> list[int]:
    """Find the inputs that take no part in the result.

    Args:
        function: A function that JAX can trace.
        *arguments: What to trace it with; only shapes and dtypes count.

    Returns:
        Positions among the arrays in ``arguments``, counted from 0.

    Raises:
        jax.errors.ConcretizationTypeError: If the function needs a value during tracing.

    >>> unused_inputs(without_x, jnp.ones(3)), unused_inputs(wave, jnp.ones(3))
    ([0], [])
    >>> unused_inputs(lambda x, y: x, 1.0, 2.0)
    [1]
    """
    jaxpr = jax.make_jaxpr(function)(*arguments).jaxpr
    used = {id(v) for eqn in jaxpr.eqns for v in eqn.invars}
    used |= {id(v) for v in jaxpr.outvars}
    return [i for i, v in enumerate(jaxpr.invars) if id(v) not in used]


def entry(function: Callable[..., Any], *arguments: Any) -> str:
    """Compile a function and give the part of the program that runs.

    Args:
        function: A function that JAX can trace.
        *arguments: What to compile it for; only shapes and dtypes count.

    Returns:
        The text of the optimised HLO from the entry computation on.

    >>> "constant" in entry(without_x, jnp.ones(3))
    True
    """
    text = jax.jit(function).lower(*arguments).compile().as_text()
    return text[text.index("ENTRY"):].strip()  # type: ignore[index, union-attr] # fmt: skip


def opcodes(program: str) -> list[str]:
    """Keep the names of the instructions of an HLO program.

    Args:
        program: Text from ``entry``.

    Returns:
        One name a line of the program, in its order.

    >>> opcodes("ENTRY %f () -> f32[] {\\n  ROOT %c = f32[] constant(7.8)\\n}")
    ['constant']
    """
    return re.findall(r" = (?:\(.*?\)|\S+) ([\w-]+)\(", program)


def seconds(
    function: Callable[[jax.Array], Any], x: jax.Array, calls: int = 2, repeats: int = 10
) -> float:
    """Time a function whose first call has been made.

    Args:
        function: What to time; its result may be any pytree.
        x: Its argument.
        calls: Calls that are queued before the clock waits for their results.
        repeats: How often this is timed; the smallest time counts.

    Returns:
        Seconds of one call.

    >>> 0.02 < seconds(lambda x: time.sleep(0.02), jnp.ones(1), calls=1, repeats=1) < 1
    True
    """
    jax.block_until_ready(function(x))  # type: ignore[no-untyped-call]
    times = []
    for _ in range(repeats):
        begin = time.perf_counter()
        jax.block_until_ready([function(x) for _ in range(calls)])  # type: ignore[no-untyped-call]
        times.append(time.perf_counter() - begin)
    return min(times) / calls


def gain(function: Callable[[jax.Array], Any], x: jax.Array) -> float:
    """Divide the time of a function without jit by its time with jit.

    Args:
        function: What to time.
        x: Its argument.

    Returns:
        A ratio without unit; above 1 where jit is faster.

    >>> gain(horner, jnp.ones(10)) > 1
    True
    """
    return seconds(function, x) / seconds(jax.jit(function), x)


FUNCTIONS: dict[str, Callable[[jax.Array], jax.Array]] = {
    "without_x": without_x,
    "wave": wave,
    "horner": horner,
}


def draw(sizes: Sequence[int], gains: Mapping[str, Sequence[float]]) -> Figure:
    """Draw the gain of each function over the size.

    Args:
        sizes: Numbers of elements.
        gains: For each name, one ratio a size.

    Returns:
        One graph on logarithmic axes, with a grey line at 1.

    >>> figure = draw([1, 10], {"wave": [8.0, 7.0]})
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['wave']
    """
    figure = Figure(figsize=(5, 3.6), layout="constrained")
    ax = figure.subplots()
    colours = ["#b3430f", "#0b5fa5", "#2e7d32", "#7b3fa0"]
    for (name, values), colour, marker in zip(gains.items(), colours, "os^D", strict=False):
        ax.loglog(sizes, values, marker + "-", lw=2, color=colour, label=name)
    ax.axhline(1, lw=2, color="0.5")
    ax.set(xlabel="$n$", ylabel="gain")
    ax.legend(ncols=2)
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what became of each function, and the table of gains.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--sizes", "10"])  # doctest: +ELLIPSIS
    without_x   4 operations  unused inputs [0]  program ...constant...
    wave        6 operations  unused inputs []   program ...
    horner     40 operations  unused inputs []   program ...
    <BLANKLINE>
    gain     without_x      wave    horner
          10 ...
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    sizes_help = "numbers of elements; default: 1 100 10000 1000000"
    sizes = [1, 100, 10_000, 1_000_000]
    add("--sizes", type=whole_number(1, LARGEST_SIZE), nargs="+", default=sizes, help=sizes_help)
    add("--plot", type=picture_file, metavar="FILE", help="draw the gains into FILE")
    options = parser.parse_args(arguments)

    sizes = sorted(set(options.sizes))
    for name, function in FUNCTIONS.items():
        x = jnp.ones(sizes[-1])
        recorded = len(jax.make_jaxpr(function)(x).eqns)
        unused = str(unused_inputs(function, x))
        names = " ".join(opcodes(entry(function, x)))
        print(f"{name:<9} {recorded:3d} operations  unused inputs {unused:<3}  program {names}")

    print(f"\n{'gain':<8}", *(f"{name:>9}" for name in FUNCTIONS))
    gains: dict[str, list[float]] = {name: [] for name in FUNCTIONS}
    for n in sizes:
        if sys.stderr.isatty():  # a large size takes seconds; the row then overwrites this
            print(f"{n:8d} ...", end="\r", file=sys.stderr, flush=True)
        for name, function in FUNCTIONS.items():
            gains[name].append(gain(function, jnp.ones(n)))
        print(f"{n:8d}", *(f"{values[-1]:9.1f}" for values in gains.values()), flush=True)
    if options.plot is not None:
        save(draw(sizes, gains), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
