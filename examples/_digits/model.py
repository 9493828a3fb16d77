"""The convolutional network and what it is judged by.

Source: the single-layer CNN of the slides of a Japanese talk on JAX and Flax (2022), with Flax NNX.
"""

import functools
from typing import Any

import jax
import optax
from flax import nnx


class CNN(nnx.Module):
    """One convolution, one hidden layer, one number for each class.

    Args:
        side: Height and width of an image, even.
        classes: How many there are.
        rngs: Where the initial weights come from.

    >>> model = CNN(8, 10, rngs=nnx.Rngs(0))
    >>> model(jax.numpy.zeros((5, 8, 8, 1))).shape
    (5, 10)
    """

    def __init__(self, side: int, classes: int, *, rngs: nnx.Rngs):
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear((side // 2) ** 2 * 16, 1024, rngs=rngs)
        self.logits = nnx.Linear(1024, classes, rngs=rngs)

    def __call__(self, images: jax.Array) -> jax.Array:
        """Give the logits, shape (N, classes), of images of shape (N, side, side, 1)."""
        maps = nnx.max_pool(nnx.relu(self.conv(images)), (2, 2), strides=(2, 2))
        hidden = nnx.relu(self.hidden(maps.reshape(len(images), -1)))
        return self.logits(hidden)


def initialized(side: int, classes: int, key: jax.Array) -> CNN:
    """Make a network in one compiled program, which XLA optimizes little: it runs only once.

    Built piece by piece, the random weights take several seconds to compile; so, they take less
    than one, and are the same bit for bit.

    Args:
        side: Height and width of an image in pixels, even.
        classes: How many there are.
        key: A random key for the initial weights.

    Returns:
        The network.

    >>> key = jax.random.key(0)
    >>> model, other = initialized(8, 10, key), CNN(8, 10, rngs=nnx.Rngs(key))
    >>> bool((model.logits.kernel[...] == other.logits.kernel[...]).all())
    True
    """

    @functools.partial(jax.jit, compiler_options={"xla_backend_optimization_level": 1})
    def parts(key: jax.Array) -> tuple[nnx.GraphDef[CNN], nnx.State[Any, Any]]:
        return nnx.split(CNN(side, classes, rngs=nnx.Rngs(key)))

    return nnx.merge(*parts(key))


def loss(model: CNN, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Give the mean cross entropy.

    Args:
        model: The network.
        images: Shape (N, side, side, 1).
        labels: Shape (N,), whole numbers.

    Returns:
        The loss in nats, shape ().

    >>> images, labels = jax.numpy.zeros((5, 8, 8, 1)), jax.numpy.arange(5)
    >>> round(float(loss(CNN(8, 10, rngs=nnx.Rngs(0)), images, labels)), 2)  # log 10
    2.3
    """
    logits = model(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@nnx.jit
def accuracy(model: CNN, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Give the share of right answers.

    Args:
        model: The network.
        images: Shape (N, side, side, 1).
        labels: Shape (N,), whole numbers.

    Returns:
        From 0 to 1, shape ().

    >>> images = jax.numpy.zeros((4, 8, 8, 1))  # all alike: one answer for all
    >>> accuracy(CNN(8, 4, rngs=nnx.Rngs(0)), images, jax.numpy.arange(4))
    Array(0.25, dtype=float32)
    """
    return (model(images).argmax(axis=1) == labels).mean()
