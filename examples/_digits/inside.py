"""What a trained network confuses, what it looks at, and where its gradient points.

Sources: saliency as in Simonyan, Vedaldi, Zisserman (2013), arXiv:1312.6034; steps against the
network as in Goodfellow, Shlens, Szegedy (2014), arXiv:1412.6572.
"""

import jax
import jax.numpy as jnp
from _digits.model import CNN, loss
from flax import nnx


def confusion(answers: jax.Array, labels: jax.Array, classes: int) -> jax.Array:
    """Count which answer each label got.

    Args:
        answers: Shape (N,), whole numbers below ``classes``.
        labels: Shape (N,), whole numbers below ``classes``.
        classes: How many there are.

    Returns:
        Counts, shape (classes, classes): a row for each label, a column for each answer.

    >>> confusion(jnp.array([0, 1, 1]), jnp.array([0, 0, 1]), 2).tolist()
    [[1, 1], [0, 1]]
    """
    counts = jnp.zeros((classes, classes), int)
    return counts.at[labels, answers].add(1)


@nnx.jit
def slope(model: CNN, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Tell how the loss of each image changes with its pixels.

    Args:
        model: The network.
        images: Shape (N, side, side, 1).
        labels: Shape (N,), whole numbers.

    Returns:
        The gradient of each image's own loss, shape (N, side, side, 1).

    >>> images = jnp.zeros((2, 8, 8, 1))
    >>> slope(CNN(8, 10, rngs=nnx.Rngs(0)), images, jnp.array([0, 1])).shape
    (2, 8, 8, 1)
    """
    return jax.grad(lambda pixels: len(pixels) * loss(model, pixels, labels))(images)


def against(images: jax.Array, direction: jax.Array, size: float) -> jax.Array:
    """Change each pixel by the same amount, up or down.

    Args:
        images: Shape (N, side, side, 1), from 0 to 1.
        direction: Says by its sign where each pixel goes; the shape of the images.
        size: The amount.

    Returns:
        The changed images, from 0 to 1.

    >>> against(jnp.array([0.5, 0.5, 1.0]), jnp.array([3.0, -1.0, 2.0]), 0.25).tolist()
    [0.75, 0.25, 1.0]
    """
    return jnp.clip(images + size * jnp.sign(direction), 0, 1)
