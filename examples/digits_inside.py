"""Look inside a trained network: what it confuses, which pixels matter, which labels are suspect.

A convolutional network learns scikit-learn's digits, some of whose labels are falsified first. The
output shows the most frequent wrong answers, the accuracy after an attack on the test images, the
training images with the largest gradients, and how many false labels these gradients reveal.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flax", "matplotlib", "optax", "scikit-learn"]
# ///

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from flax import nnx
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


class CNN(nnx.Module):
    """Compute ten logits for each image of 8 × 8 pixels."""

    def __init__(self, *, rngs: nnx.Rngs) -> None:
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 1024, rngs=rngs)
        self.logits = nnx.Linear(1024, 10, rngs=rngs)

    def __call__(self, images: jax.Array) -> jax.Array:
        """Take images of shape (n, 8, 8, 1), return logits of shape (n, 10)."""
        maps = nnx.max_pool(nnx.relu(self.conv(images)), (2, 2), strides=(2, 2))
        hidden = nnx.relu(self.hidden(maps.reshape(len(images), -1)))
        return self.logits(hidden)


graphdef, _ = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))
optimizer = optax.adam(optax.cosine_onecycle_schedule(8 * 22, 5e-3))


def loss(params: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Return the mean cross-entropy of images (n, 8, 8, 1) and labels (n,)."""
    logits = nnx.merge(graphdef, params)(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()  # type: ignore[no-any-return]


@jax.jit
def train_step(params: Any, opt_state: Any, images: jax.Array, labels: jax.Array) -> Any:
    """Take one step; return the new parameters and optimizer state, and the loss before it."""
    value, grads = jax.value_and_grad(loss)(params, images, labels)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


@jax.jit
def new_state(seed: Any) -> Any:
    """Draw the parameters of a new network, and initialize the optimizer."""
    _, params = nnx.split(CNN(rngs=nnx.Rngs(jax.random.key(seed))))
    return params, optimizer.init(params)


def train(seed: int, images: np.ndarray, labels: np.ndarray) -> Any:
    """Train a new network for eight epochs of 22 batches of 64 images."""
    (params, opt_state), rng = new_state(seed), np.random.default_rng(seed)
    for _ in range(8):
        for rows in rng.permutation(len(labels))[: 22 * 64].reshape(22, 64):
            batch = images[rows], labels[rows]
            params, opt_state, _ = train_step(params, opt_state, *batch)
    return params


@jax.jit
def logits_of(params: Any, images: jax.Array) -> jax.Array:
    """Return the logits, of shape (n, 10), of images of shape (n, 8, 8, 1)."""
    return nnx.merge(graphdef, params)(images)


def answers_of(params: Any, images: Any) -> np.ndarray:
    """Return the digit with the largest logit for each image of shape (8, 8, 1)."""
    return np.asarray(logits_of(params, images)).argmax(axis=1)  # type: ignore[no-any-return]


@jax.jit
def confusion(answers: jax.Array, labels: jax.Array) -> jax.Array:
    """Count how often each of the ten answers (column) was given for each label (row).

    >>> confusion(np.array([0, 1, 1]), np.array([0, 0, 1]))[:2, :2].tolist()
    [[1, 1], [0, 1]]
    """
    return jnp.zeros((10, 10), int).at[labels, answers].add(1)


@jax.jit
def saliency(params: Any, images: jax.Array, digits: jax.Array) -> jax.Array:
    """Differentiate the logit of a digit with respect to the pixels, for each image.

    The images have the shape (n, 8, 8, 1), as has the result, and the digits have the shape (n,).

    Source:
        Simonyan, Vedaldi and Zisserman (2013), https://arxiv.org/abs/1312.6034

    >>> params, _ = new_state(0)
    >>> saliency(params, np.zeros((2, 8, 8, 1)), np.array([3, 8])).shape
    (2, 8, 8, 1)
    """

    def logit(image: jax.Array, digit: jax.Array) -> jax.Array:
        return logits_of(params, image[None])[0, digit]  # type: ignore[no-any-return]

    return jax.vmap(jax.grad(logit))(images, digits)  # type: ignore[no-any-return]


@jax.jit
def attack(params: Any, images: jax.Array, labels: jax.Array, size: Any) -> jax.Array:
    """Change every pixel by ``size`` so that the loss grows, within 0 to 1.

    The images have the shape (n, 8, 8, 1) and the labels (n,); a negative size lowers the loss.

    Source:
        Goodfellow, Shlens and Szegedy (2014), https://arxiv.org/abs/1412.6572

    >>> params, _ = new_state(0)
    >>> changed = attack(params, np.full((1, 8, 8, 1), 0.5), np.array([3]), 0.25)
    >>> float(changed.min()), float(changed.max())
    (0.25, 0.75)
    """
    slopes = jax.grad(lambda images: loss(params, images, labels))(images)
    return jnp.clip(images + size * jnp.sign(slopes), 0, 1)


def loss_of_one(params: Any, image: jax.Array, label: jax.Array) -> jax.Array:
    """Return the loss of one image of shape (8, 8, 1)."""
    return loss(params, image[None], label[None])


def gradient_norms(params: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Return the norm of each image's own gradient, computed for 48 images at a time."""

    def norm(example: Any) -> jax.Array:
        return optax.tree.norm(jax.grad(loss_of_one)(params, *example))  # type: ignore[no-any-return]

    return jax.lax.map(norm, (images, labels), batch_size=48)  # type: ignore[no-any-return]


def draw(images: Any, slopes: Any) -> Figure:
    """Draw images above their saliency: red where ink raises the logit, blue where it lowers it."""
    figure = Figure(figsize=(6, 2.6), layout="constrained")
    for number, axes in enumerate(figure.subplots(2, len(slopes)).T):
        limit = abs(slopes[number]).max()
        axes[0].imshow(images[number, ..., 0], cmap="gray_r", vmin=0, vmax=1)
        axes[1].imshow(slopes[number, ..., 0], cmap="RdBu_r", vmin=-limit, vmax=limit)
        for ax in axes:
            ax.set_axis_off()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train a network and print what is inside."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    size = f"change of a pixel in the attack; {DEFAULT}"
    add("--size", type=real_number(0, 1), default=0.1, metavar="X", help=size)
    false_help = f"training labels to falsify; {DEFAULT}"
    add("--false-labels", type=whole_number(0, 400), default=40, metavar="N", help=false_help)
    add("--plot", type=picture_file, metavar="FILE", help="draw the saliency of five digits")
    options = parser.parse_args(arguments)

    pixels, digits = load_digits(return_X_y=True)
    all_images = np.float32(pixels / 16).reshape(-1, 8, 8, 1)
    split = train_test_split(all_images, digits, test_size=0.2, stratify=digits, random_state=0)
    images, test_images, labels, test_labels = split
    rng = np.random.default_rng(0)
    false = rng.choice(len(labels), options.false_labels, replace=False)
    labels[false] = (labels[false] + rng.integers(1, 10, len(false))) % 10

    params = train(0, images, labels)
    counts = np.array(confusion(answers_of(params, test_images), test_labels))
    print(f"accuracy {counts.trace() / counts.sum():.3f}; most frequent wrong answers:")
    np.fill_diagonal(counts, 0)
    for place in np.argsort(-counts, axis=None)[:5]:
        label, answer = divmod(int(place), 10)
        print(f"  {label} read as {answer}: {counts[label, answer]}")
    changed = attack(params, test_images, test_labels, options.size)
    still_right = (answers_of(params, changed) == test_labels).mean()
    print(f"accuracy after an attack of size {options.size:g}: {still_right:.3f}")
    suspects = np.argsort(-np.asarray(jax.jit(gradient_norms)(params, images, labels)))
    print("training images with the largest gradients:", *suspects[:8])
    hits = np.isin(suspects[: len(false)], false).sum()
    print(f"false labels among the {len(false)} largest: {hits}")
    if options.plot:
        slopes = saliency(params, test_images[:5], test_labels[:5])
        save(draw(test_images, np.asarray(slopes)), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
