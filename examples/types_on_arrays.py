"""Shapes in the signature, checked while JAX traces.

The mean squared error of two arrays, computed twice: by a function that broadcasts whatever it
gets, and by one whose annotations demand two arrays of the same length. With the shapes 4 and 4,1
the first returns a wrong number, and the second refuses.
"""
# ruff: noqa: F722, F821 (the axes in annotations are no expressions)

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "jaxtyping", "beartype", "matplotlib"]
# ///

import argparse
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line
from beartype import beartype
from jaxtyping import Array, Float, jaxtyped

MAX_ELEMENTS = 10_000  # two of them make a table of 10^8 differences


def error(prediction: jax.Array, target: jax.Array) -> jax.Array:
    """Average the squared differences, after broadcasting.

    >>> x = jnp.arange(4.0)
    >>> float(error(x, x)), float(error(x, x[:, None]))
    (0.0, 2.5)
    """
    return jnp.mean((prediction - target) ** 2)


@jax.jit
@jaxtyped(typechecker=beartype)
def checked_error(prediction: Float[Array, "n"], target: Float[Array, "n"]) -> Float[Array, ""]:
    """Average the squared differences of two arrays of the same length.

    Raises:
        jaxtyping.TypeCheckError: A TypeError, if an argument does not fit its annotation.

    >>> float(checked_error(jnp.arange(4.0), jnp.ones(4)))
    1.5
    >>> checked_error(jnp.arange(4.0), jnp.ones(3))  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    jaxtyping.TypeCheckError: ...
    """
    return jnp.mean((prediction - target) ** 2)


@jax.jit
@jaxtyped(typechecker=beartype)
def all_pairs(p: Float[Array, "n d"], q: Float[Array, "m d"]) -> Float[Array, "n m"]:
    """Sum the squared differences of each pair of rows.

    >>> print(all_pairs(jnp.array([[0.0, 0.0], [3.0, 4.0]]), jnp.zeros((1, 2))))
    [[ 0.]
     [25.]]
    """
    differences = p[:, None] - q[None]
    assert isinstance(differences, Float[Array, "n m d"])  # type: ignore[arg-type]
    return jnp.sum(differences**2, axis=-1)


def call_seconds(function: Callable[..., Any], *arguments: Any, calls: int = 300) -> float:
    """Divide the time until the last of several results exists by the number of calls."""
    begin = time.perf_counter()
    for _ in range(calls):
        result = function(*arguments)
    jax.block_until_ready(result)  # type: ignore[no-untyped-call]
    return (time.perf_counter() - begin) / calls


def best_of_turns(
    functions: Sequence[Callable[..., Any]], *arguments: Any, rounds: int = 15
) -> np.ndarray:
    """Time several functions of the same arguments alternately, after a first call of each.

    Returns:
        The smallest time of a call of each, in seconds.

    >>> best_of_turns([error, checked_error], jnp.ones(3), jnp.ones(3), rounds=1).shape
    (2,)
    """
    for function in functions:
        jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    turns = [[call_seconds(f, *arguments) for f in functions] for _ in range(rounds)]
    return np.min(turns, axis=0)  # type: ignore[no-any-return]


def shape(text: str) -> tuple[int, ...]:
    """Read a shape for argparse.

    >>> shape("4,1")
    (4, 1)
    >>> shape("4x1")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: '4x1': give positive whole numbers, such as 4,1
    """
    parts = text.split(",")
    if not all(part.isdecimal() and int(part) for part in parts):
        raise argparse.ArgumentTypeError(f"{text!r}: give positive whole numbers, such as 4,1")
    sizes = tuple(map(int, parts))
    if np.prod([float(size) for size in sizes]) > MAX_ELEMENTS:
        raise argparse.ArgumentTypeError(f"{text!r}: give at most {MAX_ELEMENTS} elements")
    return sizes


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both errors, or what they raise, and the time of a call with annotations.

    >>> main(["--target", "4"])  # doctest: +ELLIPSIS
    broadcast: 0.0
    checked: 0.0
    a later call takes ... x the time of one without annotations
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    default = "shape, such as 4 or 4,1; default: %(default)s"
    add("--prediction", type=shape, default="4", metavar="SHAPE", help=default)
    add("--target", type=shape, default="4,1", metavar="SHAPE", help=default)
    options = parser.parse_args(arguments)

    sizes = (options.prediction, options.target)
    pair = [jnp.arange(float(np.prod(size))).reshape(size) for size in sizes]
    for name, function in (("broadcast", error), ("checked", checked_error)):
        try:
            print(f"{name}: {function(*pair)}")
        except (TypeError, ValueError) as mismatch:
            print(f"{name}: {type(mismatch).__name__}", *str(mismatch).splitlines()[:3], sep="\n  ")
    x = jnp.arange(4.0)
    plain, checked = best_of_turns([jax.jit(error), checked_error], x, x, rounds=5)
    print(f"a later call takes {checked / plain:.2f} x the time of one without annotations")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
