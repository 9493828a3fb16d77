"""What `fit` refuses, and what it warns of: one line that says what to do."""

import math
import operator

import jax
import jax.numpy as jnp
import numpy as np
from jax.typing import ArrayLike


def checked_arrays(X: ArrayLike, Z0: ArrayLike) -> tuple[jax.Array, jax.Array]:
    """Bring data and start into one floating-point dtype, and refuse what cannot be fitted.

    Args:
        X: Data, shape (N, D).
        Z0: Latent positions at the start, shape (N, L).

    Returns:
        Both as float64 if one of them is and ``jax_enable_x64`` is set, else as float32.

    Raises:
        ValueError: If a shape does not fit, or if a number is missing or infinite.

    >>> checked_arrays([[1, 2]], [[0.5]])
    Traceback (most recent call last):
    ValueError: X: give at least two points, not 1
    """
    arrays = {"X": np.asarray(X), "Z0": np.asarray(Z0)}
    for name, array in arrays.items():
        if array.dtype.kind not in "biuf" and not jnp.issubdtype(array.dtype, jnp.floating):
            raise ValueError(f"{name}: give real numbers, not {array.dtype}")
        if array.ndim != 2 or 0 in array.shape[1:]:
            raise ValueError(f"{name}: give two axes, points and columns, not shape {array.shape}")
    rows = {name: len(array) for name, array in arrays.items()}
    if rows["X"] < 2:
        raise ValueError(f"X: give at least two points, not {rows['X']}")
    if rows["X"] != rows["Z0"]:
        raise ValueError(f"Z0: give a row for each of the {rows['X']} points, not {rows['Z0']}")
    for name, array in arrays.items():
        if not np.isfinite(array).all():
            raise ValueError(f"{name}: replace or drop what is NaN or infinite")
    dtype = jnp.result_type(jnp.float32, *arrays.values())
    data, start = (jnp.asarray(array, dtype) for array in arrays.values())
    return data, start


def check_numbers(
    dtype: np.dtype, epochs: int, bandwidth: float, learning_rate: float, regularization: float
) -> None:
    """Refuse settings without meaning.

    Args:
        dtype: Of the computation.
        epochs: How many steps.
        bandwidth: The kernel's standard deviation.
        learning_rate: Factor of the gradient.
        regularization: Factor of the penalty.

    Raises:
        ValueError: If one of them is out of range.
        TypeError: If epochs is not a whole number.

    >>> check_numbers(np.dtype("float32"), 10, -1.0, 0.1, 0.0)
    Traceback (most recent call last):
    ValueError: bandwidth: give a finite number above 0, not -1.0
    """
    if operator.index(epochs) < 0:
        raise ValueError(f"epochs: give 0 or more, not {epochs}")
    for name, value in {"bandwidth": bandwidth, "learning_rate": learning_rate}.items():
        if not 0 < value < math.inf:
            raise ValueError(f"{name}: give a finite number above 0, not {value}")
    if not 0 <= regularization < math.inf:
        raise ValueError(f"regularization: give a finite number from 0, not {regularization}")
    if bandwidth**2 < np.finfo(dtype).tiny or bandwidth**2 > np.finfo(dtype).max:
        raise ValueError(f"bandwidth: {bandwidth} is out of range for {dtype}; rescale Z0")


def trouble(losses: np.ndarray, start: ArrayLike, end: ArrayLike, bandwidth: float) -> str:
    """Say what is wrong with a descent, and what to do.

    Args:
        losses: The loss before each step, shape (epochs,).
        start: Latent positions before the first step, shape (N, L).
        end: Those after the last one.
        bandwidth: The kernel's standard deviation.

    Returns:
        One line, or nothing if the descent did what it is for.

    >>> trouble(np.array([1.0, 2.0, 1.0]), np.eye(2), np.eye(2), 0.2)
    'the loss rose in 1 of 3 epochs: give a smaller learning_rate'
    """
    rose = int((np.diff(losses) > 1e-5 * np.abs(losses[:-1])).sum())
    if not np.isfinite(losses).all():
        epoch = int(np.argmin(np.isfinite(losses)))
        return f"the loss is not finite from epoch {epoch} on: give a smaller learning_rate"
    if rose:
        return f"the loss rose in {rose} of {len(losses)} epochs: give a smaller learning_rate"
    if not spread(start):
        return "Z0 is all in one place, where no point moves: add small random numbers"
    if spread(end) < 0.01 * min(bandwidth, spread(start)):
        return (
            "all latent positions are in one place: give a smaller regularization; "
            "for twice the points, take half"
        )
    return ""


def spread(Z: ArrayLike) -> float:
    """Give the largest extent of latent positions.

    >>> spread([[0.0, 1.0], [0.0, 3.0]])
    2.0
    """
    return float(np.ptp(np.asarray(Z), axis=0).max())
