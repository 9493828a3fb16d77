"""A training run to copy and change: data, network, step, validation, checkpoints, resuming.

A small CNN learns scikit-learn's handwritten digits. You will see a line an epoch; stop it with
Ctrl-C and start it again, and it continues after the last epoch that was saved, as if it had never
stopped. The folder `run` has the latest checkpoint and the best one, with which the test images are
read once, at the end. Delete the folder to start over.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = [
#   "jax>=0.10", "flax>=0.12", "grain>=0.2.18", "optax>=0.2.8", "orbax-checkpoint>=0.12,<0.13",
#   "scikit-learn>=1.5",
# ]
# ///

from itertools import islice
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
PATIENCE = 4
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
# with `nnx.split(model, nnx.Param, ...)`, and add the rest to the state.
graphdef, _ = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))
optimizer = optax.adam(2e-3)


def loss(params, images, labels):
    """Return the mean cross-entropy of images (n, 8, 8, 1) and labels (n,)."""
    logits = nnx.merge(graphdef, params)(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()


@jax.jit
def train_step(state, images, labels):
    """Take one step; return the new state, and the loss before it."""
    params = state["params"]
    value, grads = jax.value_and_grad(loss)(params, images, labels)
    updates, opt_state = optimizer.update(grads, state["opt_state"], params)
    return {"params": optax.apply_updates(params, updates), "opt_state": opt_state}, value


@jax.jit
def evaluate(state, images, labels):
    """Return the loss, and the fraction of images that are classified correctly."""
    logits = nnx.merge(graphdef, state["params"])(images)
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
    dataset = dataset.map(lambda rows: (images[rows], labels[rows]))
    # No threads: the data are in memory.
    return iter(dataset.to_iter_dataset(grain.ReadOptions(0, 0)))


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


def fit(step, state, batches, validate, epochs, steps, folder, patience=PATIENCE):
    """Train up to an epoch, from the latest checkpoint if there is one.

    Args:
        step: Takes a state and the arrays of a batch, returns the next state and the loss.
        state: A dictionary of pytrees.
        batches: An iterator over batches whose position Orbax can save.
        validate: Takes a state, returns the validation loss.
        epochs, steps: The last epoch, where those of earlier runs count, and the steps of each.
        folder: For the checkpoints; it is created.
        patience: The number of epochs without a lower loss after which the run ends.

    Returns:
        The state with the lowest validation loss.

    Raises:
        KeyError, ValueError: If the folder has the checkpoints of another program.

    >>> import tempfile
    >>> def count(state, *_):
    ...     return {"steps": state["steps"] + 1}, 0.0
    >>> start, numbers = {"steps": np.zeros(())}, np.arange(4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     each = batches(numbers, numbers, 2)
    ...     best = fit(count, start, each, lambda state: 3 - state["steps"], 1, 2, folder)
    epoch  1: training loss 0.000, validation loss 1.000
    >>> int(best["steps"])
    2
    """
    stopping = {"best_epoch": 0, "lowest": float("inf")}
    with open_run(folder) as run:
        done = run.latest.step if run.latest else 0
        if done:
            parts = {**state, "batches": batches, "stopping": stopping}
            saved = run.load_checkpointables(done, parts)
            state, stopping = {name: saved[name] for name in state}, saved["stopping"]
        for epoch in range(done + 1, epochs + 1):
            if epoch - 1 - stopping["best_epoch"] >= patience:
                break
            losses = []
            for batch in islice(batches, steps):
                state, value = step(state, *batch)
                losses.append(value)
            score = float(validate(state))
            mean = np.mean(jax.device_get(losses))
            print(f"epoch {epoch:2}: training loss {mean:.3f}, validation loss {score:.3f}")
            if score < stopping["lowest"]:
                stopping = {"best_epoch": epoch, "lowest": score}
            # Written in the background, while the next epoch begins.
            parts = {**state, "batches": batches, "stopping": stopping}
            run.save_checkpointables_async(epoch, parts, metrics={"loss": score})
        run.wait()
        best = min(run.checkpoints, key=lambda each: each.metrics["loss"])
        saved = run.load_checkpointables(best.step, state)
        return {name: saved[name] for name in state}


def main():
    """Train, and read the test images once, with the best network."""
    training, validation, test = load_data()
    validate, steps = (lambda state: evaluate(state, *validation)[0]), len(training[1]) // BATCH
    iterator = batches(*training, BATCH)
    best = fit(train_step, new_state(), iterator, validate, EPOCHS, steps, FOLDER)
    print(f"{evaluate(best, *test)[1]:.1%} of {TEST} test images are correct")


if __name__ == "__main__":
    main()
