"""Move a network of Flax Linen to Flax NNX, and print how far the numbers differ.

The network, the loss and the training step of 2022 run unchanged beside their NNX form, from the
same initial weights: the logits, the losses, the trained weights, the running means of a batch
normalisation, training that goes on from the old checkpoint, and the old module wrapped as NNX.

Usage: ``python examples/linen_to_nnx.py --steps 20 --seed 0 --plot losses.png``

Source: the single-layer CNN of the slides of a Japanese talk on JAX and Flax (2022).
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flax", "optax", "scikit-learn", "matplotlib"]
# ///

from collections.abc import Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import command_line, picture_file, real_number, save, whole_number
from flax import linen as nn
from flax import nnx, serialization
from flax.training.train_state import TrainState
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

Batch = tuple[jax.Array, jax.Array]

LAYERS = {"Conv_0": "conv", "Dense_0": "hidden", "Dense_1": "logits"}
NET_LAYERS = {"BatchNorm_0": "norm", "Dense_0": "logits"}
BATCH = 32
# A step takes some 10 ms: 10 000 steps in both forms are a few minutes.
MAX_STEPS = 10_000


class SingleLayerCNN(nn.Module):
    """The Linen network of the slides, for images of 8 × 8 pixels.

    >>> sizes = jax.eval_shape(SingleLayerCNN().init, jax.random.key(0), jnp.zeros((1, 8, 8, 1)))
    >>> sorted(sizes["params"])
    ['Conv_0', 'Dense_0', 'Dense_1']
    """

    @nn.compact
    def __call__(self, x: jax.Array, get_logits: bool = False) -> jax.Array:
        """Give probabilities, or logits, shape (N, 10), of images of shape (N, 8, 8, 1)."""
        x = x.reshape([-1, 8, 8, 1])
        x = nn.relu(nn.Conv(features=16, kernel_size=(5, 5))(x))
        x = nn.max_pool(x, window_shape=(2, 2), strides=(2, 2))
        x = x.reshape([x.shape[0], -1])
        x = nn.relu(nn.Dense(features=1024)(x))
        x = nn.Dense(features=10)(x)
        return x if get_logits else nn.softmax(x)


@jax.jit
def loss_fn(params: Any, state: Any, inputs: jax.Array, labels: jax.Array) -> Any:
    """Give the mean cross entropy, as in the slides.

    Args:
        params: The dictionary of parameters.
        state: A ``TrainState``, of which only ``apply_fn`` is used.
        inputs: Images, shape (N, 8, 8, 1).
        labels: One-hot, shape (N, 10).

    Returns:
        The loss in nats, shape ().
    """
    logits = state.apply_fn({"params": params}, inputs, get_logits=True)
    return optax.softmax_cross_entropy(logits, labels).mean()


@jax.jit
def train_step(state: Any, inputs: jax.Array, labels: jax.Array) -> tuple[Any, jax.Array]:
    """Take one step, as in the slides.

    Args:
        state: A ``TrainState``; it is not changed.
        inputs: Images, shape (N, 8, 8, 1).
        labels: One-hot, shape (N, 10).

    Returns:
        The next ``TrainState``, and the loss before the step, shape ().
    """
    value, grads = jax.value_and_grad(loss_fn)(state.params, state, inputs, labels)
    return state.apply_gradients(grads=grads), value


class CNN(nnx.Module):
    """The same network in NNX.

    Args:
        side: Height and width of an image, even.
        classes: How many there are.
        rngs: Where the initial weights come from.

    >>> model = CNN(8, 10, rngs=nnx.Rngs(0))
    >>> model(jnp.zeros((5, 8, 8, 1))).sum(axis=1).round(3).tolist()
    [1.0, 1.0, 1.0, 1.0, 1.0]
    """

    def __init__(self, side: int, classes: int, *, rngs: nnx.Rngs):
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear((side // 2) ** 2 * 16, 1024, rngs=rngs)
        self.logits = nnx.Linear(1024, classes, rngs=rngs)

    def __call__(self, images: jax.Array, get_logits: bool = False) -> jax.Array:
        """Give probabilities, or logits, shape (N, classes), of images (N, side, side, 1)."""
        maps = nnx.max_pool(nnx.relu(self.conv(images)), (2, 2), strides=(2, 2))
        hidden = nnx.relu(self.hidden(maps.reshape(len(images), -1)))
        logits = self.logits(hidden)
        return logits if get_logits else nnx.softmax(logits)


def loss(model: Any, inputs: jax.Array, labels: jax.Array) -> Any:
    """Give the mean cross entropy, with the model in place of parameters and state.

    Args:
        model: A network that takes ``get_logits``.
        inputs: Images, shape (N, 8, 8, 1).
        labels: One-hot, shape (N, 10).

    Returns:
        The loss in nats, shape ().
    """
    logits = model(inputs, get_logits=True)
    return optax.softmax_cross_entropy(logits, labels).mean()


@nnx.jit
def nnx_step(model: Any, optimizer: Any, inputs: jax.Array, labels: jax.Array) -> Any:
    """Take one step, which changes the model and the optimizer.

    Args:
        model: A network that takes ``get_logits``.
        optimizer: The model's ``nnx.Optimizer``.
        inputs: Images, shape (N, 8, 8, 1).
        labels: One-hot, shape (N, 10).

    Returns:
        The loss before the step, shape ().
    """
    value, grads = nnx.value_and_grad(loss)(model, inputs, labels)
    optimizer.update(model, grads)
    return value


class OldNet(nn.Module):
    """Batch normalisation and dropout in Linen: the argument ``train`` says which mode.

    >>> sorted(OldNet().init(jax.random.key(0), jnp.zeros((1, 64)), train=False))
    ['batch_stats', 'params']
    """

    @nn.compact
    def __call__(self, pixels: jax.Array, train: bool) -> jax.Array:
        """Give logits, shape (N, 10), of pixels of shape (N, 64)."""
        values = nn.BatchNorm(use_running_average=not train)(pixels)
        values = nn.Dropout(0.5, deterministic=not train)(values)
        return nn.Dense(10)(values)


class NewNet(nnx.Module):
    """The same in NNX: ``train()`` and ``eval()`` say which mode.

    Args:
        rngs: Where the initial weights and the keys of the dropout come from.

    >>> net = NewNet(rngs=nnx.Rngs(0))
    >>> logits = net(jnp.ones((3, 64)))
    >>> round(float(net.norm.mean[0]), 2)  # a new model is in training mode
    0.01
    """

    def __init__(self, *, rngs: nnx.Rngs):
        self.norm = nnx.BatchNorm(64, rngs=rngs)
        self.dropout = nnx.Dropout(0.5, rngs=rngs)
        self.logits = nnx.Linear(64, 10, rngs=rngs)

    def __call__(self, pixels: jax.Array) -> jax.Array:
        """Give logits, shape (N, 10), of pixels of shape (N, 64)."""
        return self.logits(self.dropout(self.norm(pixels)))


def empty() -> CNN:
    """Make a network with shapes only, for images of 8 × 8 pixels and ten classes.

    >>> empty().conv.kernel.shape
    (5, 5, 1, 16)
    """
    return nnx.eval_shape(lambda: CNN(8, 10, rngs=nnx.Rngs(0)))


def shapes(tree: Any) -> dict[str, tuple[int, ...]]:
    """List a tree as paths and shapes.

    Args:
        tree: Nested dictionaries of arrays.

    Returns:
        A shape for each path; the parts of a path are joined by slashes.

    >>> shapes({"conv": {"bias": jnp.zeros(16)}})
    {'conv/bias': (16,)}
    """

    def name(path: Any) -> str:
        return jax.tree_util.keystr(path, simple=True, separator="/")

    return {name(path): leaf.shape for path, leaf in jax.tree.leaves_with_path(tree)}


def arrays(model: Any) -> dict[str, Any]:
    """Give the parameters and running statistics of an NNX model as nested dictionaries.

    Args:
        model: An NNX model.

    Returns:
        Arrays (or shapes, for a model from ``empty``) under the names of the attributes.

    >>> shapes(arrays(nnx.Linear(3, 4, rngs=nnx.Rngs(0))))
    {'bias': (4,), 'kernel': (3, 4)}
    """
    return nnx.to_pure_dict(nnx.state(model, nnx.Any(nnx.Param, nnx.BatchStat)))


def rename(variables: Mapping[str, Any], layers: Mapping[str, str]) -> dict[str, Any]:
    """Give the variables of Linen the names of NNX.

    Args:
        variables: Collections such as "params" and "batch_stats"; each has the layers' leaves.
        layers: The new name for each old name of a layer.

    Returns:
        The leaves of all collections under the new names: NNX keeps both kinds in the layer.

    Raises:
        KeyError: If a layer has no new name.

    >>> rename({"params": {"Dense_0": {"bias": 1}}, "batch_stats": {"Dense_0": {"mean": 2}}},
    ...        {"Dense_0": "hidden"})
    {'hidden': {'bias': 1, 'mean': 2}}
    """
    merged = {}  # type: dict[str, Any]
    for collection in variables.values():
        for name, leaves in collection.items():
            merged.setdefault(layers[name], {}).update(leaves)
    return merged


def load(model: Any, tree: Any) -> None:
    """Write weights into an NNX model, after comparing all paths and shapes.

    Args:
        model: The NNX model; it is changed.
        tree: Nested dictionaries with the names of the model.

    Raises:
        ValueError: If a path is missing, unknown, or of another shape. Nothing is written then.

    >>> load(nnx.Linear(3, 4, rngs=nnx.Rngs(0)), {"bias": jnp.zeros(3)})
    Traceback (most recent call last):
    ValueError: not in both: ['bias', 'kernel']
    """
    differing = shapes(arrays(model)).items() ^ shapes(tree).items()
    if differing:
        raise ValueError(f"not in both: {sorted({path for path, _ in differing})}")
    nnx.update(model, jax.tree.map(jnp.asarray, tree))


def resume(optimizer: Any, saved: Mapping[str, Any], layers: Mapping[str, str]) -> None:
    """Write the state of Adam from an old checkpoint into an optimizer.

    Args:
        optimizer: The ``nnx.Optimizer`` of a model that was made with ``optax.adam``; changed.
        saved: What ``msgpack_restore`` gives for a ``TrainState`` with ``optax.adam``.
        layers: The new name for each old name of a layer.
    """
    adam, old = optimizer.opt_state[0], saved["opt_state"]["0"]
    for name in ("mu", "nu"):
        moment = rename({name: old[name]}, layers)
        nnx.update(getattr(adam, name), jax.tree.map(jnp.asarray, moment))
    adam.count[...] = jnp.asarray(old["count"])
    optimizer.step[...] = jnp.asarray(saved["step"], jnp.uint32)


def largest_difference(a: Any, b: Any) -> Any:
    """Give the largest difference between two trees of one structure.

    Args:
        a: A tree of arrays or numbers.
        b: Another, with the same structure and shapes.

    Returns:
        The largest absolute difference of two numbers at one place.

    >>> float(largest_difference({"a": [1.0, 2.0]}, {"a": [1.0, 2.5]}))
    0.5
    """
    differences = jax.tree.map(lambda p, q: np.abs(np.subtract(p, q)).max(), a, b)
    return max(jax.tree.leaves(differences))


def take_batches(steps: int, seed: int) -> list[Batch]:
    """Draw batches of 32 handwritten digits.

    Args:
        steps: How many batches.
        seed: Of the drawing, with replacement between batches.

    Returns:
        Pairs of images (32, 8, 8, 1) from 0 to 1 and one-hot labels (32, 10); float32.

    >>> [(images.shape, labels.shape) for images, labels in take_batches(1, 0)]
    [((32, 8, 8, 1), (32, 10))]
    """
    pixels, numbers = load_digits(return_X_y=True)
    random = np.random.default_rng(seed)
    chosen = [random.permutation(len(pixels))[:BATCH] for _ in range(steps)]
    images = jnp.asarray(pixels / 16, jnp.float32).reshape(-1, 8, 8, 1)
    labels = jax.nn.one_hot(numbers, 10)
    return [(images[rows], labels[rows]) for rows in chosen]


def train_linen(state: Any, batches: Sequence[Batch]) -> tuple[Any, list[float]]:
    """Train the old form.

    Args:
        state: A ``TrainState``; it is not changed.
        batches: Images and labels, one pair a step.

    Returns:
        The last ``TrainState``, and the loss before each step.
    """
    losses = []
    for batch in batches:
        state, value = train_step(state, *batch)
        losses.append(float(value))
    return state, losses


def train_nnx(model: Any, optimizer: Any, batches: Sequence[Batch]) -> list[float]:
    """Train the new form.

    Args:
        model: A network that takes ``get_logits``; it is changed.
        optimizer: Its ``nnx.Optimizer``; changed too.
        batches: Images and labels, one pair a step.

    Returns:
        The loss before each step.
    """
    return [float(nnx_step(model, optimizer, *batch)) for batch in batches]


def running_statistics(batches: Sequence[Batch], seed: int) -> tuple[Any, Any]:
    """Show the batches to a batch normalisation in both forms.

    Args:
        batches: Images and labels; the labels are not used.
        seed: Of the weights.

    Returns:
        {"mean": (64,), "var": (64,)} of Linen, and the same of NNX.
    """
    rows = [images.reshape(-1, 64) for images, _ in batches]
    key = jax.random.key(seed)
    old_net, new_net = OldNet(), NewNet(rngs=nnx.Rngs(seed))
    variables = old_net.init(key, rows[0], train=False)
    load(new_net, rename(variables, NET_LAYERS))
    for pixels in rows:
        _, changed = old_net.apply(
            variables, pixels, train=True, mutable=["batch_stats"], rngs={"dropout": key}
        )
        variables = {**variables, **changed}
        new_net(pixels)
    norm = new_net.norm
    return variables["batch_stats"]["BatchNorm_0"], {"mean": norm.mean[...], "var": norm.var[...]}


def migrate(
    batches: Sequence[Batch], seed: int, learning_rate: float
) -> tuple[dict[str, float], list[float], list[float]]:
    """Run all in both forms and compare.

    Args:
        batches: Images (N, 8, 8, 1) and one-hot labels (N, 10), one pair a step.
        seed: Of the initial weights.
        learning_rate: Of Adam.

    Returns:
        The largest difference for each thing that was compared, and the losses of Linen and NNX.

    >>> differences, old, new = migrate(take_batches(2, seed=0), seed=0, learning_rate=1e-3)
    >>> max(differences.values()) < 1e-4
    True
    """
    old_model, tx = SingleLayerCNN(), optax.adam(learning_rate)
    images = batches[0][0]
    params = jax.jit(old_model.init)(jax.random.key(seed), images)["params"]
    start: Any = TrainState.create(apply_fn=old_model.apply, params=params, tx=tx)
    model = empty()
    load(model, rename({"params": params}, LAYERS))
    optimizer = nnx.Optimizer(model, tx, wrt=nnx.Param)
    expected = old_model.apply({"params": params}, images, get_logits=True)
    differences = {"logits": largest_difference(model(images, get_logits=True), expected)}

    end, old_losses = train_linen(start, batches)
    new_losses = train_nnx(model, optimizer, batches)
    differences["losses"] = largest_difference(old_losses, new_losses)
    trained = rename({"params": end.params}, LAYERS)
    differences["trained weights"] = largest_difference(arrays(model), trained)

    saved = serialization.msgpack_restore(serialization.to_bytes(end))
    again = empty()
    load(again, rename({"params": saved["params"]}, LAYERS))
    optimizer = nnx.Optimizer(again, tx, wrt=nnx.Param)
    resume(optimizer, saved, LAYERS)
    _, further = train_linen(end, batches)
    resumed = train_nnx(again, optimizer, batches)
    differences["losses from the checkpoint"] = largest_difference(further, resumed)

    differences["running statistics"] = largest_difference(*running_statistics(batches, seed))

    wrapped = nnx.bridge.ToNNX(old_model)
    wrapped.lazy_init(images, rngs=jax.random.key(seed))
    load(wrapped, params)
    losses = train_nnx(wrapped, nnx.Optimizer(wrapped, tx, wrt=nnx.Param), batches)
    differences["losses of the wrapped module"] = largest_difference(old_losses, losses)
    return {name: float(value) for name, value in differences.items()}, old_losses, new_losses


def draw(old: Sequence[float], new: Sequence[float]) -> Figure:
    """Draw the losses of both forms over the number of the step.

    Args:
        old: The loss of Linen before each step: a wide line.
        new: The loss of NNX before each step: a dashed line.

    Returns:
        One graph.
    """
    n = range(1, len(old) + 1)
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(n, old, lw=9, alpha=0.35)
    axes.plot(n, new, "--", color="black", lw=1.5)
    axes.set_xlabel("$n$")
    axes.set_ylabel("$L$")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the migration, and print the largest differences.

    >>> main(["--steps", "2"])  # doctest: +ELLIPSIS
    logits                        ...
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    add("--steps", type=whole_number(1, MAX_STEPS), default=20, metavar="N", help=default)
    add("--learning-rate", type=real_number(1e-6, 0.1), default=1e-3, metavar="RATE", help=default)
    add("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N", help=default)
    add("--plot", type=picture_file, metavar="FILE", help="draw the losses into FILE")
    options = parser.parse_args(arguments)

    batches = take_batches(options.steps, options.seed)
    differences, old, new = migrate(batches, options.seed, options.learning_rate)
    if options.plot:
        save(draw(old, new), options.plot, parser)
    for name, value in differences.items():
        print(f"{name:<30}{value:.1e}")
    print(f"{'loss, first and last step':<30}{old[0]:.3f}  {old[-1]:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
