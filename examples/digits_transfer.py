"""Adapt a trained network to other images, and compare with training from scratch.

The source reads clean digits. With --task noise it is adapted to noisy images of the same digits;
with --task digits a source for 0 to 4 is adapted to 5 to 9. Each seed chooses other images of the
new task. The table shows the mean accuracy on test images for training the last layer only, for
fine-tuning all layers, and for training from scratch.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flax", "matplotlib", "optax", "scikit-learn"]
# ///

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import numpy as np
import optax
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from flax import nnx
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class CNN(nnx.Module):
    """Classify images of shape (n, 8, 8, 1)."""

    def __init__(self, *, rngs: nnx.Rngs) -> None:
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 1024, rngs=rngs)
        self.logits = nnx.Linear(1024, 10, rngs=rngs)

    def __call__(self, images: jax.Array) -> jax.Array:
        """Return logits of shape (n, 10)."""
        maps = nnx.max_pool(nnx.relu(self.conv(images)), (2, 2), strides=(2, 2))
        hidden = nnx.relu(self.hidden(maps.reshape(len(images), -1)))
        return self.logits(hidden)


graphdef, _ = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))


@jax.jit
def new_params(seed: Any) -> Any:
    """Draw initial parameters."""
    return nnx.split(CNN(rngs=nnx.Rngs(jax.random.key(seed))))[1]


def loss(params: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Return the mean cross-entropy of images (n, 8, 8, 1) and labels (n,)."""
    logits = nnx.merge(graphdef, params)(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()  # type: ignore[no-any-return]


@partial(jax.jit, static_argnames=("optimizer", "loss"))
def train(
    params: Any, images: Any, labels: Any, batches: Any, optimizer: Any, loss: Any = loss
) -> Any:
    """Train for some steps and return the new parameters.

    Each row of ``batches`` has the indices of the images of one step. What ``loss`` takes after the
    parameters and before the labels may also be features. A new ``optimizer`` compiles anew.
    """

    def step(carry: Any, rows: Any) -> Any:
        params, opt_state = carry
        grads = jax.grad(loss)(params, images[rows], labels[rows])
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), None

    carry = params, optimizer.init(params)
    return jax.lax.scan(step, carry, batches)[0][0]


@jax.jit
def logits_of(params: Any, images: jax.Array) -> jax.Array:
    """Return the logits, of shape (n, 10), of images of shape (n, 8, 8, 1)."""
    return nnx.merge(graphdef, params)(images)


def accuracy(params: Any, images: np.ndarray, labels: np.ndarray) -> Any:
    """Return the fraction of images of shape (n, 8, 8, 1) that are classified correctly."""
    answers = np.asarray(logits_of(params, images)).argmax(axis=1)
    return (answers == labels).mean()


def noisy(rng: np.random.Generator, images: np.ndarray) -> np.ndarray:
    """Add noise: each pixel becomes at least as dark as a random number from 0 to 0.8."""
    return np.maximum(images, 0.8 * rng.random(images.shape, dtype=np.float32))  # type: ignore[no-any-return]


def few_rows(rng: Any, labels: np.ndarray, shots: int, classes: Any = range(10)) -> np.ndarray:
    """Choose the indices of up to ``shots`` images of each class."""
    order = rng.permutation(len(labels))
    return np.concatenate([order[labels[order] == digit][:shots] for digit in classes])


def groups(params: Any) -> Any:
    """Name the group of each parameter, ``last`` or ``early``, for ``optax.partition``."""
    return jax.tree.map_with_path(
        lambda path, _: "last" if path[0].key == "logits" else "early", params
    )


adam, slow_adam = optax.adam(1e-3), optax.adam(3e-4)
last_only = optax.partition({"last": adam, "early": optax.set_to_zero()}, groups)


def reuse(source: Any, seed: int) -> Any:
    """Start with all parameters of the source."""
    return source


def new_last_layer(source: Any, seed: int) -> Any:
    """Start with the early layers of the source and a new last layer."""

    def choose(group: str, old: Any, new: Any) -> Any:
        return new if group == "last" else old

    return jax.tree.map(choose, groups(source), source, new_params(100 + seed))


def start_again(source: Any, seed: int) -> Any:
    """Start with new parameters."""
    return new_params(100 + seed)


def compare(
    source: Any, task: Any, shots: int, ways: Any, classes: Any = range(10), seeds: int = 5
) -> dict[str, np.ndarray]:
    """Return the test accuracy of each way for each seed; the ways share images and batches.

    ``task`` has images and labels for training, then for testing; ``ways`` has for each name a
    function like ``reuse``, an optimizer, and up to 300 steps. Each seed chooses ``shots`` other
    images of each class.

    >>> images, labels = np.eye(10, 64).reshape(10, 8, 8, 1), np.arange(10)
    >>> ways = {"scratch": (start_again, adam, 2)}
    >>> compare(None, (images, labels, images, labels), 1, ways, seeds=2)["scratch"].shape
    (2,)
    """
    images, labels, test_images, test_labels = task
    results = {name: [] for name in ways}  # type: ignore[var-annotated]
    for seed in range(seeds):
        rng = np.random.default_rng(seed)
        batches = rng.choice(few_rows(rng, labels, shots, classes), size=(300, 32))
        for name, (start, optimizer, steps) in ways.items():
            params = train(start(source, seed), images, labels, batches[:steps], optimizer)
            results[name].append(accuracy(params, test_images, test_labels))
    return {name: np.array(values) for name, values in results.items()}


def paired(these: np.ndarray, those: np.ndarray) -> tuple[Any, Any]:
    """Return the mean of the differences, seed by seed, and its standard error."""
    gains = these - those
    return gains.mean(), gains.std(ddof=1) / np.sqrt(len(gains))


def draw(results: dict[str, np.ndarray]) -> Figure:
    """Draw a dot for the accuracy of each way with each seed."""
    figure = Figure(figsize=(5, 3.2), layout="constrained")
    ax = figure.subplots()
    for name, values in results.items():
        ax.plot([name] * len(values), values, "o", color="#0b5fa5")
    ax.set(ylabel="accuracy", ylim=(0, 1))
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train a source, adapt it in each way, and print the table."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--task", choices=["noise", "digits"], default="noise", help=DEFAULT)
    shots = f"images of each digit; {DEFAULT}"
    add("--shots", type=whole_number(1, 100), default=3, metavar="N", help=shots)
    add("--seeds", type=whole_number(2, 100), default=5, metavar="N", help=DEFAULT)
    add("--steps", type=whole_number(1, 300), default=150, metavar="N", help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the accuracies into FILE")
    options = parser.parse_args(arguments)

    pixels, digits = load_digits(return_X_y=True)
    all_images = np.float32(pixels / 16).reshape(-1, 8, 8, 1)
    parts = train_test_split(all_images, digits, test_size=0.2, stratify=digits, random_state=0)
    images, test_images, labels, test_labels = parts
    rng = np.random.default_rng(0)
    other = options.task == "digits"
    rows = np.flatnonzero(labels < 5) if other else np.arange(len(labels))
    source = train(new_params(0), images, labels, rng.choice(rows, size=(300, 32)), adam)

    if other:
        new = test_labels >= 5
        task = images, labels, test_images[new], test_labels[new]
    else:
        task = noisy(rng, images), labels, noisy(rng, test_images), test_labels
        print(f"source as it is: {accuracy(source, *task[2:]):.3f}")
    classes = range(5 if other else 0, 10)
    start, rule = (new_last_layer, adam) if other else (reuse, slow_adam)
    ways = {
        "last layer": (start, last_only, options.steps),
        "fine-tuned": (start, rule, options.steps),
        "from scratch": (start_again, adam, options.steps),
    }
    results = compare(source, task, options.shots, ways, classes, options.seeds)
    for name, values in results.items():
        gain, error = paired(values, results["from scratch"])
        print(f"{name:14}{values.mean():.3f}, {gain:+.3f} ± {error:.3f} compared with from scratch")
    if options.plot:
        save(draw(results), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
