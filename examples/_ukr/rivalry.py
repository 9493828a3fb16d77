"""The same descent in all the ways that are compared, by name."""

import functools
import importlib.util
from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _ukr import rivals
from _ukr.descent import fori_loop, make_step, penalized, python_loop, scan
from _ukr.model import autodiff

NUMPY_FORMS = {
    "numpy-original": rivals.original,
    "numpy": rivals.good,
    "torch": rivals.torch_broadcast,
    "torch-matrix": rivals.torch_matrix,
    "torch-hand": rivals.torch_hand,
    "torch-columns": rivals.torch_eager,
}
# The definition, differentiated by JAX.
LOOPS = ("loop", "step", "fori", "scan")
RIVALS = (*NUMPY_FORMS, *LOOPS)

Pair = tuple[np.ndarray, np.ndarray]


def missing(method: str) -> str:
    """Say what has to be installed for a method, if anything.

    >>> missing("numpy")
    ''
    """
    return "torch" if "torch" in method and not importlib.util.find_spec("torch") else ""


def descend(
    method: str,
    X: np.ndarray,
    Z: np.ndarray,
    *,
    epochs: int,
    bandwidth: float,
    learning_rate: float,
    regularization: float = 0.0,
    compact: bool = True,
) -> Pair:
    """Run one of the ways that ``fit`` is compared with.

    Args:
        method: One of RIVALS.
        X: Data, shape (N, D); its dtype is that of the computation.
        Z: Latent positions at the start, shape (N, L).
        epochs: How many steps.
        bandwidth: The kernel's standard deviation.
        learning_rate: Factor of the gradient.
        regularization: Factor of Σ|z|².
        compact: Whether the points stay in [-1, 1]; if not, their mean is moved to 0.

    Returns:
        Z after each step, shape (epochs, N, L), and the loss before it, shape (epochs,).

    Raises:
        ModuleNotFoundError: If the method needs PyTorch and there is none.

    >>> X, Z = np.array([[0.0], [4.0]]), np.array([[-0.5], [0.5]])
    >>> numbers = {"epochs": 3, "bandwidth": 1.0, "learning_rate": 0.1}
    >>> ends = [descend(method, X, Z, **numbers)[0][-1] for method in ("numpy", "scan")]
    >>> bool(np.allclose(*ends, rtol=1e-5))
    True
    """
    numbers = (bandwidth, learning_rate, regularization)
    if method in NUMPY_FORMS:
        form = NUMPY_FORMS[method]
        rest = {"epochs": epochs, "regularization": regularization, "compact": compact}
        settings: dict[str, Any] = {"bandwidth": bandwidth, "learning_rate": learning_rate, **rest}
        return rivals.descend(form, X, Z, **settings)
    run = prepared(method, epochs, compact)
    history, losses = run(jnp.asarray(X), jnp.asarray(Z), *numbers)
    return np.asarray(history), np.asarray(losses)


@functools.cache
def prepared(method: str, epochs: int, compact: bool) -> Callable[..., tuple[jax.Array, jax.Array]]:
    """Make a loop over the definition; what it compiles is compiled once.

    Args:
        method: One of LOOPS.
        epochs: How many steps.
        compact: Whether the points stay in [-1, 1].

    Returns:
        A function of X, Z, bandwidth, learning rate and regularization that returns the history
        and the losses.
    """

    def one_step(Z: jax.Array, X: jax.Array, *numbers: float) -> tuple[jax.Array, jax.Array]:
        bandwidth, learning_rate, regularization = numbers
        gradient = penalized(lambda Z: autodiff(Z, X, bandwidth), regularization)
        return make_step(gradient, learning_rate, compact)(Z)

    in_python = one_step if method == "loop" else jax.jit(one_step)
    repeat = {"fori": fori_loop, "scan": scan}.get(method)

    def run(X: jax.Array, Z: jax.Array, *numbers: float) -> tuple[jax.Array, jax.Array]:
        if repeat is None:
            return python_loop(lambda Z: in_python(Z, X, *numbers), Z, epochs)
        return repeat(lambda Z: one_step(Z, X, *numbers), Z, epochs)

    return run if repeat is None else jax.jit(run)
