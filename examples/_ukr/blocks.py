"""The two products with a few rows of the kernel at a time, on one device or on several.

A point's error is known as soon as its row of the kernel is there. So one pass over blocks of rows
gathers, and spreads from the same rows before it forgets them: memory for B × N numbers instead of
N × N, and each row is made once. Several devices take different rows and add what they spread.

Source: written for this guide.
"""

import functools
from typing import Any

import jax
import jax.numpy as jnp
from _ukr.descent import Form
from _ukr.products import finish, gather, outer, with_ones
from _ukr.weights import kernel
from jax.sharding import Mesh, NamedSharding, PartitionSpec

lax: Any = jax.lax  # psum, pcast and specs have no types
spec: Any = PartitionSpec
BLOCK = 256  # rows: at N = 20 000 a block of float32 takes 20 MB


def share(
    numbers: jax.Array,
    Z: jax.Array,
    X: jax.Array,
    bandwidth: float | jax.Array,
    leave_one_out: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Do one device's share: walk over its points in blocks.

    Args:
        numbers: Numbers of points, shape (blocks, B); those from N on count for nothing.
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The sum of the points' squared errors, shape (); what they spread, shape
        ((1 + D) · (1 + L), N); and their own parts of the gradient, shape (blocks · B, L).

    >>> Z, X = jnp.array([[0.0], [1.0]]), jnp.array([[-2.0], [2.0]])
    >>> squared, spread, own = share(jnp.array([[0, 1, 2]]), Z, X, 100.0)
    >>> round(float(squared), 3), spread.shape, own.shape
    (8.0, (4, 2), (3, 1))
    """
    features = outer(with_ones(X), Z)

    def block(
        spread: jax.Array, numbers: jax.Array
    ) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
        present = numbers < len(Z)
        rows = jnp.minimum(numbers, len(Z) - 1)
        H = kernel(Z, bandwidth, leave_one_out, rows)
        squared, known, own = gather(features @ H.T, X[rows])
        spread += outer(known * present, Z[rows]) @ H
        return spread, ((squared * present).sum(), own)

    spread, (squared, own) = jax.lax.scan(block, jnp.zeros_like(features), numbers)
    return squared.sum(), spread, own.reshape(-1, Z.shape[1])


def point_numbers(n: int, devices: int = 1, block: int = BLOCK) -> jax.Array:
    """Number the points in blocks, as many for each device.

    Args:
        n: How many points.
        devices: How many devices share them.
        block: Points in a block.

    Returns:
        At least n numbers, shape (blocks, block).

    >>> point_numbers(5, devices=2, block=2).tolist()
    [[0, 1], [2, 3], [4, 5], [6, 7]]
    """
    block = min(block, -(-n // devices))
    blocks = devices * -(-n // (devices * block))
    return jnp.arange(blocks * block).reshape(blocks, block)


def blocked(
    Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
) -> tuple[jax.Array, jax.Array]:
    """Give the objective and its gradient in bounded memory.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data with its mean at 0, for float32 to be exact; shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The objective, shape (), and its gradient with respect to Z, shape (N, L).

    >>> from _ukr.model import autodiff
    >>> Z, X = jnp.array([[0.0], [0.5], [0.7]]), jnp.array([[-1.0], [1.0], [0.0]])
    >>> same = jax.tree.map(jnp.allclose, blocked(Z, X, 1.0), autodiff(Z, X, 1.0))
    >>> jax.tree.map(bool, same)
    (True, True)
    """
    numbers = point_numbers(len(Z))
    squared, spread, own = share(numbers, Z, X, bandwidth, leave_one_out)
    slope = finish(spread, own[: len(Z)], X, Z)
    return squared / len(X), 2 / (len(X) * bandwidth**2) * slope


@functools.cache  # the same function each time, so that jit need not compile it again
def sharded(mesh: Mesh) -> Form:
    """Make the form whose points are shared by the devices of a mesh.

    Every device holds all of Z and X, which are small, and makes its own rows of the kernel.

    Args:
        mesh: Devices, of this process or of several.

    Returns:
        A form like ``blocked``.

    >>> from _ukr.model import autodiff
    >>> Z, X = jnp.array([[0.0], [0.5], [0.7]]), jnp.array([[-1.0], [1.0], [0.0]])
    >>> form = sharded(jax.make_mesh((1,), ("points",)))
    >>> same = jax.tree.map(jnp.allclose, form(Z, X, 1.0), autodiff(Z, X, 1.0))
    >>> jax.tree.map(bool, same)
    (True, True)
    """
    axes = mesh.axis_names

    def form(
        Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
    ) -> tuple[jax.Array, jax.Array]:
        def one_device(Z: jax.Array, X: jax.Array, bandwidth: jax.Array) -> tuple[jax.Array, ...]:
            numbers = point_numbers(len(Z), mesh.size)
            device = jax.lax.axis_index(axes)
            mine = numbers.reshape(mesh.size, -1, numbers.shape[1])[device]
            # The scan starts with zeros like these, and what it adds up differs between devices.
            Z, X = lax.pcast((Z, X), axes, to="varying")
            squared, spread, own = share(mine, Z, X, bandwidth, leave_one_out)
            return *lax.psum((squared, spread), axes), own

        whole, pieces = spec(), spec(axes)
        together = jax.shard_map(
            one_device, mesh=mesh, in_specs=whole, out_specs=(whole, whole, pieces)
        )
        squared, spread, own = together(Z, X, jnp.asarray(bandwidth, Z.dtype))
        own = jax.reshard(own, NamedSharding(mesh, whole))  # type: ignore[no-untyped-call]
        slope = finish(spread, own[: len(Z)], X, Z)
        return squared / len(X), 2 / (len(X) * bandwidth**2) * slope

    return form
