"""The same loss and gradient with few operations for a pair, for data with few columns.

A_ij is -H_ij Σ_k u_ki v_kj / σ², with the rows u of [-c, e] / h and the rows v of [1, x]. For few
columns XLA makes this sum and its product with H in one loop over the pairs, and two thin products
remain: about half the operations of `_ukr.products`.

Source: the gradient of Meinicke et al. (2005), regrouped for this guide.
"""

import jax
from _ukr.products import gather, with_ones
from _ukr.weights import kernel


def fused(
    Z: jax.Array, X: jax.Array, bandwidth: float | jax.Array, leave_one_out: bool = False
) -> tuple[jax.Array, jax.Array]:
    """Give the objective and its gradient with one loop over the pairs.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data with its mean at 0, for float32 to be exact; shape (N, D).
        bandwidth: The kernel's standard deviation, in the unit of Z.
        leave_one_out: Whether a point has no weight for itself.

    Returns:
        The objective, shape (), and its gradient with respect to Z, shape (N, L).

    >>> import jax.numpy as jnp
    >>> from _ukr.model import autodiff
    >>> Z, X = jnp.array([[0.0], [0.5], [0.7]]), jnp.array([[-1.0], [1.0], [0.0]])
    >>> same = jax.tree.map(jnp.allclose, fused(Z, X, 1.0), autodiff(Z, X, 1.0))
    >>> jax.tree.map(bool, same)
    (True, True)
    """
    H, ones = kernel(Z, bandwidth, leave_one_out), with_ones(X)
    squared, known, _ = gather(ones @ (H.T if leave_one_out else H), X)
    # Else XLA would join the rows anew for each pair.
    known, ones = jax.lax.optimization_barrier((known, ones))  # type: ignore[no-untyped-call]
    pull = H * sum(a[:, None] * b for a, b in zip(known, ones, strict=True))
    # A row of pulls sums to 0 up to rounding. With its sum taken off, that rounding counts by the
    # distances between points, not by their positions.
    spread = with_ones(Z) @ pull + with_ones(Z) @ pull.T
    slope = spread[1:].T - spread[0][:, None] * Z
    return squared.sum() / len(X), 2 / (len(X) * bandwidth**2) * slope
