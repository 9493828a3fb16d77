"""The same loss and gradient in one pass over blocks of rows, for data with few columns.

The error of a point needs only its own row of the kernel H. So a block of rows is computed, used
for the sums of both passes, and dropped before it leaves the cache. With the rows v of [1, x] and
the rows u of [-c, e] / h, where h = H 1, e = Y - X and c_i = e_i · y_i, the error of point i acts
on a pair with

    P_ij = H_ij Σ_k u_ki v_kj,   ∂E/∂z_i = -2 / (N σ²) · Σ_j (P_ij + P_ji) (z_i - z_j) .

Sums along the rows of P belong to the points of the block, sums along its columns to all points.

Source: the gradient of Meinicke et al. (2005), regrouped for this guide.
"""

import math

import jax
import jax.numpy as jnp
from _ukr.model import squared_distances
from _ukr.products import with_ones
from _ukr.weights import decay

BLOCK = 128  # rows: with 1000 points, a block in float32 takes 0.5 MB

# Without these options, XLA adds the entries of a row one after the other, in their order: then the
# form below is slow on a CPU. What "honor" protects stays exact.
HONOR = ("nans", "infs", "division", "functions")
CPU_OPTIONS: dict[str, bool | int] = {
    "xla_cpu_prefer_vector_width": 512,
    "xla_cpu_enable_fast_math": True,
    **{f"xla_cpu_fast_math_honor_{what}": True for what in HONOR},
}


def sums(H: jax.Array, rows: jax.Array) -> jax.Array:
    """Compute ``rows @ H.T`` in one loop over the entries of H, which need not be stored.

    Args:
        H: Shape (n, m).
        rows: Shape (k, m), the first one of ones.

    Returns:
        The sums, shape (k, n).

    >>> sums(jnp.array([[1.0, 2.0]]), jnp.array([[1.0, 1.0], [3.0, 4.0]])).tolist()
    [[3.0], [11.0]]
    """

    def add(totals: tuple[jax.Array, ...], values: tuple[jax.Array, ...]) -> tuple[jax.Array, ...]:
        return tuple(a + b for a, b in zip(totals, values, strict=True))

    terms = (H, *(H * row for row in rows[1:]))
    zeros = tuple(jnp.zeros((), H.dtype) for _ in terms)
    return jnp.stack(jax.lax.reduce(terms, zeros, add, (1,)))


def errors(gathered: jax.Array, data: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Turn the sums over the rows of H into errors.

    Args:
        gathered: Σ_j H_ij of 1 and of the columns of X, shape (1 + D, n).
        data: The columns of X for these points, shape (D, n).

    Returns:
        The squared errors, shape (n,), and [-c, e] / h, shape (1 + D, n).

    >>> squared, u = errors(jnp.array([[2.0], [6.0]]), jnp.array([[1.0]]))
    >>> squared.tolist(), u.tolist()
    ([4.0], [[-3.0], [1.0]])
    """
    estimate = gathered[1:] / gathered[0]
    error = estimate - data
    u = jnp.concatenate([-(error * estimate).sum(axis=0)[None], error]) / gathered[0]
    return (error**2).sum(axis=0), u


def fused(
    Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
) -> tuple[jax.Array, jax.Array]:
    """Return the objective and its gradient, with one kernel value for each pair.

    On a CPU, compile with ``compiler_options=CPU_OPTIONS``.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data with its mean at 0, for float32 to be exact; shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The objective, shape (), and its gradient with respect to Z, shape (N, L).

    >>> from _ukr.model import autodiff
    >>> Z, X = jnp.array([[0.0], [0.5], [0.7]]), jnp.array([[-1.0], [1.0], [0.0]])
    >>> same = jax.tree.map(jnp.allclose, fused(Z, X, 1.0), autodiff(Z, X, 1.0))
    >>> jax.tree.map(bool, same)
    (True, True)
    """
    n, blocks = len(Z), -(-len(Z) // BLOCK)
    size = 16 * -(-n // (16 * blocks))  # rows of a block
    width = blocks * size
    v = with_ones(jnp.pad(X, ((0, width - n), (0, 0))))
    w = jnp.pad(with_ones(Z), ((0, 0), (0, width - n)))  # padding spreads nothing
    z = Z.T / (bandwidth * math.sqrt(2 * math.log(2)))
    far = jnp.full((len(z), width - n), abs(z).max() + 16)  # padding, too far to have a weight
    z = jnp.concatenate([z, far], axis=1)

    def block(spread: jax.Array, start: jax.Array) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
        here, data, ones = (jax.lax.dynamic_slice_in_dim(a, start, size, 1) for a in (z, v, w))
        distances = squared_distances(here.T, z.T)
        if leave_one_out:
            columns, own = jnp.arange(width), start + jnp.arange(size)[:, None]
            distances = jnp.where((columns == own) | (columns >= n), jnp.inf, distances)
            distances -= distances.min(axis=1, keepdims=True)
        H = decay(distances)
        squared, u = errors(sums(H, v), data[1:])
        P = H * (u[0][:, None] + sum(a[:, None] * b for a, b in zip(u[1:], v[1:], strict=True)))
        return spread + ones @ P, (squared, sums(P, w))

    starts = jnp.arange(0, width, size)
    spread, (squared, own) = jax.lax.scan(block, jnp.zeros_like(w), starts)
    moments = (spread + own.swapaxes(0, 1).reshape(spread.shape))[:, :n]
    slope = moments[1:].T - moments[0][:, None] * Z
    return squared.reshape(-1)[:n].sum() / n, 2 / (n * bandwidth**2) * slope
