"""A classifier of handwritten digits from arrays and functions, with JAX alone.

The parameters are a list of layers, an epoch is one ``jax.lax.scan`` over batches, and ``jax.vmap``
trains a network from each of several seeds at once, so that the result comes with its spread.

    python examples/network_by_hand.py --seeds 10 --epochs 30 --hidden 64 --plot losses.svg

Source: scikit-learn's digits (1797 images of 8 x 8 pixels). He, Zhang, Ren and Sun (2015),
arXiv:1502.01852, for the scale of the initial weights.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "scikit-learn"]
# ///

import itertools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

Params = list[dict[str, jax.Array]]
History = dict[str, jax.Array]
Rate = float | jax.Array
Part = tuple[jax.Array, jax.Array]
Data = tuple[Part, Part]

MAX_WORK = 1_000_000_000  # parameters times networks times epochs: some minutes


def load_data() -> Data:
    """Load the digits, and keep one fifth of them for validation.

    Returns:
        Images and labels for training, then for validation. Images are float32 from 0 to 1, of
        shapes (1437, 64) and (360, 64); labels are int32 from 0 to 9.
    """
    images, labels = load_digits(return_X_y=True)
    parts = train_test_split(images / 16, labels, test_size=0.2, stratify=labels, random_state=0)
    train_x, valid_x, train_y, valid_y = map(jnp.array, parts)
    return (train_x, train_y), (valid_x, valid_y)


def make_params(key: jax.Array, widths: Sequence[int]) -> Params:
    """Draw the initial parameters of a network.

    Args:
        key: A key from ``jax.random.key``.
        widths: The number of inputs, of the units of each hidden layer, and of outputs.

    Returns:
        For each layer weights of shape (inputs, outputs) and biases of shape (outputs,), float32.
        The weights have the standard deviation sqrt(2 / inputs); the biases are 0.

    >>> jax.tree.map(jnp.shape, make_params(jax.random.key(0), (64, 32, 10)))
    [{'b': (32,), 'w': (64, 32)}, {'b': (10,), 'w': (32, 10)}]
    """
    keys = jax.random.split(key, len(widths) - 1)
    return [
        {"w": jax.random.normal(key, (n, m)) * (2 / n) ** 0.5, "b": jnp.zeros(m)}
        for key, (n, m) in zip(keys, itertools.pairwise(widths), strict=True)
    ]


def predict(params: Params, x: jax.Array) -> jax.Array:
    """Compute the scores of images: (N, 64) gives (N, 10), and (64,) gives (10,)."""
    *hidden_layers, last = params
    for layer in hidden_layers:
        x = jax.nn.relu(x @ layer["w"] + layer["b"])
    return x @ last["w"] + last["b"]


def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    """Average the cross-entropy, in nats, of images (N, 64) with labels (N,).

    >>> zeros = [{"w": jnp.zeros((64, 10)), "b": jnp.zeros(10)}]
    >>> round(float(loss(zeros, jnp.ones((3, 64)), jnp.array([0, 1, 2]))), 3)  # log 10
    2.303
    """
    log_probabilities = jax.nn.log_softmax(predict(params, x))
    return -log_probabilities[jnp.arange(len(y)), y].mean()


def accuracy(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    """Compute the fraction of images whose largest score is that of the label."""
    return (predict(params, x).argmax(axis=-1) == y).mean()


def step(params: Params, x: jax.Array, y: jax.Array, rate: Rate) -> tuple[Params, jax.Array]:
    """Take one step of gradient descent; return the parameters and the loss before it."""
    value, grads = jax.value_and_grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - rate * g, params, grads), value


def batches(key: jax.Array, n: int, size: int = 32) -> jax.Array:
    """Shuffle the indices of n examples and cut them into rows; leave out the remainder."""
    return jax.random.permutation(key, n)[: n // size * size].reshape(-1, size)


def epoch(
    params: Params, rows: jax.Array, x: jax.Array, y: jax.Array, rate: Rate
) -> tuple[Params, jax.Array]:
    """Take one step for each row of ``batches``; return the parameters and the losses."""

    def one_batch(params: Params, row: jax.Array) -> tuple[Params, jax.Array]:
        return step(params, x[row], y[row], rate)

    return jax.lax.scan(one_batch, params, rows)


def train(params: Params, keys: jax.Array, data: Data, rate: Rate) -> tuple[Params, History]:
    """Train one network, one epoch for each key; ``jax.vmap`` trains those of ``prepare``.

    Args:
        params: Where to start, from ``make_params``.
        keys: Random keys, shape (E,). Each shuffles the batches of one epoch.
        data: Images and labels, for training and for validation.
        rate: The learning rate.

    Returns:
        The trained parameters, and two arrays of shape (E,): the mean training loss of each epoch,
        and the validation loss after it.

    >>> networks, keys = prepare(jax.random.key(0), 2, 3, (64, 16, 10))
    >>> several = jax.vmap(train, in_axes=(0, 0, None, None))
    >>> trained, history = several(networks, keys, load_data(), 0.1)
    >>> trained[0]["w"].shape, history["training"].shape
    ((2, 64, 16), (2, 3))
    """
    (x, y), validation = data

    def one_epoch(params: Params, key: jax.Array) -> tuple[Params, History]:
        params, losses = epoch(params, batches(key, len(y)), x, y, rate)
        return params, {"training": losses.mean(), "validation": loss(params, *validation)}

    return jax.lax.scan(one_epoch, params, keys)


def prepare(
    key: jax.Array, seeds: int, epochs: int, widths: Sequence[int] = (64, 64, 10)
) -> tuple[Params, jax.Array]:
    """Draw several networks, stacked along a first axis, and keys of shape (seeds, epochs)."""
    start_key, order_key = jax.random.split(key)
    start_keys = jax.random.split(start_key, seeds)
    networks = jax.vmap(lambda key: make_params(key, widths))(start_keys)
    return networks, jax.random.split(order_key, (seeds, epochs))


def draw(history: dict[str, np.ndarray]) -> Figure:
    """Draw the training and validation losses of all networks over the epochs."""
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    for (name, values), color in zip(history.items(), ("#0b5fa5", "#b3430f"), strict=True):
        lines = ax.semilogy(range(1, values.shape[1] + 1), values.T, color=color, lw=0.8)
        lines[0].set_label(name)
    ax.set(xlabel="epoch", ylabel="loss")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train networks from several seeds, and print their losses and accuracies."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--epochs", type=whole_number(1, 1000), default=30, metavar="N", help=DEFAULT)
    add("--seeds", type=whole_number(1, 100), default=10, metavar="N", help=f"networks; {DEFAULT}")
    add("--learning-rate", type=real_number(1e-6, 100), default=0.3, metavar="R", help=DEFAULT)
    hidden = "units of each hidden layer, none for a linear model; default: 64"
    add("--hidden", type=whole_number(1, 4096), nargs="*", default=[64], metavar="N", help=hidden)
    add("--plot", type=picture_file, metavar="FILE", help="draw the losses into FILE")
    options = parser.parse_args(arguments)
    widths = (64, *options.hidden, 10)
    size = sum((n + 1) * m for n, m in itertools.pairwise(widths))
    if size * options.seeds * options.epochs > MAX_WORK:
        parser.error("this would take too long: give fewer of --hidden, --seeds or --epochs")

    data = load_data()
    networks, keys = prepare(jax.random.key(1), options.seeds, options.epochs, widths)
    run = jax.jit(jax.vmap(train, in_axes=(0, 0, None, None)))
    trained, curves = run(networks, keys, data, options.learning_rate)
    history = {name: np.asarray(values) for name, values in curves.items()}
    if not all(np.isfinite(values).all() for values in history.values()):
        parser.error(f"--learning-rate {options.learning_rate:g} diverges: give a smaller one")
    if options.plot:
        save(draw(history), options.plot, parser)
    results = {f"{name} loss": values[:, -1] for name, values in history.items()}
    right = jax.vmap(accuracy, in_axes=(0, None, None))(trained, *data[1])
    results["validation accuracy"] = np.asarray(right)
    print(f"{options.seeds} networks of {size} parameters, {options.epochs} epochs")
    for name, values in results.items():
        print(f"{name:20} mean {values.mean():.4f}  min {values.min():.4f}  max {values.max():.4f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
