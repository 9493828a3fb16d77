"""The same loss and gradient in O(N), for a latent space that is bounded.

On a bounded interval the Gaussian is, to any accuracy, a short cosine series, and
cos(ω (a - b)) = cos ωa cos ωb + sin ωa sin ωb splits it into one factor for each point. So the
kernel is H = Φᵀ Φ with Φ of shape (terms, N), and both products become sums over the points,
computed a few points at a time. In two dimensions a term is a product of one factor of each axis,
so Φ itself is never stored.

Source: the Fourier series of a periodic Gaussian; Rahimi and Recht (2007), Random features for
large-scale kernel machines, draw the frequencies at random instead.
"""

import functools
import math
from typing import Any

import jax
import jax.numpy as jnp
from _ukr.descent import Form
from _ukr.products import finish, gather, outer, with_ones


def harmonics(bandwidth: float, tolerance: float) -> tuple[float, int]:
    """Choose a period and a number of cosines for positions in [-1, 1].

    Args:
        bandwidth: The kernel's standard deviation.
        tolerance: The largest error, relative to the kernel's peak.

    Returns:
        The period, so long that the next copy of the Gaussian is below the tolerance, and the
        number of multiples of its base frequency.

    >>> period, count = harmonics(0.2, 1e-7)
    >>> round(period, 2), count
    (3.14, 15)
    """
    reach = math.sqrt(2 * math.log(1 / tolerance))  # in bandwidths
    period = 2 + bandwidth * reach
    return period, math.ceil(period * reach / (2 * math.pi * bandwidth))


def axis_features(
    z: jax.Array, bandwidth: float | jax.Array, period: float | jax.Array, count: int
) -> jax.Array:
    """Split the Gaussian of one latent coordinate into one factor for each point.

    Args:
        z: Positions in [-1, 1], shape (n,).
        bandwidth: The kernel's standard deviation.
        period: From ``harmonics``.
        count: From ``harmonics``.

    Returns:
        Shape (1 + 2 count, n); the product of two columns is the kernel of their points.

    >>> columns = axis_features(jnp.array([0.5, -0.5]), 0.5, *harmonics(0.5, 1e-7))
    >>> round(float(columns[:, 0] @ columns[:, 1]), 4), round(math.exp(-2), 4)
    (0.1353, 0.1353)
    """
    frequency = 2 * jnp.pi / period * jnp.arange(count + 1, dtype=z.dtype)[:, None]
    weight = jnp.exp(-((bandwidth * frequency) ** 2) / 2) * bandwidth * math.sqrt(2 * math.pi)
    amplitude = jnp.sqrt(weight / period * jnp.where(frequency == 0, 1, 2))
    cosines, sines = jnp.cos(frequency * z), jnp.sin(frequency * z)[1:]
    return jnp.concatenate([cosines * amplitude, sines * amplitude[1:]])


def collect(features: jax.Array, axes: list[jax.Array]) -> jax.Array:
    """Sum features over points, once for each product of one factor of every axis.

    Args:
        features: Shape (F, n).
        axes: ``axis_features`` of each latent coordinate, shape (T, n).

    Returns:
        Sums, shape (F · T^(L - 1), T).

    >>> collect(jnp.array([[1.0, 2.0]]), [jnp.array([[1.0, 10.0]])]).tolist()
    [[21.0]]
    """
    for axis in axes[:-1]:
        features = (features[:, None] * axis).reshape(-1, axis.shape[1])
    return features @ axes[-1].T


def evaluate(sums: jax.Array, axes: list[jax.Array]) -> jax.Array:
    """Evaluate the sums of ``collect`` at points.

    Args:
        sums: From ``collect``, shape (F · T^(L - 1), T).
        axes: ``axis_features`` of each latent coordinate, shape (T, n).

    Returns:
        Features times the kernel, shape (F, n).

    >>> evaluate(jnp.array([[21.0]]), [jnp.array([[1.0, 10.0]])]).tolist()
    [[21.0, 210.0]]
    """
    values = sums @ axes[-1]
    for axis in reversed(axes[:-1]):
        values = (values.reshape(-1, *axis.shape) * axis).sum(axis=1)
    return values


def cut(columns: jax.Array, size: int = 4096) -> jax.Array:
    """Divide the points into blocks.

    Args:
        columns: One column for each point, shape (C, n).
        size: Points in a block.

    Returns:
        Shape (blocks, C, size); the last block is padded with zeros.

    >>> cut(jnp.array([[1.0, 2.0, 3.0]]), size=2).tolist()
    [[[1.0, 2.0]], [[3.0, 0.0]]]
    """
    blocks = -(-columns.shape[1] // size)
    padded = jnp.pad(columns, ((0, 0), (0, blocks * size - columns.shape[1])))
    return padded.reshape(len(columns), blocks, size).swapaxes(0, 1)


def times_kernel(features: jax.Array, axes: list[jax.Array]) -> jax.Array:
    """Multiply features with the kernel: ``collect``, then ``evaluate``, block by block.

    Args:
        features: Shape (F, n).
        axes: ``axis_features`` of each latent coordinate, cut: shape (blocks, T, size).

    Returns:
        Features times the kernel, shape (F, n).

    >>> times_kernel(jnp.array([[1.0, 2.0]]), [cut(jnp.array([[1.0, 10.0]]))]).tolist()
    [[21.0, 210.0]]
    """

    def add(sums: jax.Array, block: tuple[jax.Array, list[jax.Array]]) -> tuple[jax.Array, Any]:
        return sums + collect(*block), None

    terms = axes[0].shape[1]
    zeros = jnp.zeros((len(features) * terms ** (len(axes) - 1), terms), features.dtype)
    sums, _ = jax.lax.scan(add, zeros, (cut(features), axes))
    values = jax.lax.map(lambda block: evaluate(sums, block), axes)
    joined = values.swapaxes(0, 1).reshape(len(features), -1)
    return joined[:, : features.shape[1]]  # type: ignore[no-any-return]


def expanded(
    Z: jax.Array, X: jax.Array, bandwidth: float, tolerance: float = 1e-8
) -> tuple[jax.Array, jax.Array]:
    """Compute the objective and its gradient in time and memory that grow with N, not N².

    Args:
        Z: Latent positions in [-1, 1], shape (N, L).
        X: Data with its mean at 0, for float32 to be exact; shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z; a Python number, because
            it decides how many terms there are.
        tolerance: The largest error of the kernel, relative to its peak.

    Returns:
        The objective, shape (), and its gradient with respect to Z, shape (N, L).

    >>> from _ukr.model import autodiff
    >>> Z, X = jnp.array([[0.0], [0.5], [0.7]]), jnp.array([[-1.0], [1.0], [0.0]])
    >>> same = jax.tree.map(jnp.allclose, expanded(Z, X, 1.0), autodiff(Z, X, 1.0))
    >>> jax.tree.map(bool, same)
    (True, True)
    """
    axes = [cut(axis_features(z, bandwidth, *harmonics(bandwidth, tolerance))) for z in Z.T]
    gathered = times_kernel(outer(with_ones(X), Z), axes)
    squared, scaled, own = gather(gathered, X)
    slope = finish(times_kernel(outer(scaled, Z), axes), own, X, Z)
    return squared.sum() / len(X), 2 / (len(X) * bandwidth**2) * slope


@functools.cache  # the same function each time, so that jit need not compile it again
def expansion(bandwidth: float, tolerance: float) -> Form:
    """Return a form of ``expanded`` for one bandwidth.

    Args:
        bandwidth: The kernel's standard deviation.
        tolerance: The largest error of the kernel, relative to its peak.

    Returns:
        A form that ignores the bandwidth it is called with; ``leave_one_out`` has to be false.
    """

    def form(
        Z: jax.Array, X: jax.Array, _: float | jax.Array, leave_one_out: bool = False
    ) -> tuple[jax.Array, jax.Array]:
        return expanded(Z, X, bandwidth, tolerance)

    return form
