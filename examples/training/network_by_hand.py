"""A classifier of handwritten digits from arrays and functions, with JAX alone.

An epoch is one scan over batches, and vmap trains a network from each of ten seeds at once: you
will see their losses as ten lines, and the mean accuracy with its spread.
The initial weights follow He and others (2015), https://arxiv.org/abs/1502.01852.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib", "scikit-learn"]
# ///

import itertools

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

WIDTHS = (64, 64, 10)  # inputs, hidden units, outputs
SEEDS, EPOCHS, BATCH, RATE = 10, 30, 32, 0.3


def load_data():
    """Return images (n, 64), from 0 to 1, and labels (n,), for training and for validation."""
    images, labels = load_digits(return_X_y=True)
    images = (images / 16).astype(np.float32)
    parts = train_test_split(images, labels, test_size=0.2, stratify=labels, random_state=0)
    return (parts[0], parts[2]), (parts[1], parts[3])


def make_params(key, widths):
    """Draw the layers of a network: weights (inputs, outputs) and biases (outputs,).

    >>> jax.tree.map(jnp.shape, make_params(jax.random.key(0), (64, 32, 10)))
    [{'b': (32,), 'w': (64, 32)}, {'b': (10,), 'w': (32, 10)}]
    """
    keys = jax.random.split(key, len(widths) - 1)
    return [
        {"w": jax.random.normal(key, (n, m)) * (2 / n) ** 0.5, "b": jnp.zeros(m)}
        for key, (n, m) in zip(keys, itertools.pairwise(widths), strict=True)
    ]


def predict(params, x):
    """Compute the scores of images: (n, 64) gives (n, 10)."""
    *hidden_layers, last = params
    for layer in hidden_layers:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ last["w"] + last["b"]


def loss(params, x, y):
    """Average the cross-entropy, in nats, of images (n, 64) with labels (n,).

    >>> zeros = [{"w": jnp.zeros((64, 10)), "b": jnp.zeros(10)}]
    >>> round(float(loss(zeros, jnp.ones((3, 64)), jnp.array([0, 1, 2]))), 3)  # log 10
    2.303
    """
    log_probabilities = jax.nn.log_softmax(predict(params, x))
    return -log_probabilities[jnp.arange(len(y)), y].mean()


def train(key, training, validation, epochs=EPOCHS):
    """Train one network; mapped over keys, it trains one for each.

    Returns:
        The parameters, and two arrays of shape (epochs,): mean training loss of each epoch, and
        validation loss after it.

    >>> data = np.eye(40, 64, dtype=np.float32), np.arange(40) % 10
    >>> params, history = jax.jit(jax.vmap(lambda key: train(key, data, data, 3)))(
    ...     jax.random.split(jax.random.key(0), 2))
    >>> params[0]["w"].shape, history["training"].shape
    ((2, 64, 64), (2, 3))
    """
    x, y = map(jnp.asarray, training)

    def one_batch(params, rows):
        value, grads = jax.value_and_grad(loss)(params, x[rows], y[rows])
        return jax.tree.map(lambda p, g: p - RATE * g, params, grads), value

    def one_epoch(params, key):
        order = jax.random.permutation(key, len(y))
        order = order[: len(y) // BATCH * BATCH].reshape(-1, BATCH)
        params, losses = jax.lax.scan(one_batch, params, order)
        return params, {"training": losses.mean(), "validation": loss(params, *validation)}

    key_start, key_order = jax.random.split(key)
    params = make_params(key_start, WIDTHS)
    return jax.lax.scan(one_epoch, params, jax.random.split(key_order, epochs))


def main():
    """Train all networks in one program, print their accuracies, and draw their losses."""
    training, validation = load_data()

    @jax.jit
    def train_all(keys):
        params, history = jax.vmap(lambda key: train(key, training, validation))(keys)
        scores = jax.vmap(predict, in_axes=(0, None))(params, validation[0])
        return history, (scores.argmax(axis=-1) == validation[1]).mean(axis=1)

    history, accuracy = train_all(jax.random.split(jax.random.key(1), SEEDS))
    print(f"{SEEDS} networks, validation accuracy {accuracy.mean():.1%} ± {accuracy.std():.1%}")
    for (name, values), color in zip(history.items(), ("#0b5fa5", "#b3430f"), strict=True):
        plt.semilogy(range(1, EPOCHS + 1), values.T, color=color, lw=0.8)
        plt.plot([], color=color, label=name)
    plt.xlabel("epoch")
    plt.ylabel("loss")
    plt.legend()
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("network_by_hand.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
