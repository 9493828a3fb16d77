"""Train one small network with each of JAX, Flax, Optax and Orbax exchanged in turn.

A noisy sine is learnt by a network with one hidden layer. The network is a plain function
with a dictionary or a Flax model, and the optimizer is one of Optax or a class of a few
lines. One function, ``fit``, trains all four combinations, because the parts meet in trees
of arrays. Orbax writes each result into a temporary folder and reads it back.

    python examples/who_does_what.py --optimizer adam --steps 500

Source: the division of labour of JAX, Flax and Optax is that of the slides of a Japanese talk
of 2022; Orbax and the code are new.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flax", "optax", "orbax-checkpoint", "matplotlib"]
# ///

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol

import jax
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp
from _command_line import command_line, picture_file, real_number, save, whole_number
from flax import nnx
from matplotlib.figure import Figure

# A tree of arrays: a dictionary made by hand, or the state of a Flax model.
Params = Any
Layers = dict[str, dict[str, jax.Array]]
Predict = Callable[[Params, jax.Array], jax.Array]

# One float32 number is kept for each step.
MAX_STEPS = 100_000


class Optimizer(Protocol):
    """What ``fit`` needs of an optimizer; those of Optax have it."""

    def init(self, params: Params, /) -> Any:
        """Give the state before the first step, a tree of arrays."""

    def update(self, grads: Params, state: Any, params: Params, /) -> tuple[Params, Any]:
        """Give what is to be added to the parameters, and the next state."""


def make_data(key: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """Draw n points near the curve y = sin(3 x).

    Args:
        key: A key from ``jax.random.key``.
        n: How many points.

    Returns:
        x, shape (n, 1), uniform on [-1, 1), and y = sin(3 x) + 0.1 N(0, 1), shape (n, 1); float32.

    >>> x, y = make_data(jax.random.key(0), 64)
    >>> x.shape, y.shape
    ((64, 1), (64, 1))
    """
    key_x, key_noise = jax.random.split(key)
    x = jax.random.uniform(key_x, (n, 1), minval=-1, maxval=1)
    return x, jnp.sin(3 * x) + 0.1 * jax.random.normal(key_noise, (n, 1))


def predict(params: Layers, x: jax.Array) -> jax.Array:
    """Evaluate the network in JAX alone.

    Args:
        params: {"hidden", "out"}, each {"kernel": (inputs, outputs), "bias": (outputs,)}.
        x: Inputs, shape (n, 1).

    Returns:
        tanh(x hidden) out, with the biases, shape (n, 1).

    >>> zero = {"kernel": jnp.zeros((1, 1)), "bias": jnp.ones(1)}
    >>> float(predict({"hidden": zero, "out": zero}, jnp.ones((1, 1)))[0, 0])
    1.0
    """
    hidden = jnp.tanh(x @ params["hidden"]["kernel"] + params["hidden"]["bias"])
    return hidden @ params["out"]["kernel"] + params["out"]["bias"]


def loss(params: Params, predict: Predict, x: jax.Array, y: jax.Array) -> jax.Array:
    """Give the mean squared error of a network.

    Args:
        params: The parameters, any tree that ``predict`` takes.
        predict: Takes the parameters and inputs of shape (n, 1), and returns shape (n, 1).
        x: Inputs, shape (n, 1).
        y: Targets, shape (n, 1).

    Returns:
        The mean of (predict(params, x) - y)², shape ().

    >>> line = lambda slope, x: slope * x
    >>> float(loss(jnp.array(2.0), line, jnp.ones((4, 1)), jnp.zeros((4, 1))))
    4.0
    """
    return jnp.mean((predict(params, x) - y) ** 2)


class Network(nnx.Module):
    """The same network, with layers of Flax that own their parameters.

    Args:
        width: Size of the hidden layer.
        rngs: Where the initial values come from.

    >>> model = Network(16, nnx.Rngs(0))
    >>> params = nnx.to_pure_dict(nnx.state(model))
    >>> jax.tree.map(jnp.shape, params)["hidden"]
    {'bias': (16,), 'kernel': (1, 16)}
    >>> x = jnp.linspace(-1, 1, 5)[:, None]
    >>> bool(jnp.allclose(predict(params, x), model(x), atol=1e-6))
    True
    """

    def __init__(self, width: int, rngs: nnx.Rngs) -> None:
        self.hidden = nnx.Linear(1, width, rngs=rngs)
        self.out = nnx.Linear(width, 1, rngs=rngs)

    def __call__(self, x: jax.Array) -> jax.Array:
        """Take inputs of shape (n, 1), return outputs of shape (n, 1)."""
        return self.out(jnp.tanh(self.hidden(x)))


class GradientDescent:
    """Plain gradient descent with the two functions of an optimizer, without Optax.

    Args:
        learning_rate: Factor of the gradient, positive.

    >>> optimizer = GradientDescent(0.5)
    >>> optimizer.update({"a": 2.0}, optimizer.init({"a": 1.0}), {"a": 1.0})
    ({'a': -1.0}, ())
    """

    def __init__(self, learning_rate: float) -> None:
        self.learning_rate = learning_rate

    def init(self, params: Params) -> tuple[()]:
        """Give the empty state: every step is like the first."""
        return ()

    def update(self, grads: Params, state: tuple[()], params: Params) -> tuple[Params, tuple[()]]:
        """Turn the gradients round and scale them."""
        return jax.tree.map(lambda g: -self.learning_rate * g, grads), state


def fit(
    predict: Predict,
    params: Params,
    optimizer: Optimizer,
    x: jax.Array,
    y: jax.Array,
    steps: int,
) -> tuple[tuple[Params, Any], jax.Array]:
    """Train any network with any optimizer in one compiled loop.

    Args:
        predict: Takes the parameters and inputs of shape (n, 1), and returns shape (n, 1).
        params: Where to start, a tree of arrays.
        optimizer: One of Optax, or another object with ``init`` and ``update``.
        x: Inputs, shape (n, 1).
        y: Targets, shape (n, 1).
        steps: How many steps.

    Returns:
        The parameters and the state of the optimizer after the last step, and the loss before
        each step, shape (steps,).

    Raises:
        TypeError: If an array of the parameters changes its dtype in a step (an integer start).

    >>> x, y = make_data(jax.random.key(0), 64)
    >>> params = nnx.to_pure_dict(nnx.state(Network(16, nnx.Rngs(0))))
    >>> _, by_hand = fit(predict, params, GradientDescent(0.1), x, y, 50)
    >>> _, by_optax = fit(predict, params, optax.sgd(0.1), x, y, 50)
    >>> by_hand.shape, bool(jnp.allclose(by_hand, by_optax, rtol=1e-3))
    ((50,), True)
    """

    def step(carry: tuple[Params, Any], _: None) -> tuple[tuple[Params, Any], jax.Array]:
        params, state = carry
        value, grads = jax.value_and_grad(loss)(params, predict, x, y)
        updates, state = optimizer.update(grads, state, params)
        return (jax.tree.map(jnp.add, params, updates), state), value

    return jax.lax.scan(step, (params, optimizer.init(params)), length=steps)


def returns_from_disk(tree: Params) -> bool:
    """Tell whether Orbax reads back, bit for bit, what it wrote.

    Args:
        tree: Any tree of arrays.

    Returns:
        Whether every array has the same bits.

    Raises:
        OSError: If the temporary folder cannot be written.
        ValueError: If the tree that was read has another structure.

    >>> returns_from_disk({"a": jnp.arange(3.0), "b": jnp.float32(jnp.nan)})
    True
    """
    with tempfile.TemporaryDirectory() as folder, ocp.StandardCheckpointer() as checkpointer:
        checkpointer.save(Path(folder) / "tree", tree)
        checkpointer.wait_until_finished()
        read = checkpointer.restore(Path(folder) / "tree", tree)
    same = jax.tree.map(lambda a, b: np.asarray(a).tobytes() == np.asarray(b).tobytes(), tree, read)
    return all(jax.tree.leaves(same))


def optimizers(name: str, learning_rate: float) -> dict[str, Optimizer]:
    """Choose the optimizers to compare.

    Args:
        name: "sgd" or "adam".
        learning_rate: Factor of the gradient, positive.

    Returns:
        The optimizer of Optax, and for "sgd" the one by hand, each under the name it is printed
        with.

    >>> list(optimizers("sgd", 0.1))
    ['optax.sgd', 'by hand']
    """
    if name == "adam":
        return {"optax.adam": optax.adam(learning_rate)}
    return {"optax.sgd": optax.sgd(learning_rate), "by hand": GradientDescent(learning_rate)}


def draw(x: jax.Array, y: jax.Array, curve: Callable[[jax.Array], jax.Array]) -> Figure:
    """Draw the data and a curve through them.

    Args:
        x: Inputs, shape (n, 1).
        y: Targets, shape (n, 1).
        curve: Takes inputs of shape (200, 1), and returns shape (200, 1).

    Returns:
        The points in grey and the curve in red.
    """
    grid = jnp.linspace(-1, 1, 200)[:, None]
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(x, y, "o", ms=4, color="0.6")
    axes.plot(grid, curve(grid), lw=2, color="#b3430f")
    axes.set(xlabel="$x$", ylabel="$y$")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train each combination, and print its loss and what Orbax gives back.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--steps", "20", "--width", "4"])  # doctest: +ELLIPSIS
    jax       optax.sgd   loss = ...  read back: True
    jax       by hand     loss = ...  read back: True
    flax.nnx  optax.sgd   loss = ...  read back: True
    flax.nnx  by hand     loss = ...  read back: True
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    add("--optimizer", choices=["sgd", "adam"], default="sgd", help=default)
    add("--learning-rate", type=real_number(1e-6, 10), default=0.1, metavar="RATE", help=default)
    add("--steps", type=whole_number(1, MAX_STEPS), default=300, metavar="N", help=default)
    add("--width", type=whole_number(1, 1000), default=16, metavar="N", help=default)
    add("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N", help=default)
    add("--plot", type=picture_file, metavar="FILE", help="draw the trained network into FILE")
    options = parser.parse_args(arguments)

    x, y = make_data(jax.random.key(options.seed), 64)
    graphdef, params = nnx.split(Network(options.width, nnx.Rngs(options.seed)))

    def predict_flax(params: Params, x: jax.Array) -> jax.Array:
        return nnx.merge(graphdef, params)(x)

    networks = {"jax": (predict, nnx.to_pure_dict(params)), "flax.nnx": (predict_flax, params)}
    lines = []
    for network, (function, start) in networks.items():
        for name, optimizer in optimizers(options.optimizer, options.learning_rate).items():
            (trained, state), losses = fit(function, start, optimizer, x, y, options.steps)
            final = float(loss(trained, function, x, y))
            # NaN fails this comparison too, so a descent that overflowed is caught here.
            if not final <= float(losses[0]):
                parser.error(
                    f"--learning-rate {options.learning_rate:g} diverges: give a smaller one"
                )
            back = returns_from_disk({"params": trained, "state": state})
            lines.append(f"{network:<8}  {name:<10}  loss = {final:.6f}  read back: {back}")
    if options.plot:
        save(draw(x, y, lambda grid: function(trained, grid)), options.plot, parser)
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
