"""A training run to copy and change: data, network, step, validation, checkpoints, resuming.

A small CNN learns scikit-learn's handwritten digits. You will see a line an epoch; stop it with
Ctrl-C and start it again, and it continues with the batch at which the last checkpoint was made.
The folder `run` has the latest checkpoint and the best one, with which the test images are read at
the end. Delete the folder to start over.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "jax>=0.10", "flax>=0.12", "grain", "optax", "orbax-checkpoint>=0.12", "scikit-learn",
# ]
# ///

from pathlib import Path

import grain
import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from orbax.checkpoint import v1 as ocp
from sklearn.datasets import load_digits

FOLDER = Path("run")
EPOCHS, BATCH = 12, 64
VALIDATION, TEST = 237, 360  # of 1797 images; the others are for training


class CNN(nnx.Module):
    """One convolution and one hidden layer: images (n, 8, 8, 1) become logits (n, 10).

    >>> CNN(rngs=nnx.Rngs(0))(np.zeros((5, 8, 8, 1))).shape
    (5, 10)
    """

    def __init__(self, *, rngs):
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 256, rngs=rngs)
        self.logits = nnx.Linear(256, 10, rngs=rngs)

    def __call__(self, images):
        """Return the logits."""
        maps = nnx.max_pool(nnx.relu(self.conv(images)), (2, 2), strides=(2, 2))
        return self.logits(nnx.relu(self.hidden(maps.reshape(len(images), -1))))


# Allocates nothing. A network with Dropout or BatchNorm has more state than parameters: split it
# with `nnx.split(model, nnx.Param, ...)`, and pass the rest through the step.
graphdef, _ = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))
optimizer = optax.adam(2e-3)


def loss(params, images, labels):
    """Return the mean cross-entropy of images (n, 8, 8, 1) and labels (n,)."""
    logits = nnx.merge(graphdef, params)(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def train_step(params, opt_state, images, labels):
    """Take one step; return the new parameters and optimizer state, and the loss before it."""
    value, grads = jax.value_and_grad(loss)(params, images, labels)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


@jax.jit
def evaluate(params, images, labels):
    """Return the loss, and the fraction of images that are classified correctly."""
    logits = nnx.merge(graphdef, params)(images)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    return losses.mean(), jnp.mean(logits.argmax(axis=1) == labels)


def load_data():
    """Return images (n, 8, 8, 1), from 0 to 1, and labels (n,) for training, validation, test."""
    images, labels = load_digits(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(labels))
    images = (images[order].reshape(-1, 8, 8, 1) / 16).astype(np.float32)
    labels = labels[order].astype(np.int32)
    cuts = [len(labels) - TEST - VALIDATION, len(labels) - TEST]
    return list(zip(np.split(images, cuts), np.split(labels, cuts), strict=True))


def batches(images, labels, size):
    """Return an endless iterator over shuffled batches, whose state can be saved.

    >>> iterator = batches(np.arange(4), np.arange(4) ** 2, size=2)
    >>> first, state, second = next(iterator), iterator.get_state(), next(iterator)
    >>> iterator.set_state(state)
    >>> bool((next(iterator)[0] == second[0]).all())
    True
    """
    dataset = grain.MapDataset.range(len(labels)).seed(0).shuffle().repeat().batch(size)
    return iter(dataset.map(lambda rows: (images[rows], labels[rows])).to_iter_dataset())


def new_state():
    """Begin a run: parameters and optimizer state."""
    params = nnx.split(CNN(rngs=nnx.Rngs(0)))[1]
    return {"params": params, "opt_state": optimizer.init(params)}


def open_run(folder):
    """Open the checkpoints of a run, of which the latest and the best one remain."""
    keep = ocp.training.preservation_policies
    best = keep.BestN(get_metric_fn=lambda metrics: -metrics["loss"], n=1)
    return ocp.training.Checkpointer(
        Path(folder).resolve(),
        save_decision_policy=ocp.training.save_decision_policies.FixedIntervalPolicy(1),
        preservation_policy=keep.AnyPreservationPolicy([keep.LatestN(1), best]),
        cleanup_tmp_directories=True,
    )


def train(training, validation, folder, epochs, size=BATCH):
    """Train up to an epoch, from the latest checkpoint if there is one.

    Args:
        training, validation: Pairs of images (n, 8, 8, 1) and labels (n,).
        folder: For the checkpoints; it is created.
        epochs: The number of the last epoch; those of earlier runs count.
        size: Of a batch, at most the number of training images.

    Returns:
        The parameters of the epoch with the lowest validation loss.

    Raises:
        KeyError, ValueError: If the folder has the checkpoints of another program.

    >>> import tempfile
    >>> data = np.eye(10, 64, dtype=np.float32).reshape(10, 8, 8, 1), np.arange(10)
    >>> with tempfile.TemporaryDirectory() as folder:  # doctest: +ELLIPSIS
    ...     _ = train(data, data, folder, epochs=1, size=10)
    ...     _ = train(data, data, folder, epochs=2, size=10)
    epoch  1: training loss 2.3..., validation loss 2...
    epoch  2: training loss ..., validation loss ...
    """
    state, iterator = new_state(), batches(*training, size)
    with open_run(folder) as checkpoints:
        latest = checkpoints.latest
        first = latest.step if latest else 0
        if first:
            state = checkpoints.load(first, state)
            iterator.set_state(checkpoints.metadata(first).custom_metadata)
        for epoch in range(first + 1, epochs + 1):
            params, opt_state, losses = state["params"], state["opt_state"], []
            for _ in range(len(training[1]) // size):
                params, opt_state, value = train_step(params, opt_state, *next(iterator))
                losses.append(value)
            state = {"params": params, "opt_state": opt_state}
            value, correct = evaluate(params, *validation)
            print(
                f"epoch {epoch:2}: training loss {np.mean(losses):.3f}, "
                f"validation loss {value:.3f}, {correct:.1%} correct"
            )
            # Written in the background, while the next epoch begins.
            metrics, place = {"loss": float(value)}, iterator.get_state()
            checkpoints.save_async(epoch, state, metrics=metrics, custom_metadata=place)
        checkpoints.wait()
        best = min(checkpoints.checkpoints, key=lambda each: each.metrics["loss"])
        return checkpoints.load(best.step, state)["params"]


def main():
    """Train, and read the test images with the best network."""
    training, validation, test = load_data()
    best = train(training, validation, FOLDER, EPOCHS)
    print(f"{evaluate(best, *test)[1]:.1%} of {TEST} test images are correct")


if __name__ == "__main__":
    main()
