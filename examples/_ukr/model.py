"""UKR by its definition; every faster form has to give the same numbers.

Source: Meinicke et al. (2005), see `_ukr`.
"""

import jax
import jax.numpy as jnp


def squared_distances(here: jax.Array, there: jax.Array) -> jax.Array:
    """Give the squared distance of each pair of points.

    There is no square root, whose derivative at zero would make the gradient NaN, and no
    |a|² + |b|² - 2 a·b, which in float32 loses the distances of close points.

    Args:
        here: Points, shape (n, L).
        there: Points, shape (m, L).

    Returns:
        Squared distances, shape (n, m).

    >>> squared_distances(jnp.array([[0.0]]), jnp.array([[3.0], [-1.0]])).tolist()
    [[9.0, 1.0]]
    """
    columns = zip(here.T, there.T, strict=True)
    return sum(((a[:, None] - b) ** 2 for a, b in columns), jnp.zeros((), here.dtype))


def kernel(Z: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False) -> jax.Array:
    """Weigh every point as seen from every other one.

    Args:
        Z: Latent positions, shape (N, L).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        exp(-|z_i - z_j|² / 2 σ²), shape (N, N). With leave_one_out each row is divided by its
        largest entry, which ``smooth`` takes back: so no row becomes zero.

    >>> kernel(jnp.array([[0.0], [2.0]]), 1.0).round(3)
    Array([[1.   , 0.135],
           [0.135, 1.   ]], dtype=float32)
    >>> kernel(jnp.array([[0.0], [100.0]]), 1.0, leave_one_out=True).tolist()
    [[0.0, 1.0], [1.0, 0.0]]
    """
    distances = squared_distances(Z, Z)
    if leave_one_out:
        distances = jnp.where(jnp.eye(len(Z), dtype=bool), jnp.inf, distances)
        distances -= jax.lax.stop_gradient(distances.min(axis=1, keepdims=True))
    return jnp.exp(-distances / (2 * bandwidth**2))


def smooth(H: jax.Array, X: jax.Array) -> jax.Array:
    """Estimate each data point as the weighted mean of the data.

    Args:
        H: Weights, shape (n, N).
        X: Data, shape (N, D).

    Returns:
        Estimates, shape (n, D).

    >>> smooth(jnp.array([[1.0, 3.0]]), jnp.array([[0.0], [4.0]])).tolist()
    [[3.0]]
    """
    return H @ X / H.sum(axis=1, keepdims=True)


def surface(
    places: jax.Array, Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array
) -> jax.Array:
    """Estimate the data at any latent places.

    Args:
        places: Latent places, shape (n, L).
        Z: Latent positions of the data, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.

    Returns:
        Points of the surface that UKR found, shape (n, D). Far from all positions, where every
        exponential would be zero in floating point, they are those of the nearest position.

    >>> surface(jnp.zeros((1, 1)), jnp.array([[-1.0], [1.0]]), jnp.array([[0.0], [4.0]]), 1.0)
    Array([[2.]], dtype=float32)
    >>> surface(jnp.full((1, 1), 99.0), jnp.array([[-1.0], [1.0]]), jnp.array([[0.0], [4.0]]), 1.0)
    Array([[4.]], dtype=float32)
    """
    squares = ((places[:, None] - Z) ** 2).sum(axis=2)
    weights = jax.nn.softmax(-squares / (2 * bandwidth**2))
    return weights @ X


def objective(
    Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
) -> jax.Array:
    """Give the mean squared error of the estimates.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The mean over the points of |y_i - x_i|², shape (), in the square of X's unit.

    If all points lie in one place, each estimate is the mean of the data:

    >>> float(objective(jnp.zeros((2, 1)), jnp.array([[0.0], [4.0]]), 1.0))
    4.0
    """
    error = smooth(kernel(Z, bandwidth, leave_one_out), X) - X
    return (error**2).sum() / len(X)


def autodiff(
    Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
) -> tuple[jax.Array, jax.Array]:
    """Let JAX differentiate the definition: the form to trust.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The objective, shape (), and its gradient with respect to Z, shape (N, L).

    At Z = 0 every point pulls as much as it is pulled:

    >>> float(abs(autodiff(jnp.zeros((2, 1)), jnp.array([[0.0], [4.0]]), 1.0)[1]).max())
    0.0
    """
    return jax.value_and_grad(objective)(Z, X, bandwidth, leave_one_out)
