"""Train a small CNN to read handwritten digits, with validation, early stopping and a schedule.

The digits are scikit-learn's, 8 by 8 pixels: 1200 images for training, 237 for validation, which
chooses the epoch, and 360 for testing, which are used once, at the end.

    python examples/digits.py --save digits.npz
    python examples/digits.py --load digits.npz --plot losses.png
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["flax", "jax", "matplotlib", "optax", "scikit-learn"]
# ///

import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, file_to_write, picture_file, save, whole_number
from flax import nnx
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

Data = tuple[np.ndarray, np.ndarray]  # images (n, 8, 8, 1) from 0 to 1, float32; labels (n,), int32
TEST, VALIDATION = 360, 237


class CNN(nnx.Module):
    """One convolution and one hidden layer; images (n, 8, 8, 1) become logits (n, 10)."""

    def __init__(self, *, rngs: nnx.Rngs) -> None:
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 1024, rngs=rngs)
        self.logits = nnx.Linear(1024, 10, rngs=rngs)

    def __call__(self, images: jax.Array) -> jax.Array:
        """Return the logits."""
        maps = nnx.max_pool(nnx.relu(self.conv(images)), (2, 2), strides=(2, 2))
        hidden = nnx.relu(self.hidden(maps.reshape(len(images), -1)))
        return self.logits(hidden)


graphdef, params = nnx.split(CNN(rngs=nnx.Rngs(0)))


def loss(params: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Return the mean cross-entropy."""
    logits = nnx.merge(graphdef, params)(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()  # type: ignore[no-any-return]


@jax.jit
def accuracy(params: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Return the fraction of images that are classified correctly."""
    return (nnx.merge(graphdef, params)(images).argmax(axis=1) == labels).mean()


def make_step(graphdef: Any, optimizer: Any) -> Callable[..., tuple[Any, Any, Any, jax.Array]]:
    """Build a compiled training step for any network and any optimizer of Optax.

    The step takes and returns the parameters, the network's other state, which may be empty, and
    the optimizer's state. Images and labels come last, and the last result is the loss before it.
    """

    def loss(params: Any, rest: Any, images: jax.Array, labels: jax.Array) -> Any:
        model = nnx.merge(graphdef, params, rest, copy=True)
        values = optax.softmax_cross_entropy_with_integer_labels(model(images), labels)
        return values.mean(), nnx.state(model, nnx.Not(nnx.Param))

    @jax.jit
    def step(params: Any, rest: Any, opt_state: Any, *batch: jax.Array) -> Any:
        (value, rest), grads = jax.value_and_grad(loss, has_aux=True)(params, rest, *batch)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return optax.apply_updates(params, updates), rest, opt_state, value

    return step


def split(images: np.ndarray, labels: np.ndarray, size: int) -> tuple[Data, Data]:
    """Put ``size`` of the images aside, with the same proportion of each digit in both parts."""
    parts = train_test_split(images, labels, test_size=size, stratify=labels, random_state=0)
    return parts[0::2], parts[1::2]


def batches(data: Data, seed: int, epoch: int, size: int = 64) -> Iterator[Data]:
    """Yield the batches of an epoch in random order, without an incomplete last one."""
    images, labels = data
    order = np.random.default_rng([seed, epoch]).permutation(len(images))
    for start in range(0, len(order) - size + 1, size):
        chosen = order[start : start + size]
        yield images[chosen], labels[chosen]


@jax.jit
def shifted(key: jax.Array, images: jax.Array) -> jax.Array:
    """Move each image at random by up to a pixel up or down and left or right."""
    starts = jax.random.randint(key, (len(images), 2), 0, 3)
    padded = jnp.pad(images, ((0, 0), (1, 1), (1, 1), (0, 0)))

    def cut(image: jax.Array, start: jax.Array) -> jax.Array:
        return jax.lax.dynamic_slice(image, (*start, 0), images.shape[1:])

    return jax.vmap(cut)(padded, starts)


def shifted_batches(data: Data, seed: int, epoch: int, size: int = 64) -> Iterator[Data]:
    """Yield the batches of an epoch with moved images."""
    images, labels = data
    key = jax.random.fold_in(jax.random.key(seed), epoch)
    return batches((np.asarray(shifted(key, images)), labels), seed, epoch, size)


def fit(
    step: Callable[..., Any],
    state: Sequence[Any],
    batches: Callable[[int], Iterable[Any]],
    validate: Callable[..., Any],
    epochs: int,
    patience: int = 10,
) -> tuple[Sequence[Any], np.ndarray]:
    """Train, and keep the state with the lowest validation score.

    Args:
        step: ``step(*state, *batch)`` returns the parts of the next state, and the loss.
        state: The first state. The step must not donate it.
        batches: ``batches(epoch)`` yields the batches of an epoch; epochs count from 0.
        validate: ``validate(*state)`` returns the score of an epoch, the lower the better.
        epochs: The largest number of epochs.
        patience: Stop after so many epochs without a lower score.

    Returns:
        The best state, and for each epoch its mean loss and its score, shape (epochs, 2).

    >>> best, history = fit(
    ...     lambda x, target: (x + 1, abs(x - target)), (0,), lambda epoch: [(4,)],
    ...     lambda x: abs(x - 4), epochs=20, patience=2)
    >>> best, history[:, 1].tolist()
    ([4], [3.0, 2.0, 1.0, 0.0, 1.0, 2.0])
    """
    best, best_epoch, lowest, history = state, 0, float("inf"), []
    for epoch in range(epochs):
        losses = []
        for batch in batches(epoch):
            *state, value = step(*state, *batch)
            losses.append(value)
        score = float(validate(*state))
        history.append((np.mean(losses), score))
        if score < lowest:
            best, best_epoch, lowest = state, epoch, score
        elif epoch - best_epoch >= patience:
            break
    return best, np.array(history)


def save_run(file: Path, params: Any, history: np.ndarray) -> None:
    """Write each array of a pytree under its path into an ``.npz`` file, and the history."""
    leaves = jax.tree.leaves_with_path(params)
    np.savez(file, history=history, **{jax.tree_util.keystr(path): leaf for path, leaf in leaves})


def load_run(file: Path) -> tuple[Any, np.ndarray]:
    """Read what ``save_run`` wrote; raise OSError or ValueError if that is impossible."""
    leaves, structure = jax.tree.flatten_with_path(params)
    try:
        with np.load(file) as saved:
            arrays = [saved[jax.tree_util.keystr(path)] for path, _ in leaves]
            history = saved["history"]
        if [array.shape for array in arrays] != [leaf.shape for _, leaf in leaves]:
            raise ValueError
    except (EOFError, KeyError, TypeError, ValueError, zipfile.BadZipFile):
        raise ValueError(f"{file} has no run of this network") from None
    return jax.tree.unflatten(structure, arrays), history


def train(training: Data, validation: Data, seed: int, epochs: int, schedule: str) -> Any:
    """Train a new network; return the best parameters and the history."""
    parts: Any = nnx.split(CNN(rngs=nnx.Rngs(seed)), nnx.Param, ...)
    _, params, rest = parts
    images, answers = map(jnp.asarray, validation)

    @jax.jit
    def validate(params: Any, *_: Any) -> jax.Array:
        return loss(params, images, answers)

    steps = epochs * (len(training[0]) // 64)
    one_cycle = optax.cosine_onecycle_schedule(steps, 1.2e-2)
    optimizer = optax.adam(one_cycle if schedule == "one-cycle" else 2e-3)
    state = params, rest, optimizer.init(params)
    step, epoch_batches = make_step(graphdef, optimizer), partial(shifted_batches, training, seed)
    best, history = fit(step, state, epoch_batches, validate, epochs)
    return best[0], history


def draw(history: np.ndarray) -> Figure:
    """Draw training and validation loss over the epochs."""
    figure = Figure(figsize=(6, 3.2), layout="constrained")
    ax = figure.subplots()
    ax.semilogy(range(1, len(history) + 1), history, "o-", label=["training", "validation"])
    ax.set(xlabel="epoch", ylabel="loss")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train or load a network, and test it."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--epochs", type=whole_number(1, 1000), default=30, metavar="N", help=f"at most; {DEFAULT}")
    add("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N", help=DEFAULT)
    add("--schedule", choices=("one-cycle", "constant"), default="one-cycle", help=DEFAULT)
    npz: Any = lambda text: file_to_write(text, ".npz")  # noqa: E731
    add("--save", type=npz, metavar="FILE.npz", help="write the best epoch into FILE.npz")
    add("--load", type=Path, metavar="FILE.npz", help="test a saved run instead of training")
    add("--plot", type=picture_file, metavar="FILE", help="draw the losses into FILE")
    options = parser.parse_args(arguments)

    pixels, labels = load_digits(return_X_y=True)
    images = (pixels / 16).astype(np.float32).reshape(-1, 8, 8, 1)
    others, test = split(images, labels.astype(np.int32), TEST)
    training, validation = split(*others, VALIDATION)
    if options.load:
        try:
            best, history = load_run(options.load)
        except (OSError, ValueError) as error:
            parser.error(f"--load: {error}; write one with --save first")
    else:
        best, history = train(training, validation, options.seed, options.epochs, options.schedule)
    place = history[:, 1].argmin()
    print(f"epoch {place + 1} of {len(history)}: validation loss {history[place, 1]:.4f}")
    print(f"test accuracy {accuracy(best, *map(jnp.asarray, test)):.2%} of {len(test[0])} images")
    if options.save:
        save_run(options.save, best, history)
    if options.plot:
        save(draw(history), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
