"""Gradient descent on the latent positions: one step, and the loops that repeat it.

A *gradient* here is a function of Z that returns the loss, shape (), and its gradient, shape
(N, L): a form with everything but Z filled in.
"""

from collections.abc import Callable

import jax
import jax.numpy as jnp

Form = Callable[..., tuple[jax.Array, jax.Array]]  # of Z, X, bandwidth, leave_one_out
Gradient = Callable[[jax.Array], tuple[jax.Array, jax.Array]]
Step = Callable[[jax.Array], tuple[jax.Array, jax.Array]]


def penalized(gradient: Gradient, regularization: float | jax.Array) -> Gradient:
    """Add λ Σ|z|² to a loss.

    Args:
        gradient: A function of Z (N, L): the loss without penalty, shape (), and its gradient.
        regularization: λ, in the loss's unit per squared unit of Z.

    Returns:
        A function of Z (N, L): the loss with the penalty, shape (), and its gradient (N, L).

    >>> penalized(lambda Z: (0.0, jnp.zeros_like(Z)), 0.5)(jnp.array([[2.0]]))
    (Array(2., dtype=float32), Array([[2.]], dtype=float32))
    """

    def with_penalty(Z: jax.Array) -> tuple[jax.Array, jax.Array]:
        value, slope = gradient(Z)
        return value + regularization * (Z**2).sum(), slope + 2 * regularization * Z

    return with_penalty


def make_step(gradient: Gradient, learning_rate: float | jax.Array, compact: bool = True) -> Step:
    """Return one step of gradient descent.

    Args:
        gradient: A function of Z (N, L) that returns the loss, shape (), and its gradient (N, L).
        learning_rate: Factor of the gradient.
        compact: Whether the points stay in [-1, 1]; if not, their mean is moved to 0.

    Returns:
        A function of Z (N, L) that returns the new Z (N, L) and the loss before the step.

    >>> step = make_step(lambda Z: ((Z**2).sum(), 2 * Z), 0.25)
    >>> step(jnp.array([[1.0], [-8.0]]))
    (Array([[ 0.5],
           [-1. ]], dtype=float32), Array(65., dtype=float32))
    """

    def step(Z: jax.Array) -> tuple[jax.Array, jax.Array]:
        value, slope = gradient(Z)
        moved = Z - learning_rate * slope
        return (jnp.clip(moved, -1, 1) if compact else moved - moved.mean(axis=0)), value

    return step


def python_loop(step: Step, Z: jax.Array, epochs: int) -> tuple[jax.Array, jax.Array]:
    """Repeat a step in Python, with the history in a list.

    Args:
        step: From ``make_step``; under ``jax.jit`` or not.
        Z: Latent positions at the start, shape (N, L).
        epochs: How many steps.

    Returns:
        Z after each step, shape (epochs, N, L), and the loss before it, shape (epochs,).

    >>> step = make_step(lambda Z: ((Z**2).sum(), 2 * Z), 0.25)
    >>> python_loop(step, jnp.array([[1.0]]), 3)[0].ravel().tolist()
    [0.5, 0.25, 0.125]
    """
    history, losses = [], []
    for _ in range(epochs):
        Z, value = step(Z)
        history.append(Z)
        losses.append(value)
    return jnp.stack(history), jnp.stack(losses)


def chunk(
    step: Step, Z: jax.Array, length: int, steps: int | jax.Array
) -> tuple[jax.Array, jax.Array, jax.Array]:
    """Repeat a step at most ``length`` times; another number of steps compiles no other program.

    Args:
        step: From ``make_step``.
        Z: Latent positions at the start, shape (N, L).
        length: The length of the history.
        steps: How many steps, 0 to length; it may be traced.

    Returns:
        The last Z, shape (N, L); Z after each step, shape (length, N, L), and the loss before it,
        shape (length,), both with zeros from index ``steps`` on.

    >>> step = make_step(lambda Z: ((Z**2).sum(), 2 * Z), 0.25)
    >>> jitted = jax.jit(lambda Z, steps: chunk(step, Z, 4, steps))
    >>> Z, history, losses = jitted(jnp.array([[1.0]]), 2)
    >>> Z.item(), history.ravel().tolist()
    (0.25, [0.5, 0.25, 0.0, 0.0])
    """

    def body(
        t: jax.Array, carry: tuple[jax.Array, jax.Array, jax.Array]
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        Z, history, losses = carry
        Z, value = step(Z)
        return Z, history.at[t].set(Z), losses.at[t].set(value)

    carry = Z, jnp.zeros((length, *Z.shape), Z.dtype), jnp.zeros(length, Z.dtype)
    return jax.lax.fori_loop(0, steps, body, carry)  # type: ignore[no-any-return]


def fori_loop(step: Step, Z: jax.Array, epochs: int) -> tuple[jax.Array, jax.Array]:
    """Repeat a step in ``jax.lax.fori_loop``, with the history in the carry.

    Args:
        step: From ``make_step``.
        Z: Latent positions at the start, shape (N, L).
        epochs: How many steps.

    Returns:
        Z after each step, shape (epochs, N, L), and the loss before it, shape (epochs,).

    >>> step = make_step(lambda Z: ((Z**2).sum(), 2 * Z), 0.25)
    >>> fori_loop(step, jnp.array([[1.0]]), 3)[0].ravel().tolist()
    [0.5, 0.25, 0.125]
    """
    return chunk(step, Z, epochs, epochs)[1:]


def scan(step: Step, Z: jax.Array, epochs: int) -> tuple[jax.Array, jax.Array]:
    """Repeat a step in ``jax.lax.scan``, which stacks the history itself.

    Args:
        step: From ``make_step``.
        Z: Latent positions at the start, shape (N, L).
        epochs: How many steps.

    Returns:
        Z after each step, shape (epochs, N, L), and the loss before it, shape (epochs,).

    >>> step = make_step(lambda Z: ((Z**2).sum(), 2 * Z), 0.25)
    >>> scan(step, jnp.array([[1.0]]), 3)[0].ravel().tolist()
    [0.5, 0.25, 0.125]
    """

    def body(Z: jax.Array, _: None) -> tuple[jax.Array, tuple[jax.Array, jax.Array]]:
        after, value = step(Z)
        return after, (after, value)

    return jax.lax.scan(body, Z, length=epochs)[1]
