"""The same descent without JAX, to compare with: NumPy as first written, good NumPy, PyTorch.

Each form takes (Z, X, bandwidth) and returns the loss and its gradient, as the forms in JAX do.
PyTorch is optional: without it only its two forms cannot be called.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

Array = np.ndarray
Pair = tuple[Any, Array]


def original(Z: Array, X: Array, bandwidth: float) -> Pair:
    """Compute in NumPy as the formula reads, with arrays over all pairs and all dimensions.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.

    Returns:
        The objective, and its gradient, shape (N, L).

    >>> original(np.zeros((2, 1)), np.array([[0.0], [4.0]]), 1.0)[0]
    4.0
    """
    Z_difference = Z[:, None] - Z[None]
    H = np.exp(-(Z_difference**2).sum(axis=2) / (2 * bandwidth**2))
    R = H / H.sum(axis=1, keepdims=True)
    Y = R @ X
    Y_difference = Y[:, None] - X[None]
    A = R * ((Y - X)[:, None] * Y_difference).sum(axis=2) / bandwidth**2
    slope = 2 / len(X) * ((A + A.T)[:, :, None] * Z_difference).sum(axis=1)
    return float(((Y - X) ** 2).sum() / len(X)), slope


def good(Z: Array, X: Array, bandwidth: float) -> Pair:
    """Compute in NumPy with matrix products, in place wherever that is possible.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.

    Returns:
        The objective, and its gradient, shape (N, L).

    >>> good(np.zeros((2, 1)), np.array([[0.0], [4.0]]), 1.0)[0]
    4.0
    """
    half = (Z**2).sum(axis=1) / 2
    R = Z @ Z.T
    R -= half
    R -= half[:, None]
    R /= bandwidth**2
    np.exp(R, out=R)
    R /= R.sum(axis=1, keepdims=True)
    Y = R @ X
    error = Y - X
    A = error @ X.T
    np.subtract((error * Y).sum(axis=1, keepdims=True), A, out=A)
    A *= R
    slope = A.sum(axis=0)[:, None] * Z - A @ Z - A.T @ Z
    return float((error**2).sum() / len(X)), 2 / (len(X) * bandwidth**2) * slope


def torch_objective(Z: Any, X: Any, bandwidth: float, matrix: bool = False) -> Any:
    """Compute the objective in PyTorch.

    Args:
        Z: Latent positions, a tensor of shape (N, L).
        X: Data, a tensor of shape (N, D).
        bandwidth: The kernel's standard deviation.
        matrix: Whether the distances come from a matrix product instead of differences.

    Returns:
        The objective, a tensor of shape ().
    """
    if matrix:
        square = (Z**2).sum(dim=1)
        distances = square[:, None] + square - 2 * Z @ Z.T
    else:
        distances = ((Z[:, None] - Z[None]) ** 2).sum(dim=2)
    H = (-distances / (2 * bandwidth**2)).exp()
    Y = H @ X / H.sum(dim=1, keepdim=True)
    return ((Y - X) ** 2).sum() / len(X)


def torch_broadcast(Z: Array, X: Array, bandwidth: float, matrix: bool = False) -> Pair:
    """Let PyTorch differentiate the definition.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.
        matrix: Whether the distances come from a matrix product instead of differences.

    Returns:
        The objective, and its gradient, shape (N, L).

    Raises:
        ModuleNotFoundError: If PyTorch is not installed.
    """
    import torch

    positions = torch.tensor(Z, requires_grad=True)
    value = torch_objective(positions, torch.from_numpy(X), bandwidth, matrix)
    value.backward()
    return value.item(), positions.grad.numpy()  # type: ignore[union-attr]


def torch_matrix(Z: Array, X: Array, bandwidth: float) -> Pair:
    """Let PyTorch differentiate the definition, with distances from a matrix product.

    Args:
        Z: Latent positions, shape (N, L).
        X: Data, shape (N, D).
        bandwidth: The kernel's standard deviation.

    Returns:
        The objective, and its gradient, shape (N, L).

    Raises:
        ModuleNotFoundError: If PyTorch is not installed.
    """
    return torch_broadcast(Z, X, bandwidth, matrix=True)


def descend(
    form: Callable[[Array, Array, float], Pair],
    X: Array,
    Z: Array,
    *,
    epochs: int,
    bandwidth: float,
    learning_rate: float,
    regularization: float = 0.0,
    compact: bool = True,
) -> tuple[Array, Array]:
    """Repeat a step of gradient descent in a Python loop.

    Args:
        form: One of the functions above.
        X: Data, shape (N, D).
        Z: Latent positions at the start, shape (N, L).
        epochs: How many steps.
        bandwidth: The kernel's standard deviation.
        learning_rate: Factor of the gradient.
        regularization: Factor of Σ|z|².
        compact: Whether the points stay in [-1, 1]; if not, their mean is moved to 0.

    Returns:
        Z after each step, shape (epochs, N, L), and the loss before it, shape (epochs,).

    >>> X, Z = np.array([[0.0], [4.0]]), np.array([[-0.5], [0.5]])
    >>> descend(good, X, Z, epochs=2, bandwidth=1.0, learning_rate=0.1)[0].shape
    (2, 2, 1)
    """
    history = np.empty((epochs, *Z.shape), Z.dtype)
    losses = np.empty(epochs, Z.dtype)
    for t in range(epochs):
        value, slope = form(Z, X, bandwidth)
        losses[t] = value + regularization * (Z**2).sum()
        Z = Z - learning_rate * (slope + 2 * regularization * Z)
        Z = Z.clip(-1, 1) if compact else Z - Z.mean(axis=0)
        history[t] = Z
    return history, losses
