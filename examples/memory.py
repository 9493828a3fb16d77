"""Three formulations of one sum, and the memory that each of them needs.

Each of N points in D dimensions is pulled towards its neighbours. Written with all differences,
the sum has a temporary of N x N x D numbers; written with matrix products, one of N x N; taken in
blocks with ``jax.lax.map``, less. For each form the script prints the temporaries that
``memory_analysis`` predicts, and the largest memory of a process that runs it on the CPU. The
differences follow an article of a Japanese laboratory's Advent calendar.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

MEBIBYTE = 2**20

# All differences between this many points in 8 dimensions fill 12 GiB.
MOST_POINTS = 20_000


def differences(x: jax.Array) -> jax.Array:
    """Sum the pull of all points, through an array of all differences.

    Args:
        x: Points, shape (N, D), float32.

    Returns:
        For each point i the sum over j of exp(-|x_i - x_j|² / 2) (x_j - x_i), shape (N, D).

    Source:
        An article of a Japanese laboratory's Advent calendar builds such differences.

    >>> [round(float(pull), 3) for [pull] in differences(jnp.array([[0.0], [1.0]]))]
    [0.607, -0.607]
    """
    d = x[None, :] - x[:, None]
    w = jnp.exp(-jnp.sum(d**2, axis=-1) / 2)
    return jnp.einsum("ij,ijd->id", w, d)


def matrices(x: jax.Array) -> jax.Array:
    """Sum the same pull through matrix products.

    Args:
        x: Points, shape (N, D), float32; close to the origin, or the squares lose digits.

    Returns:
        What ``differences`` returns, shape (N, D).

    >>> x = jax.random.normal(jax.random.key(0), (20, 3))
    >>> bool(jnp.allclose(matrices(x), differences(x), atol=1e-4))
    True
    """
    s = jnp.sum(x**2, axis=1)
    w = jnp.exp(x @ x.T - (s[:, None] + s) / 2)
    return w @ x - jnp.sum(w, axis=1)[:, None] * x


def blocks(x: jax.Array, batch_size: int = 32) -> jax.Array:
    """Sum the same pull for some points at a time.

    Args:
        x: Points, shape (N, D), float32.
        batch_size: How many points at a time, at least 1.

    Returns:
        What ``differences`` returns, shape (N, D).

    >>> x = jax.random.normal(jax.random.key(0), (20, 3))
    >>> bool(jnp.allclose(blocks(x, batch_size=7), differences(x), atol=1e-4))
    True
    """

    def one(p: jax.Array) -> jax.Array:
        w = jnp.exp(-jnp.sum((x - p) ** 2, axis=1) / 2)
        return w @ x - jnp.sum(w) * p

    return jax.lax.map(one, x, batch_size=batch_size)  # type: ignore[no-any-return]


def sizes(function: Callable[..., Any], *shapes: Any, **options: Any) -> dict[str, int]:
    """Predict the memory of a compiled function, without running it.

    Args:
        function: What to compile.
        *shapes: Arrays, or ``jax.ShapeDtypeStruct`` in place of arrays.
        **options: Options of ``jax.jit``, such as ``donate_argnums``.

    Returns:
        Bytes of the arguments ("argument"), the results ("output"), everything in between
        ("temp"), and what arguments and results share ("alias").

    Source:
        https://docs.jax.dev/en/latest/jax.stages.html

    >>> shape = jax.ShapeDtypeStruct((1024,), jnp.float32)
    >>> sizes(jnp.sin, shape)["output"]
    4096
    >>> sizes(jnp.sin, shape, donate_argnums=0)["alias"]
    4096
    """
    compiled = jax.jit(function, **options).trace(*shapes).lower().compile()
    memory = compiled.memory_analysis()
    groups = ("argument", "output", "temp", "alias")
    return {name: getattr(memory, f"{name}_size_in_bytes") for name in groups}


def peak_growth(function: Callable[..., Any], x: jax.Array) -> tuple[float, float]:
    """Predict the temporaries of a function, and measure by how much a run raises the peak.

    The peak of a process never falls: measure one function in each process. On a GPU the run
    uses the GPU's memory, which this number does not contain.

    Args:
        function: What to compile and run.
        x: Its argument.

    Returns:
        Predicted temporaries, and growth of the largest resident memory, in MiB.

    Raises:
        ModuleNotFoundError: On Windows, which has no ``resource``.

    >>> predicted, growth = peak_growth(jnp.sin, jnp.ones(3))
    >>> predicted >= 0, growth >= 0
    (True, True)
    """
    import resource

    compiled = jax.jit(function).trace(x).lower().compile()
    unit = 2**20 if sys.platform == "darwin" else 2**10
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    jax.block_until_ready(compiled(x))  # type: ignore[no-untyped-call]
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return sizes(function, x)["temp"] / 2**20, (after - before) / unit


def run_in_new_process(form: str, points: int, dimensions: int, batch_size: int) -> str:
    """Run this script for one form in a process of its own, on the CPU.

    A process inherits the peak of the one that starts it (on Linux), so a shell, which is
    small, stands between the two.

    Args:
        form: "differences", "matrices" or "blocks".
        points: How many points.
        dimensions: Numbers in each point.
        batch_size: Points in a block.

    Returns:
        What the process printed last: one row of the table.

    Raises:
        RuntimeError: If the process failed, for example for lack of memory.

    >>> run_in_new_process("blocks", 16, 2, 4).split()[0]
    'blocks'
    """
    numbers = ["--points", points, "--dimensions", dimensions, "--batch-size", batch_size]
    command = ["sh", "-c", '"$0" "$@"; exit', sys.executable, __file__, "--only", form]
    run = subprocess.run(
        [*command, *map(str, numbers)],
        capture_output=True,
        text=True,
        env={**os.environ, "JAX_PLATFORMS": "cpu"},
    )
    if run.returncode:
        raise RuntimeError(f"the process of {form} failed; give fewer --points")
    return run.stdout.splitlines()[-1]


def draw(points: Sequence[int], temps: Mapping[str, Sequence[float]], dimensions: int) -> Figure:
    """Draw predicted temporaries over the number of points.

    Args:
        points: Numbers of points.
        temps: For "differences" and "blocks", the temporaries in MiB.
        dimensions: Numbers in each point.

    Returns:
        One graph on logarithmic axes, with 4 N² D bytes as a dashed line.

    >>> figure = draw([8, 16], {"differences": [1.0, 4.0], "blocks": [0.1, 0.2]}, 8)
    >>> [line.get_label() for line in figure.axes[0].lines]
    ['differences', 'blocks', '$4N^2D$']
    """
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    ax.loglog(points, temps["differences"], "o-", color="#b3430f", lw=2, label="differences")
    ax.loglog(points, temps["blocks"], "s-", color="#0b5fa5", lw=2, label="blocks")
    pairs = [4 * n**2 * dimensions / MEBIBYTE for n in points]
    ax.loglog(points, pairs, "--", color="0.4", label="$4N^2D$")
    ax.set(xlabel="$N$", ylabel="MiB", xticks=points, xticklabels=points)
    ax.minorticks_off()
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print predicted and measured memory of the three forms.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--points", "16", "--only", "blocks"])  # doctest: +ELLIPSIS
    form         predicted MiB  measured MiB
    blocks ...
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    points_type = whole_number(2, MOST_POINTS)
    add("--points", type=points_type, default=3000, metavar="N", help=default)
    add("--dimensions", type=whole_number(1, 1000), default=8, metavar="D", help=default)
    batch_help = "points in a block; default: %(default)s"
    batch_type = whole_number(1, MOST_POINTS)
    add("--batch-size", type=batch_type, default=32, metavar="N", help=batch_help)
    only_help = "run one form in this process, without starting others"
    add("--only", choices=["differences", "matrices", "blocks"], help=only_help)
    add("--plot", type=picture_file, metavar="FILE", help="draw the predictions into FILE")
    options = parser.parse_args(arguments)

    forms: dict[str, Callable[[jax.Array], jax.Array]] = {
        "differences": differences,
        "matrices": matrices,
        "blocks": lambda x: blocks(x, options.batch_size),
    }
    print("form         predicted MiB  measured MiB", flush=True)
    if options.only:
        x = jax.random.normal(jax.random.key(0), (options.points, options.dimensions))
        predicted, growth = peak_growth(forms[options.only], x)
        print(f"{options.only:<12}{predicted:14.1f}{growth:14.1f}")
    else:
        for form in forms:
            if sys.stderr.isatty():  # starting a process takes seconds
                print(f"{form} ...", end="\r", file=sys.stderr, flush=True)
            try:
                row = run_in_new_process(
                    form, options.points, options.dimensions, options.batch_size
                )
            except RuntimeError as error:
                parser.error(str(error))
            print(row, flush=True)
    if options.plot:
        points = sorted({max(2, options.points // k) for k in (1, 2, 4, 8, 16)})
        temps: dict[str, list[float]] = {"differences": [], "blocks": []}
        for n in points:
            shape = jax.eval_shape(lambda n=n: jnp.zeros((n, options.dimensions)))
            for form, values in temps.items():
                values.append(sizes(forms[form], shape)["temp"] / MEBIBYTE)
        save(draw(points, temps, options.dimensions), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
