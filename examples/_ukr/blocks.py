"""The two products with a few rows of the kernel at a time, on one device or on several.

The error of a point needs only its own row of the kernel. So one pass over blocks of rows computes
both products: memory for B × N numbers instead of N × N, and each row is computed once. Several
devices take different rows, and add their sums.

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


def scan_blocks(
    blocks: jax.Array,
    Z: jax.Array,
    X: jax.Array,
    bandwidth: float | jax.Array,
    leave_one_out: bool = False,
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Compute both products for some blocks of rows.

    Args:
        blocks: Indices of points, shape (blocks, B); those from N on are padding.
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The sum of the points' squared errors, shape (); what they spread, shape
        ((1 + D) · (1 + L), N); and their own parts of the gradient, shape (blocks · B, L).

    >>> Z, X = jnp.array([[0.0], [1.0]]), jnp.array([[-2.0], [2.0]])
    >>> squared, spread, own = scan_blocks(jnp.array([[0, 1, 2]]), Z, X, 100.0)
    >>> round(float(squared), 3), spread.shape, own.shape
    (8.0, (4, 2), (3, 1))
    """
    features = outer(with_ones(X), Z)

    def body(
        spread: jax.Array, indices: jax.Array
    ) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
        valid = indices < len(Z)
        rows = jnp.minimum(indices, len(Z) - 1)
        H = kernel(Z, bandwidth, leave_one_out, rows)
        squared, scaled, own = gather(features @ H.T, X[rows])
        spread += outer(scaled * valid, Z[rows]) @ H
        return spread, ((squared * valid).sum(), own)

    spread, (squared, own) = jax.lax.scan(body, jnp.zeros_like(features), blocks)
    return squared.sum(), spread, own.reshape(-1, Z.shape[1])


def block_indices(n: int, devices: int = 1, block: int = BLOCK) -> jax.Array:
    """Divide the indices of the points into blocks, equally many for each device.

    Args:
        n: The number of points.
        devices: The number of devices.
        block: The largest number of points in a block.

    Returns:
        The indices from 0 on, shape (blocks, block); those from n on are padding.

    >>> block_indices(5, devices=2, block=2).tolist()
    [[0, 1], [2, 3], [4, 5], [6, 7]]
    """
    block = min(block, -(-n // devices))
    blocks = devices * -(-n // (devices * block))
    return jnp.arange(blocks * block).reshape(blocks, block)


def blocked(
    Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
) -> tuple[jax.Array, jax.Array]:
    """Compute the objective and its gradient, with a few rows of the kernel at a time.

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
    squared, spread, own = scan_blocks(block_indices(len(Z)), Z, X, bandwidth, leave_one_out)
    slope = finish(spread, own[: len(Z)], X, Z)
    return squared / len(X), 2 / (len(X) * bandwidth**2) * slope


@functools.cache  # the same function each time, so that jit need not compile it again
def sharded(mesh: Mesh) -> Form:
    """Return the form that distributes the rows of the kernel over the devices of a mesh.

    Every device holds all of Z and X, which are small.

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
            # The carry of the scan starts with zeros like these, but then differs between devices.
            Z, X = lax.pcast((Z, X), axes, to="varying")
            blocks = block_indices(len(Z), mesh.size)
            blocks = blocks.reshape(mesh.size, -1, blocks.shape[1])[jax.lax.axis_index(axes)]
            squared, spread, own = scan_blocks(blocks, Z, X, bandwidth, leave_one_out)
            return *lax.psum((squared, spread), axes), own

        out_specs = (spec(), spec(), spec(axes))
        distributed = jax.shard_map(one_device, mesh=mesh, in_specs=spec(), out_specs=out_specs)
        squared, spread, own = distributed(Z, X, jnp.asarray(bandwidth, Z.dtype))
        own = jax.reshard(own, NamedSharding(mesh, spec()))  # type: ignore[no-untyped-call]
        slope = finish(spread, own[: len(Z)], X, Z)
        return squared / len(X), 2 / (len(X) * bandwidth**2) * slope

    return form
