"""Train a network with JAX, Flax, Optax and Orbax, and continue from its last checkpoint.

A program to copy and change: data, network, loss, step, evaluation and checkpoints. It learns
scikit-learn's handwritten digits. With --folder, a second start continues where the first ended:

    mkdir run
    python examples/who_does_what.py --folder run --epochs 4
    python examples/who_does_what.py --folder run --epochs 8
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flax", "optax", "orbax-checkpoint", "scikit-learn", "matplotlib"]
# ///

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import numpy as np
import optax
from _command_line import DEFAULT, command_line, folder, whole_number
from flax import nnx
from orbax.checkpoint import v1 as ocp
from sklearn.datasets import load_digits

Data = tuple[np.ndarray, np.ndarray]
TRAIN = 1437  # of the 1797 digits; the others are for testing


class Network(nnx.Module):
    """Classify images of 64 pixels with one hidden layer.

    >>> Network(rngs=nnx.Rngs(0))(np.zeros((5, 64), np.float32)).shape
    (5, 10)
    """

    def __init__(self, *, rngs: nnx.Rngs) -> None:
        self.hidden = nnx.Linear(64, 128, rngs=rngs)
        self.out = nnx.Linear(128, 10, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        """Take images of shape (n, 64), return scores of shape (n, 10)."""
        return self.out(nnx.relu(self.hidden(x)))


graphdef, start = nnx.split(Network(rngs=nnx.Rngs(0)))
optimizer = optax.adam(3e-3)


def loss(params: Any, x: jax.Array, y: jax.Array) -> jax.Array:
    """Return the mean cross-entropy of images of shape (n, 64) and labels of shape (n,)."""
    scores = nnx.merge(graphdef, params)(x)
    return optax.softmax_cross_entropy_with_integer_labels(scores, y).mean()  # type: ignore[no-any-return]


@jax.jit
def train_step(
    params: Any, opt_state: Any, x: jax.Array, y: jax.Array
) -> tuple[Any, Any, jax.Array]:
    """Take one step; return the new parameters and optimizer state, and the loss before it."""
    value, grads = jax.value_and_grad(loss)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


@jax.jit
def accuracy(params: Any, x: jax.Array, y: jax.Array) -> jax.Array:
    """Return the fraction of images of shape (n, 64) that are classified correctly."""
    return (nnx.merge(graphdef, params)(x).argmax(axis=1) == y).mean()


def shuffled_batches(x: np.ndarray, y: np.ndarray, size: int, seed: int) -> Iterator[Data]:
    """Yield the batches of an epoch in random order, without an incomplete last batch.

    >>> for x, y in shuffled_batches(np.arange(5), np.arange(5) ** 2, size=2, seed=0):
    ...     print(x, y)
    [2 4] [ 4 16]
    [3 0] [9 0]
    """
    order = np.random.default_rng(seed).permutation(len(x))
    for first in range(0, len(x) - size + 1, size):
        rows = order[first : first + size]
        yield x[rows], y[rows]


def fit(params: Any, train: Data, test: Data, folder: Path, epochs: int, size: int = 64) -> Any:
    """Train, print a line and save a checkpoint after each epoch; continue from the last one.

    Args:
        params: The parameters of a Network to start from. If the folder has a checkpoint, only
            their structure matters.
        train: Images of shape (n, 64), float32, and labels of shape (n,).
        test: Images and labels of the same form, for the printed accuracy.
        folder: The absolute path of the folder for the checkpoints.
        epochs: The number of the last epoch; epochs of earlier runs count.
        size: The number of examples in a batch, at most n.

    Returns:
        The parameters after the last epoch.

    Raises:
        ValueError: If the folder's path is not absolute.
        KeyError: If the checkpoint in the folder has another structure.

    >>> data = np.eye(10, 64, dtype=np.float32), np.arange(10)
    >>> with tempfile.TemporaryDirectory() as folder:  # doctest: +ELLIPSIS
    ...     params = fit(start, data, data, Path(folder), epochs=1, size=10)
    ...     same = fit(start, data, data, Path(folder), epochs=1, size=10)
    epoch 1: loss 2..., test accuracy ...%
    >>> bool(jax.tree.all(jax.tree.map(np.array_equal, params, same)))
    True
    """
    state = {"params": params, "opt_state": optimizer.init(params)}
    with ocp.training.Checkpointer(folder) as checkpoints:
        done = checkpoints.latest.step if checkpoints.latest else 0
        if done:
            state = checkpoints.load(abstract_state=state)
        for epoch in range(done + 1, epochs + 1):
            params, opt_state = state["params"], state["opt_state"]
            for x, y in shuffled_batches(*train, size, seed=epoch):
                params, opt_state, value = train_step(params, opt_state, x, y)
            state = {"params": params, "opt_state": opt_state}
            checkpoints.save(epoch, state)
            correct = accuracy(params, *test)
            print(f"epoch {epoch}: loss {value:.3f}, test accuracy {correct:.1%}")
    return state["params"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Train on the digits, and print the accuracy at the end."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    last = f"train up to this epoch; {DEFAULT}"
    add("--epochs", type=whole_number(1, 1000), default=8, metavar="N", help=last)
    add("--batch", type=whole_number(1, TRAIN), default=64, metavar="N", help=DEFAULT)
    seed = f"of the first parameters; {DEFAULT}"
    add("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N", help=seed)
    add("--folder", type=folder, help="checkpoints to continue; default: start from the beginning")
    options = parser.parse_args(arguments)

    images, labels = load_digits(return_X_y=True)
    images = images.astype("float32") / 16
    order = np.random.default_rng(0).permutation(len(labels))
    train, test = [(images[rows], labels[rows]) for rows in (order[:TRAIN], order[TRAIN:])]
    params = nnx.split(Network(rngs=nnx.Rngs(options.seed)))[1]
    with tempfile.TemporaryDirectory() as temporary:
        place = (options.folder or Path(temporary)).resolve()
        try:
            params = fit(params, train, test, place, options.epochs, options.batch)
        except KeyError:  # Orbax found no such tree in the checkpoint
            parser.error(f"--folder {place}: has checkpoints of another program; empty it")
    print(f"{accuracy(params, *test):.1%} of {len(test[1])} test images are correct")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
