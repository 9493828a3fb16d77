"""A classifier of handwritten digits from arrays and functions, with JAX alone.

The parameters are a list of layers, the forward pass and the loss are pure functions, and one step
of gradient descent with momentum is two calls of ``jax.tree.map``. One compiled program trains a
network from each of several seeds at once, so that the result comes with its spread.

    python examples/network_by_hand.py --seeds 5 --momentum 0.9 --hidden 64 --plot curves.svg

Source: scikit-learn's digits (1797 images of 8 x 8 pixels). He, Zhang, Ren and Sun (2015),
arXiv:1502.01852, for the spread of the initial weights.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "scikit-learn"]
# ///

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

Params = list[dict[str, jax.Array]]
State = tuple[Params, Params]
Activation = Callable[[jax.Array], jax.Array]
Advance = Callable[[State, jax.Array, jax.Array], tuple[State, jax.Array]]

# The parameters after every epoch of every network are kept: 100 million numbers fill 400 MB.
MAX_NUMBERS = 100_000_000


def load_data() -> tuple[jax.Array, jax.Array, jax.Array, jax.Array]:
    """Load the digits and keep one fifth of them for the test.

    Returns:
        Training images, float32, shape (1437, 64), from 0 to 1; test images, shape (360, 64);
        their labels, int32, shapes (1437,) and (360,), from 0 to 9.

    >>> [part.shape for part in load_data()]
    [(1437, 64), (360, 64), (1437,), (360,)]
    """
    images, labels = load_digits(return_X_y=True)
    parts = train_test_split(images / 16, labels, test_size=0.2, stratify=labels, random_state=0)
    train_images, test_images, train_labels, test_labels = map(jnp.array, parts)
    return train_images, test_images, train_labels, test_labels


def make_params(key: jax.Array, widths: Sequence[int]) -> Params:
    """Draw the initial parameters of a network.

    Args:
        key: A key from ``jax.random.key``.
        widths: The number of inputs, of the units of each hidden layer, and of outputs.

    Returns:
        One {"w": weights, "b": biases} per layer, of shapes (inputs, outputs) and (outputs,);
        float32. The weights are normal with the standard deviation sqrt(2 / inputs), the biases 0.

    Source:
        He, Zhang, Ren and Sun (2015), arXiv:1502.01852.

    >>> jax.tree.map(jnp.shape, make_params(jax.random.key(0), (64, 32, 10)))
    [{'b': (32,), 'w': (64, 32)}, {'b': (10,), 'w': (32, 10)}]
    """
    layers = []
    for n, m in itertools.pairwise(widths):
        key, layer_key = jax.random.split(key)
        weights = (2 / n) ** 0.5 * jax.random.normal(layer_key, (n * m,)).reshape(n, m)
        layers.append({"w": weights, "b": jnp.zeros(m)})
    return layers


def spreads(scale: float, n: int = 256) -> list[float]:
    """Send random inputs through 10 layers with ReLU, and measure how large they stay.

    Args:
        scale: The standard deviation of the weights; the biases are 0.
        n: Units of each layer, and the number of inputs.

    Returns:
        The root mean square of the activations after each layer, 10 numbers.

    >>> bool(0.3 < spreads((2 / 256) ** 0.5)[-1] < 3 and spreads(1)[-1] > 1e9)
    True
    """
    random = np.random.default_rng(1)
    h, found = random.normal(size=(n, n)), []
    for _ in range(10):
        h = np.maximum(h @ (scale * random.normal(size=(n, n))), 0)
        found.append(np.sqrt((h**2).mean()))
    return found


def predict(params: Params, images: jax.Array, activation: Activation = jax.nn.relu) -> jax.Array:
    """Compute the logits of images.

    Args:
        params: The layers, from ``make_params``.
        images: Shape (64,) or (N, 64).
        activation: What is applied to the units of each hidden layer.

    Returns:
        Logits, shape (10,) or (N, 10).

    >>> first = {"w": jnp.array([[1.0, -1.0]]), "b": jnp.zeros(2)}
    >>> last = {"w": jnp.ones((2, 1)), "b": jnp.zeros(1)}
    >>> predict([first, last], jnp.array([[-3.0], [2.0]])).tolist()  # |x|, from two units
    [[3.0], [2.0]]
    """
    *hidden, last = params
    for layer in hidden:
        images = activation(images @ layer["w"] + layer["b"])
    return images @ last["w"] + last["b"]


def cross_entropy(logits: jax.Array, label: jax.Array | int) -> jax.Array:
    """Compute minus the logarithm of the softmax probability of a label, by log-sum-exp.

    Args:
        logits: Shape (10,), or any number of classes.
        label: The true class, an integer from 0.

    Returns:
        The cross entropy in nats, shape (); finite for all finite logits whose differences are.

    >>> float(cross_entropy(jnp.array([200.0, 100.0, -100.0]), 2))
    300.0
    """
    shifted = logits - logits.max()
    return jnp.log(jnp.exp(shifted).sum()) - shifted[label]


def loss(
    params: Params, images: jax.Array, labels: jax.Array, activation: Activation = jax.nn.relu
) -> jax.Array:
    """Compute the mean cross entropy of a batch.

    Args:
        params: The layers.
        images: Shape (N, 64).
        labels: Integers from 0 to 9, shape (N,).
        activation: What is applied to the hidden units.

    Returns:
        The mean cross entropy in nats, shape ().

    >>> zeros = [{"w": jnp.zeros((64, 10)), "b": jnp.zeros(10)}]
    >>> round(float(loss(zeros, jnp.ones((3, 64)), jnp.array([0, 1, 2]))), 3)  # log 10
    2.303
    """
    logits = predict(params, images, activation)
    return jax.vmap(cross_entropy)(logits, labels).mean()


def accuracy(
    params: Params, images: jax.Array, labels: jax.Array, activation: Activation = jax.nn.relu
) -> jax.Array:
    """Compute the share of images whose largest logit is at the true label.

    Args:
        params: The layers.
        images: Shape (N, 64).
        labels: Integers from 0 to 9, shape (N,).
        activation: What is applied to the hidden units.

    Returns:
        A number from 0 to 1, shape ().

    >>> always_0 = [{"w": jnp.zeros((64, 10)), "b": jnp.zeros(10).at[0].set(1)}]
    >>> float(accuracy(always_0, jnp.ones((4, 64)), jnp.array([0, 1, 2, 0])))
    0.5
    """
    return (predict(params, images, activation).argmax(axis=-1) == labels).mean()


def step(
    state: State,
    images: jax.Array,
    labels: jax.Array,
    rate: float | jax.Array,
    momentum: float | jax.Array,
    activation: Activation = jax.nn.relu,
) -> tuple[State, jax.Array]:
    """Take one step of gradient descent with momentum.

    Args:
        state: The parameters, and the velocity, a tree of the same structure and shapes.
        images: A batch, shape (N, 64).
        labels: Integers from 0 to 9, shape (N,).
        rate: The learning rate, positive.
        momentum: What remains of the velocity, from 0 (plain gradient descent) to below 1.
        activation: What is applied to the hidden units.

    Returns:
        The state after the step, and the loss of the batch before it, shape ().

    >>> layer = [{"w": jnp.zeros((1, 2)), "b": jnp.zeros(2)}]
    >>> still = jax.tree.map(jnp.zeros_like, layer)
    >>> (after, velocity), _ = step((layer, still), jnp.ones((1, 1)), jnp.array([0]), 0.5, 0.9)
    >>> velocity[0]["b"].tolist(), after[0]["b"].tolist()
    ([-0.5, 0.5], [0.25, -0.25])
    """
    params, velocity = state
    value, slope = jax.value_and_grad(loss)(params, images, labels, activation)
    velocity = jax.tree.map(lambda v, g: momentum * v + g, velocity, slope)
    params = jax.tree.map(lambda p, v: p - rate * v, params, velocity)
    return (params, velocity), value


def batches(key: jax.Array, n: int, size: int = 32) -> jax.Array:
    """Shuffle the numbers of n examples and cut them into batches.

    Args:
        key: A key from ``jax.random.key``.
        n: How many examples.
        size: Examples in a batch, at most n.

    Returns:
        Integers from 0 to n - 1, shape (n // size, size), none twice. The remainder is left out.

    >>> batches(jax.random.key(0), 10, 4).shape
    (2, 4)
    """
    return jax.random.permutation(key, n)[: n // size * size].reshape(-1, size)


def epoch(
    advance: Advance, state: State, rows: jax.Array, images: jax.Array, labels: jax.Array
) -> tuple[State, tuple[Params, jax.Array]]:
    """Take one step for each batch.

    Args:
        advance: A step: takes a state, images and labels, returns a state and a loss.
        state: The parameters and the velocity.
        rows: The numbers of the examples of each batch, shape (B, size).
        images: All images, shape (N, 64).
        labels: All labels, shape (N,).

    Returns:
        The state after the last batch, and a pair: its parameters, and the mean loss, shape ().
    """

    def one_batch(state: State, chosen: jax.Array) -> tuple[State, jax.Array]:
        return advance(state, images[chosen], labels[chosen])

    state, losses = jax.lax.scan(one_batch, state, rows)
    return state, (state[0], losses.mean())


def train(
    advance: Advance, params: Params, order: jax.Array, images: jax.Array, labels: jax.Array
) -> tuple[Params, jax.Array]:
    """Train one network for several epochs.

    Args:
        advance: A step: takes a state, images and labels, returns a state and a loss.
        params: Where to start.
        order: The batches of each epoch, shape (E, B, size).
        images: All images, shape (N, 64).
        labels: All labels, shape (N,).

    Returns:
        The parameters after each epoch (each leaf has a new first axis of length E), and the mean
        loss of each epoch, shape (E,).
    """

    def one_epoch(state: State, rows: jax.Array) -> tuple[State, tuple[Params, jax.Array]]:
        return epoch(advance, state, rows, images, labels)

    start = (params, jax.tree.map(jnp.zeros_like, params))
    return jax.lax.scan(one_epoch, start, order)[1]


def train_all(
    networks: Params,
    orders: jax.Array,
    images: jax.Array,
    labels: jax.Array,
    rate: float | jax.Array,
    momentum: float | jax.Array,
    activation: Activation = jax.nn.relu,
) -> tuple[Params, jax.Array]:
    """Train several networks at once, each with its own start and its own batches.

    Args:
        networks: Where to start: a tree whose leaves have a first axis of length S.
        orders: The batches of each epoch of each network, shape (S, E, B, size).
        images: All images, shape (N, 64).
        labels: All labels, shape (N,).
        rate: The learning rate, positive.
        momentum: What remains of the velocity, from 0 to below 1.
        activation: What is applied to the hidden units.

    Returns:
        The parameters after each epoch, leaves of shape (S, E, ...), and losses, shape (S, E).

    >>> train_images, _, train_labels, _ = load_data()
    >>> networks, orders = prepare(2, 3, (64, 16, 10), len(train_labels))
    >>> history, losses = train_all(networks, orders, train_images, train_labels, 0.1, 0.9)
    >>> history[0]["w"].shape, losses.shape, bool((losses[:, -1] < losses[:, 0]).all())
    ((2, 3, 64, 16), (2, 3), True)
    """

    def alone(params: Params, order: jax.Array) -> tuple[Params, jax.Array]:
        def advance(state: State, images: jax.Array, labels: jax.Array) -> tuple[State, jax.Array]:
            return step(state, images, labels, rate, momentum, activation)

        return train(advance, params, order, images, labels)

    return jax.vmap(alone)(networks, orders)


def accuracies(
    history: Params, images: jax.Array, labels: jax.Array, activation: Activation = jax.nn.relu
) -> jax.Array:
    """Compute the accuracy of each network after each epoch.

    Args:
        history: From ``train_all``: leaves of shape (S, E, ...).
        images: Shape (N, 64).
        labels: Integers from 0 to 9, shape (N,).
        activation: What is applied to the hidden units.

    Returns:
        Numbers from 0 to 1, shape (S, E).
    """

    def one(params: Params) -> jax.Array:
        return accuracy(params, images, labels, activation)

    return jax.vmap(jax.vmap(one))(history)


def prepare(seeds: int, epochs: int, widths: Sequence[int], n: int) -> tuple[Params, jax.Array]:
    """Draw what several training runs begin with.

    Args:
        seeds: How many networks, S.
        epochs: How many epochs, E.
        widths: The number of inputs, of the units of each hidden layer, and of outputs.
        n: How many examples.

    Returns:
        The networks as one tree whose leaves have a first axis of length S, and the numbers of
        the examples in each batch, shape (S, E, n // 32, 32).

    >>> networks, orders = prepare(2, 3, (64, 16, 10), 100)
    >>> networks[1]["w"].shape, orders.shape
    ((2, 16, 10), (2, 3, 3, 32))
    """
    fold = jax.random.fold_in
    each = [make_params(fold(jax.random.key(3), k), widths) for k in range(seeds)]
    networks = jax.tree.map(lambda *leaves: jnp.stack(leaves), *each)
    shuffle = jax.jit(batches, static_argnames=("n", "size"))
    orders = [np.array(shuffle(fold(jax.random.key(4), k), n)) for k in range(seeds * epochs)]
    return networks, jnp.array(orders).reshape(seeds, epochs, -1, 32)


def draw(losses: np.ndarray, shares: np.ndarray) -> Figure:
    """Draw the losses and the accuracies over the epochs, with their spread.

    Args:
        losses: Training losses, shape (S, E).
        shares: Test accuracies, shape (S, E).

    Returns:
        Two graphs, one above the other: means as lines, ranges over the networks as bands.
    """
    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.subplots(2, sharex=True)
    t = np.arange(1, losses.shape[1] + 1)
    for ax, values, name in zip(axes, (losses, shares), ("$L$", "$A$"), strict=True):
        ax.plot(t, values.mean(axis=0), lw=2)
        ax.fill_between(t, values.min(axis=0), values.max(axis=0), alpha=0.3)
        ax.set_ylabel(name)
    axes[0].set_yscale("log")
    axes[1].set_xlabel("$t$")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train networks from several seeds, and print their losses and accuracies.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--epochs", "4", "--seeds", "2"])  # doctest: +ELLIPSIS
    2 networks of 4810 parameters, 4 epochs
    training loss  mean ...  min ...  max ...
    test accuracy  mean 0.9...  min ...  max ...
    0
    """
    parser = command_line(__doc__)

    def add(name: str, kind: Callable[[str], Any], default: Any, text: str, **more: Any) -> None:
        help_ = f"{text} (default: %(default)s)"
        parser.add_argument(name, type=kind, default=default, help=help_, **more)

    add("--epochs", whole_number(1, 1000), 30, "how often all images are seen", metavar="N")
    add("--seeds", whole_number(1, 100), 5, "how many networks", metavar="N")
    add("--learning-rate", real_number(1e-6, 100), 0.05, "factor of the step", metavar="RATE")
    add("--momentum", real_number(0, 0.999), 0.9, "what remains of the velocity", metavar="MU")
    hidden = "units of each hidden layer; none for a linear model"
    add("--hidden", whole_number(1, 4096), [64], hidden, metavar="N", nargs="*")
    parser.add_argument("--plot", type=picture_file, metavar="FILE", help="draw curves into FILE")
    options = parser.parse_args(arguments)

    widths = (64, *options.hidden, 10)
    size = sum((n + 1) * m for n, m in itertools.pairwise(widths))
    if size * options.seeds * options.epochs > MAX_NUMBERS:
        parser.error("too much to keep: give fewer of --hidden, --seeds or --epochs")
    train_images, test_images, train_labels, test_labels = load_data()
    networks, orders = prepare(options.seeds, options.epochs, widths, len(train_labels))
    run = jax.jit(train_all)
    rates = options.learning_rate, options.momentum
    history, losses = run(networks, orders, train_images, train_labels, *rates)
    losses = np.array(losses)
    if not np.isfinite(losses).all():
        parser.error(f"--learning-rate {options.learning_rate:g} diverges: give a smaller one")
    shares = np.array(jax.jit(accuracies)(history, test_images, test_labels))
    if options.plot:
        save(draw(losses, shares), options.plot, parser)
    print(f"{options.seeds} networks of {size} parameters, {options.epochs} epochs")
    for name, values in {"training loss": losses[:, -1], "test accuracy": shares[:, -1]}.items():
        mean, low, high = values.mean(), values.min(), values.max()
        print(f"{name}  mean {mean:.4f}  min {low:.4f}  max {high:.4f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
