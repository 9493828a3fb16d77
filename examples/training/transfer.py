"""Adapt a trained network to other images, with a few examples of each kind.

A source that reads clean digits is adapted to noisy ones: its last layer only, or all layers. You
will see the test accuracy of both beside training from scratch, for five sources, each with a
draw of the examples.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "flax>=0.12", "matplotlib", "optax", "scikit-learn"]
# ///

import functools

import jax
import matplotlib.pyplot as plt
import numpy as np
import optax
from flax import nnx
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

SHOTS = 3  # noisy images of each digit
STEPS, BATCH, SEEDS = 150, 32, 5


class CNN(nnx.Module):
    """Classify images (n, 8, 8, 1): logits (n, 10)."""

    def __init__(self, *, rngs):
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 256, rngs=rngs)
        self.logits = nnx.Linear(256, 10, rngs=rngs)

    def __call__(self, images):
        """Return the logits."""
        maps = nnx.max_pool(nnx.relu(self.conv(images)), (2, 2), strides=(2, 2))
        return self.logits(nnx.relu(self.hidden(maps.reshape(len(images), -1))))


graphdef, _ = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))


def groups(params):
    """Name the group of each parameter: "last" for the last layer, else "early".

    >>> groups({"conv": {"bias": 0}, "logits": {"bias": 0}})
    {'conv': {'bias': 'early'}, 'logits': {'bias': 'last'}}
    """
    return jax.tree.map_with_path(
        lambda path, _: "last" if path[0].key == "logits" else "early", params
    )


from_scratch = optax.adam(1e-3)
fine_tuning = optax.adam(3e-4)
last_layer = optax.partition({"last": optax.adam(1e-3), "early": optax.set_to_zero()}, groups)


@jax.jit
def new_params(seed):
    """Draw initial parameters."""
    return nnx.split(CNN(rngs=nnx.Rngs(jax.random.key(seed))))[1]


@functools.partial(jax.jit, static_argnames="optimizer")
def train(params, images, labels, batches, optimizer):
    """Take a step for each row of batches, (steps, size), indices of images and labels."""

    def loss(params, images, labels):
        logits = nnx.merge(graphdef, params)(images)
        return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()

    def step(carry, rows):
        params, opt_state = carry
        grads = jax.grad(loss)(params, images[rows], labels[rows])
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), None

    return jax.lax.scan(step, (params, optimizer.init(params)), batches)[0][0]


@jax.jit
def accuracy(params, images, labels):
    """Return the fraction of images that are classified correctly."""
    return (nnx.merge(graphdef, params)(images).argmax(axis=1) == labels).mean()


def few(rng, labels, shots):
    """Choose the indices of some images of each digit.

    >>> labels = np.array([0, 1, 0, 1, 0])
    >>> sorted(labels[few(np.random.default_rng(0), labels, 2)].tolist())
    [0, 0, 1, 1]
    """
    order = rng.permutation(len(labels))
    return np.concatenate([order[labels[order] == digit][:shots] for digit in np.unique(labels)])


def main():
    """Train the sources, adapt them in both ways, and draw all accuracies."""
    images, labels = load_digits(return_X_y=True)
    images = np.float32(images / 16).reshape(-1, 8, 8, 1)
    parts = train_test_split(images, labels, test_size=0.2, stratify=labels, random_state=0)
    images, test_images, labels, test_labels = parts
    rng = np.random.default_rng(0)
    sources = []
    for seed in range(SEEDS):
        batches = rng.integers(len(labels), size=(STEPS, BATCH))
        sources.append(train(new_params(seed), images, labels, batches, from_scratch))
    noisy, noisy_test = (
        np.maximum(part, 0.8 * rng.random(part.shape, dtype=np.float32))
        for part in (images, test_images)
    )
    unchanged = [float(accuracy(source, noisy_test, test_labels)) for source in sources]
    print(f"the sources as they are: {np.mean(unchanged):.1%} correct")
    ways = {
        "last layer": (sources, last_layer),
        "all layers": (sources, fine_tuning),
        "from scratch": ([new_params(100 + seed) for seed in range(SEEDS)], from_scratch),
    }
    for name, (starts, optimizer) in ways.items():
        scores = []
        for seed in range(SEEDS):
            rng = np.random.default_rng(seed)  # the same examples and batches for each way
            batches = rng.choice(few(rng, labels, SHOTS), size=(STEPS, BATCH))
            params = train(starts[seed], noisy, labels, batches, optimizer)
            scores.append(float(accuracy(params, noisy_test, test_labels)))
        print(f"{name:14}{np.mean(scores):.1%} ± {np.std(scores):.1%}")
        plt.plot([name] * SEEDS, scores, "o")
    plt.ylabel("test accuracy")
    plt.ylim(0, 1)
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("transfer.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
