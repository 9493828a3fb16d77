"""The same loss and gradient with a second N × N matrix, for data with many columns.

A_ij = r_ij e_i · (y_i - x_j) / σ² says how strongly point j pulls point i; then
∂E/∂z_i = 2 / N · Σ_j (A_ij + A_ji) (z_i - z_j). From about ten columns of X on, this needs fewer
operations than the products of the columns of X with those of Z.

Source: the gradient of Meinicke et al. (2005).
"""

import jax
from _ukr.weights import kernel


def pulls(H: jax.Array, X: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Tell how strongly each point pulls each other one.

    Args:
        H: Weights, shape (N, N).
        X: Data, shape (N, D).

    Returns:
        The sum of the squared errors, shape (), and A σ², shape (N, N); its rows sum to 0.

    >>> import jax.numpy as jnp
    >>> pulls(jnp.ones((2, 2)), jnp.array([[0.0], [4.0]]))[1].tolist()
    [[2.0, -2.0], [-2.0, 2.0]]
    """
    R = H / H.sum(axis=1, keepdims=True)
    estimate = R @ X
    error = estimate - X
    return (error**2).sum(), R * ((error * estimate).sum(axis=1, keepdims=True) - error @ X.T)


def dense(
    Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
) -> tuple[jax.Array, jax.Array]:
    """Give the objective and its gradient with the matrix of pulls.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The objective, shape (), and its gradient with respect to Z, shape (N, L).

    >>> import jax.numpy as jnp
    >>> from _ukr.model import autodiff
    >>> Z, X = jnp.array([[0.0], [0.5], [0.7]]), jnp.array([[-1.0], [1.0], [0.0]])
    >>> same = jax.tree.map(jnp.allclose, dense(Z, X, 1.0), autodiff(Z, X, 1.0))
    >>> jax.tree.map(bool, same)
    (True, True)
    """
    squared, A = pulls(kernel(Z, bandwidth, leave_one_out), X)
    slope = A.sum(axis=0)[:, None] * Z - A @ Z - A.T @ Z
    return squared / len(X), 2 / (len(X) * bandwidth**2) * slope
