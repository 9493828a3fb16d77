"""Training: batches in a random order, images moved by a pixel, Adam with a schedule.

Which images an epoch sees, and in what order, depends on the run's key and on the epoch's number
only. So a run that is continued goes on as if it had never stopped.
"""

from collections.abc import Iterable, Iterator

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _digits.model import CNN, loss
from flax import nnx

Batch = tuple[jax.Array, jax.Array]  # images and labels

SCHEDULES = ("one-cycle", "constant")


def make_optimizer(
    model: CNN, steps: int, learning_rate: float = 5e-3, schedule: str = "one-cycle"
) -> nnx.Optimizer[CNN]:
    """Make Adam for a model.

    Args:
        model: The network.
        steps: How many steps the run will take.
        learning_rate: The largest one of the run.
        schedule: ``"one-cycle"``: the rate rises for 30 % of the run and falls to nearly 0, both
            along a cosine. ``"constant"``: it stays.

    Returns:
        The optimizer.

    >>> model = CNN(8, 10, rngs=nnx.Rngs(0))
    >>> int(make_optimizer(model, 100).step[...])
    0
    """
    cycle = schedule == "one-cycle"
    rate = optax.cosine_onecycle_schedule(steps, learning_rate) if cycle else learning_rate
    return nnx.Optimizer(model, optax.adam(rate), wrt=nnx.Param)


@jax.jit
def shifted(key: jax.Array, images: jax.Array) -> jax.Array:
    """Move each image by -1, 0 or 1 pixel up or down and left or right.

    Args:
        key: A random key.
        images: Shape (N, side, side, 1).

    Returns:
        The moved images; pixels that come in are 0.

    >>> images = jnp.zeros((9, 8, 8, 1)).at[:, 4, 4].set(1)
    >>> moved = shifted(jax.random.key(0), images)
    >>> moved.shape, float(moved.sum()), float(moved[:, 3:6, 3:6].sum())
    ((9, 8, 8, 1), 9.0, 9.0)
    """
    starts = jax.random.randint(key, (len(images), 2), 0, 3)
    padded = jnp.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))

    def cut(image: jax.Array, start: jax.Array) -> jax.Array:
        return jax.lax.dynamic_slice(image, (*start, 0), images.shape[1:])

    return jax.vmap(cut)(padded, starts)


@nnx.jit
def train_step(
    model: CNN, optimizer: nnx.Optimizer[CNN], images: jax.Array, labels: jax.Array
) -> jax.Array:
    """Take one step; model and optimizer are changed in place.

    Args:
        model: The network.
        optimizer: Its optimizer.
        images: Shape (batch, side, side, 1).
        labels: Shape (batch,).

    Returns:
        The loss before the step, shape ().
    """
    value, gradient = nnx.value_and_grad(loss)(model, images, labels)
    optimizer.update(model, gradient)
    return value


def batches(
    key: jax.Array, images: np.ndarray, labels: np.ndarray, batch: int = 64
) -> Iterator[Batch]:
    """Deal the images, moved by up to a pixel, into batches in a random order.

    Args:
        key: The epoch's random key.
        images: Shape (N, side, side, 1).
        labels: Shape (N,).
        batch: How many images a step sees; what remains is left out this time.

    Yields:
        Images, shape (batch, side, side, 1), and their labels, shape (batch,).

    >>> images, labels = np.zeros((7, 8, 8, 1)), np.arange(7)
    >>> [len(chosen) for _, chosen in batches(jax.random.key(0), images, labels, 3)]
    [3, 3]
    """
    order_key, shift_key = jax.random.split(key)
    moved = np.asarray(shifted(shift_key, images))
    order = np.asarray(jax.random.permutation(order_key, len(images)))
    for start in range(0, len(images) - batch + 1, batch):
        chosen = order[start : start + batch]
        yield jnp.asarray(moved[chosen]), jnp.asarray(labels[chosen])


def train_epoch(model: CNN, optimizer: nnx.Optimizer[CNN], dealt: Iterable[Batch]) -> jax.Array:
    """Take one step for each batch; model and optimizer are changed in place.

    Args:
        model: The network.
        optimizer: Its optimizer.
        dealt: Batches of images and labels.

    Returns:
        The loss before each step, shape (steps,).

    >>> from _digits.data import small_digits
    >>> data = small_digits()
    >>> model = CNN(8, 10, rngs=nnx.Rngs(0))
    >>> optimizer = make_optimizer(model, 22, 1e-3, "constant")
    >>> dealt = batches(jax.random.key(1), data.train_images, data.train_labels)
    >>> losses = train_epoch(model, optimizer, dealt)
    >>> losses.shape, bool(losses[-1] < losses[0])
    ((22,), True)
    """
    return jnp.stack([train_step(model, optimizer, images, labels) for images, labels in dealt])
