"""Three formulations of one sum, and the memory that each of them needs.

Each of N points in D = 8 dimensions is pulled towards its neighbours. Written with all differences,
the sum has a temporary of N x N x D numbers; written with matrix products, one of N x N; taken in
blocks with ``jax.lax.map``, less. For each form the script prints the temporaries that
``memory_analysis`` predicts, and by how much a run on the CPU raises the memory of its process.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import command_line, whole_number

DIMENSIONS = 8
MOST_POINTS = 20_000  # all differences between so many points fill 12 GiB


def differences(x: jax.Array) -> jax.Array:
    """Sum the pull of all points, through an array of all differences.

    Args:
        x: Points, shape (N, D), float32.

    Returns:
        For each point i the sum over j of exp(-|x_i - x_j|² / 2) (x_j - x_i), shape (N, D).

    >>> [round(float(pull), 3) for [pull] in differences(jnp.array([[0.0], [1.0]]))]
    [0.607, -0.607]
    """
    d = x[None, :] - x[:, None]
    w = jnp.exp(-jnp.sum(d**2, axis=-1) / 2)
    return jnp.einsum("ij,ijd->id", w, d)


def matrices(x: jax.Array) -> jax.Array:
    """Sum the same pull through matrix products; far from the origin, the squares lose digits.

    >>> x = jax.random.normal(jax.random.key(0), (20, 3))
    >>> bool(jnp.allclose(matrices(x), differences(x), atol=1e-4))
    True
    """
    s = jnp.sum(x**2, axis=1)
    w = jnp.exp(x @ x.T - (s[:, None] + s) / 2)
    return w @ x - jnp.sum(w, axis=1)[:, None] * x


def blocks(x: jax.Array, batch_size: int = 32) -> jax.Array:
    """Sum the same pull for ``batch_size`` points at a time.

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
        *shapes: Arrays, refs, or ``jax.ShapeDtypeStruct`` in place of arrays.
        **options: Options of ``jax.jit``, such as ``donate_argnums``.

    Returns:
        Bytes of the arguments ("argument"), the results ("output"), everything in between
        ("temp"), and what arguments and results share ("alias").

    Source:
        https://docs.jax.dev/en/latest/jax.stages.html

    >>> shape = jax.ShapeDtypeStruct((1024,), jnp.float32)
    >>> sizes(jnp.sin, shape)["output"], sizes(jnp.sin, shape, donate_argnums=0)["alias"]
    (4096, 4096)
    """
    compiled = jax.jit(function, **options).trace(*shapes).lower().compile()
    memory = compiled.memory_analysis()
    groups = ("argument", "output", "temp", "alias")
    return {name: getattr(memory, f"{name}_size_in_bytes") for name in groups}


def peak_growth(function: Callable[..., Any], x: jax.Array) -> tuple[float, float]:
    """Return the predicted temporaries, and by how much a run raises the peak, in MiB.

    The peak of a process never falls: measure one function in each process, and on the CPU.

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


def run_in_new_process(form: str, points: int, batch_size: int) -> str:
    """Run this script for one form in a process of its own, and return its row of the table.

    A process inherits the peak of its parent (on Linux), so a small shell starts it.

    Raises:
        RuntimeError: If the process failed, for example for lack of memory.
    """
    command = ["sh", "-c", '"$0" "$@"; exit', sys.executable, __file__, "--only", form]
    command += ["--points", str(points), "--batch-size", str(batch_size)]
    environment = {**os.environ, "JAX_PLATFORMS": "cpu"}
    run = subprocess.run(command, capture_output=True, text=True, env=environment)
    if run.returncode:
        raise RuntimeError(f"the process of {form} failed; give fewer --points")
    return run.stdout.splitlines()[-1]


def main(arguments: Sequence[str] | None = None) -> int:
    """Print predicted and measured memory of the three forms."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    default = "default: %(default)s"
    number = whole_number(2, MOST_POINTS)
    batch_help = f"points in a block; {default}"
    add("--points", type=number, default=3000, metavar="N", help=default)
    add("--batch-size", type=number, default=32, metavar="N", help=batch_help)
    add("--only", choices=["differences", "matrices", "blocks"], help="run it in this process")
    options = parser.parse_args(arguments)

    forms = {"differences": differences, "matrices": matrices}
    forms["blocks"] = lambda x: blocks(x, options.batch_size)
    print("form         predicted MiB  measured MiB", flush=True)
    if options.only:
        x = jax.random.normal(jax.random.key(0), (options.points, DIMENSIONS))
        predicted, growth = peak_growth(forms[options.only], x)
        print(f"{options.only:<12}{predicted:14.1f}{growth:14.1f}")
    else:
        for form in forms:
            try:
                print(run_in_new_process(form, options.points, options.batch_size), flush=True)
            except RuntimeError as error:
                parser.error(str(error))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
