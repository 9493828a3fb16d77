"""Pallas kernels beside the functions of JAX that they replace, on any machine.

A softmax and a product of matrices are written as kernels. On a CPU they are interpreted: the
results are real, the time is not that of a kernel.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, save, whole_number
from callbacks import best_seconds
from jax.experimental import pallas as pl
from matplotlib.figure import Figure

interpret = jax.default_backend() == "cpu"
TILE = 128


def softmax_kernel(x_ref: Any, out_ref: Any) -> None:
    """Write the softmax of the rows of a block."""
    x = x_ref[...]
    weights = jnp.exp(x - x.max(axis=1, keepdims=True))
    out_ref[...] = weights / weights.sum(axis=1, keepdims=True)


def by_rows(kernel: Callable[..., None], *arrays: jax.Array, rows: int = 8) -> Any:
    """Run a kernel on blocks of whole rows.

    Args:
        kernel: Takes one reference for each array and one for the result, of shape (rows, columns).
        arrays: All of the same shape (n, columns).
        rows: How many rows a block has; it need not divide n.

    Returns:
        An array of the shape and dtype of the first one.

    >>> def double(x_ref, out_ref):
    ...     out_ref[...] = 2 * x_ref[...]
    >>> by_rows(double, jnp.ones((3, 2)), rows=2).tolist()
    [[2.0, 2.0], [2.0, 2.0], [2.0, 2.0]]
    """
    n, columns = arrays[0].shape
    block = pl.BlockSpec((rows, columns), lambda i: (i, 0))
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((n, columns), arrays[0].dtype),  # type: ignore[no-untyped-call]
        grid=(pl.cdiv(n, rows),),
        in_specs=[block] * len(arrays),
        out_specs=block,
        interpret=interpret,
    )(*arrays)


def softmax(x: jax.Array) -> Any:
    """Compute the softmax of each row of a matrix."""
    return by_rows(softmax_kernel, x)


def softmax_back_kernel(y_ref: Any, weight_ref: Any, out_ref: Any) -> None:
    """Write the gradient with respect to the input, from the softmax and its own gradient."""
    y, weight = y_ref[...], weight_ref[...]
    out_ref[...] = y * (weight - (weight * y).sum(axis=1, keepdims=True))


@jax.custom_vjp
def trainable_softmax(x: jax.Array) -> Any:
    """Compute the softmax of each row, with a gradient that is a kernel, too.

    >>> x = jnp.arange(12.0).reshape(3, 4)
    >>> gradient = jax.grad(lambda x: trainable_softmax(x)[0, 0])(x)
    >>> bool(jnp.allclose(gradient, jax.grad(lambda x: jax.nn.softmax(x)[0, 0])(x)))
    True
    """
    return softmax(x)


def softmax_forward(x: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the softmax, twice: it is its own residual."""
    y = softmax(x)
    return y, y


def softmax_backward(y: jax.Array, weight: jax.Array) -> tuple[jax.Array]:
    """Return the gradient with respect to the input."""
    return (by_rows(softmax_back_kernel, y, weight),)


trainable_softmax.defvjp(softmax_forward, softmax_backward)


def sum_kernel(x_ref: Any, y_ref: Any, out_ref: Any) -> None:
    """Add the product of two blocks to the block of the result, which the first program clears."""

    @pl.when(pl.program_id(2) == 0)
    def clear() -> None:
        out_ref[...] = jnp.zeros(out_ref.shape, out_ref.dtype)

    out_ref[...] += x_ref[...] @ y_ref[...]


def product(
    x: jax.Array, y: jax.Array, kernel: Callable[..., None] = sum_kernel, tile: int = 128
) -> Any:
    """Multiply two matrices block by block, in an order that only a TPU and the interpreter keep.

    Every length must be a multiple of ``tile``.

    >>> x, y = jnp.ones((4, 6)), jnp.ones((6, 2))
    >>> product(x, y, tile=2).tolist() == (x @ y).tolist()
    True
    """
    (n, k), m = x.shape, y.shape[1]
    return pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((n, m), x.dtype),  # type: ignore[no-untyped-call]
        grid=(n // tile, m // tile, k // tile),
        in_specs=[
            pl.BlockSpec((tile, tile), lambda i, j, k: (i, k)),
            pl.BlockSpec((tile, tile), lambda i, j, k: (k, j)),
        ],
        out_specs=pl.BlockSpec((tile, tile), lambda i, j, k: (i, j)),
        interpret=jax.default_backend() != "tpu",
    )(x, y)


def draw(rows: int, columns: int, block: int) -> Figure:
    """Draw which program of a two-dimensional grid writes which entry of the result."""
    shape = pl.cdiv(rows, block), pl.cdiv(columns, block)
    numbers = np.arange(shape[0] * shape[1]).reshape(shape)
    figure = Figure(figsize=(4, 3.4), layout="constrained")
    ax = figure.subplots()
    entries = numbers.repeat(block, axis=0).repeat(block, axis=1)[:rows, :columns]
    ax.imshow(entries, cmap="Blues", alpha=0.6)
    for (i, j), number in np.ndenumerate(numbers):
        ax.text(j * block + block / 2 - 0.5, i * block + block / 2 - 0.5, str(number), ha="center")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how far the kernels are from JAX's functions, and how long they take beside them."""
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    add("--rows", type=whole_number(1, 4096), default=512, metavar="N", help=default)
    add("--columns", type=whole_number(1, 4096), default=256, metavar="N", help=default)
    tiles = f"length of the matrices of the product, in tiles of {TILE}; {default}"
    add("--tiles", type=whole_number(1, 8), default=2, metavar="N", help=tiles)
    add("--plot", type=picture_file, metavar="FILE", help="draw the blocks of the product")
    options = parser.parse_args(arguments)

    rng = np.random.default_rng(0)
    table = jnp.asarray(rng.normal(size=(options.rows, options.columns)), jnp.float32)
    side = TILE * options.tiles
    x, y = jnp.asarray(rng.integers(-4, 5, (2, side, side)), jnp.float32)
    print("interpreted" if interpret else "compiled")
    cases: dict[str, Any] = {
        "softmax": (softmax, jax.nn.softmax, [table]),
        "product": (product, jnp.matmul, [x, y]),
    }
    for name, (kernel, function, data) in cases.items():
        difference = jnp.max(jnp.abs(kernel(*data) - function(*data)))
        seconds = [best_seconds(jax.jit(way), *data) for way in (kernel, function)]
        ratio = seconds[0] / seconds[1]
        print(f"{name}: differs by at most {difference:.1g}, takes {ratio:.2g} times as long")
    if options.plot:
        save(draw(side, side, TILE), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
