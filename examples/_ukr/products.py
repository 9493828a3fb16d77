"""The same loss and gradient with two matrix products, for data with few columns.

Of the pairs of points only the kernel H, shape (N, N), is ever made. With h = H 1, e = Y - X and
c_i = e_i · y_i the gradient needs nothing but sums of the form Σ_j H_ij f_j over products f of the
columns of X and Z:

    ∂E/∂z_i = 2 / (N σ²) · [ s_i z_i - (c_i (HZ)_i - Σ_d e_id (H x_d Z)_i) / h_i - t_i ]
    s_i = Σ_j H_ji (c_j - e_j · x_i) / h_j
    t_i = Σ_j H_ji (c_j - e_j · x_i) / h_j z_j

One product *gathers* these sums for the points, the other *spreads* what each point found out.
Features are rows, because then both products read H along its rows.

Source: the gradient of Meinicke et al. (2005), regrouped for this guide.
"""

import jax
import jax.numpy as jnp
from _ukr.weights import kernel


def with_ones(X: jax.Array) -> jax.Array:
    """Give 1 and the columns of X, as rows.

    >>> with_ones(jnp.array([[7.0]])).tolist()
    [[1.0], [7.0]]
    """
    return jnp.concatenate([jnp.ones((1, len(X)), X.dtype), X.T])


def outer(columns: jax.Array, Z: jax.Array) -> jax.Array:
    """Multiply every column with 1 and with every column of Z.

    Args:
        columns: Shape (C, N).
        Z: Latent positions, shape (N, L).

    Returns:
        The products, shape (C · (1 + L), N).

    >>> outer(jnp.array([[1.0], [5.0]]), jnp.array([[10.0]]))[:, 0].tolist()
    [1.0, 10.0, 5.0, 50.0]
    """
    return (columns[:, None] * with_ones(Z)).reshape(-1, len(Z))


def gather(gathered: jax.Array, X: jax.Array) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Use what points gathered with the kernel.

    Args:
        gathered: Σ_j H_ij of 1, X, Z and their products, shape ((1 + D) · (1 + L), n).
        X: The data of these points, shape (n, D).

    Returns:
        Their squared errors, shape (n,); [-c, e] / h, shape (1 + D, n), which they spread; and
        the part of the gradient that they know already, shape (n, L).
    """
    gathered = gathered.reshape(1 + X.shape[1], -1, len(X))
    total = gathered[0, 0]
    estimate = gathered[1:, 0] / total
    error = estimate - X.T
    known = jnp.concatenate([-(error * estimate).sum(axis=0)[None], error]) / total
    # The first row is -c: then the sums below are those of e · x_j - c. They are added one by one,
    # since JAX 0.10.2 reduces this axis wrongly on a CPU for more than 16,384 points (jax#39103).
    own = sum(row * sums for row, sums in zip(known, gathered[:, 1:], strict=True)).T
    return (error**2).sum(axis=0), known, own


def finish(spread: jax.Array, own: jax.Array, X: jax.Array, Z: jax.Array) -> jax.Array:
    """Join what the points know themselves and what was spread to them.

    Args:
        spread: Σ_i H_ij of [-c, e] / h and its products with Z, shape
            ((1 + D) · (1 + L), N).
        own: From ``gather``, shape (N, L).
        X: Data, shape (N, D).
        Z: Latent positions, shape (N, L).

    Returns:
        The gradient times N σ² / 2, shape (N, L).
    """
    spread = spread.reshape(1 + X.shape[1], -1, len(Z))
    pull = spread[0] + (spread[1:] * X.T[:, None]).sum(axis=0)
    return own + pull[1:].T - pull[0][:, None] * Z


def products(
    Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
) -> tuple[jax.Array, jax.Array]:
    """Give the objective and its gradient with two products.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data with its mean at 0, for float32 to be exact; shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The objective, shape (), and its gradient with respect to Z, shape (N, L).

    >>> from _ukr.model import autodiff
    >>> Z, X = jnp.array([[0.0], [0.5], [0.7]]), jnp.array([[-1.0], [1.0], [0.0]])
    >>> same = jax.tree.map(jnp.allclose, products(Z, X, 1.0), autodiff(Z, X, 1.0))
    >>> jax.tree.map(bool, same)
    (True, True)
    """
    H = kernel(Z, bandwidth, leave_one_out)
    # Without leave-one-out H is symmetric.
    gathered = outer(with_ones(X), Z) @ (H.T if leave_one_out else H)
    squared, known, own = gather(gathered, X)
    slope = finish(outer(known, Z) @ H, own, X, Z)
    return squared.sum() / len(X), 2 / (len(X) * bandwidth**2) * slope
