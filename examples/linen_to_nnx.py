"""Move a network, its Adam state and its old checkpoint from Flax Linen to Flax NNX.

Both forms train from the same initial weights. The script prints how far their numbers differ:
the logits, the losses, the trained weights, and the losses after the checkpoint is loaded.
Your own network takes the places of ``SingleLayerCNN``, ``CNN`` and ``NAMES``.
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
from _command_line import command_line, picture_file, save, whole_number
from flax import linen as nn
from flax import nnx, serialization
from flax.training.train_state import TrainState
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

Batch = tuple[jax.Array, jax.Array]
NAMES = {"Conv_0": "conv", "Dense_0": "hidden", "Dense_1": "logits"}


class SingleLayerCNN(nn.Module):
    """The Linen network, for images of 8 × 8 pixels."""

    @nn.compact
    def __call__(self, x: jax.Array, get_logits: bool = False) -> jax.Array:
        """Return probabilities, or logits, of shape (n, 10)."""
        x = nn.relu(nn.Conv(features=16, kernel_size=(5, 5))(x))
        x = nn.max_pool(x, window_shape=(2, 2), strides=(2, 2))
        x = x.reshape([x.shape[0], -1])
        x = nn.relu(nn.Dense(features=1024)(x))
        x = nn.Dense(features=10)(x)
        return x if get_logits else nn.softmax(x)


class CNN(nnx.Module):
    """The same network in NNX."""

    def __init__(self, *, rngs: nnx.Rngs) -> None:
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 1024, rngs=rngs)
        self.logits = nnx.Linear(1024, 10, rngs=rngs)

    def __call__(self, x: jax.Array, get_logits: bool = False) -> jax.Array:
        """Return probabilities, or logits, of shape (n, 10)."""
        x = nnx.max_pool(nnx.relu(self.conv(x)), (2, 2), strides=(2, 2))
        x = nnx.relu(self.hidden(x.reshape(len(x), -1)))
        x = self.logits(x)
        return x if get_logits else nnx.softmax(x)


graphdef, empty = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))
optimizer = optax.adam(1e-3)


@jax.jit
def old_step(state: Any, x: jax.Array, y: jax.Array) -> tuple[Any, jax.Array]:
    """Take a step in Linen: return the next ``TrainState`` and the loss."""

    def loss_fn(params: Any) -> Any:
        logits = state.apply_fn({"params": params}, x, get_logits=True)
        return optax.softmax_cross_entropy(logits, y).mean()

    value, grads = jax.value_and_grad(loss_fn)(state.params)
    return state.apply_gradients(grads=grads), value


def loss(params: Any, x: jax.Array, y: jax.Array) -> Any:
    """Return the mean cross-entropy of the NNX network."""
    logits = nnx.merge(graphdef, params)(x, get_logits=True)
    return optax.softmax_cross_entropy(logits, y).mean()


@jax.jit
def train_step(params: Any, opt_state: Any, x: jax.Array, y: jax.Array) -> tuple[Any, Any, Any]:
    """Take a step in NNX: return the next parameters and optimizer state, and the loss."""
    value, grads = jax.value_and_grad(loss)(params, x, y)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


def shapes(tree: Any) -> dict[str, tuple[int, ...]]:
    """List the paths and shapes of nested dictionaries, or of what ``nnx.split`` returns.

    >>> shapes({"conv": {"bias": jnp.zeros(16)}})
    {'conv/bias': (16,)}
    """
    tree = nnx.to_pure_dict(tree) if isinstance(tree, nnx.State) else tree
    leaves = jax.tree.leaves_with_path(tree)
    return {jax.tree_util.keystr(path, simple=True, separator="/"): x.shape for path, x in leaves}


def rename(tree: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Give the layers of a tree their new names; a layer without one is a KeyError.

    >>> rename({"Dense_0": {"bias": 1}}, {"Dense_0": "hidden"})
    {'hidden': {'bias': 1}}
    """
    return {names[name]: layer for name, layer in tree.items()}


def load(like: Any, tree: Any) -> Any:
    """Put arrays into a state of NNX, after comparing all paths and shapes.

    Args:
        like: Parameters or other state from ``nnx.split``; shapes are enough.
        tree: Nested dictionaries with the same names.

    Raises:
        ValueError: A path is missing, unknown, or of another shape.

    >>> load(nnx.split(nnx.Linear(3, 4, rngs=nnx.Rngs(0)))[1], {"bias": jnp.zeros(3)})
    Traceback (most recent call last):
    ValueError: not in both: ['bias', 'kernel']
    """
    differing = shapes(like).items() ^ shapes(tree).items()
    if differing:
        raise ValueError(f"not in both: {sorted({path for path, _ in differing})}")
    leaves = [jnp.asarray(leaf) for leaf in jax.tree.leaves(tree)]
    return jax.tree.unflatten(jax.tree.structure(like), leaves)


def resume(saved: Mapping[str, Any], empty: Any, names: Mapping[str, str]) -> tuple[Any, Any]:
    """Return parameters and optimizer state of a ``TrainState`` with Adam, from its msgpack."""
    params = load(empty, rename(saved["params"], names))
    adam, *others = optimizer.init(params)
    old = saved["opt_state"]["0"]
    mu, nu = [load(empty, rename(old[name], names)) for name in ("mu", "nu")]
    adam = adam._replace(count=jnp.asarray(old["count"]), mu=mu, nu=nu)
    return params, (adam, *others)


def train_linen(state: Any, batches: Sequence[Batch]) -> tuple[Any, np.ndarray]:
    """Take a step for each batch: return the last state and the losses."""
    losses = []
    for x, y in batches:
        state, value = old_step(state, x, y)
        losses.append(float(value))
    return state, np.array(losses)


def train_nnx(params: Any, opt_state: Any, batches: Sequence[Batch]) -> tuple[Any, Any, np.ndarray]:
    """Take a step for each batch: return the last parameters and Adam state, and the losses."""
    losses = []
    for x, y in batches:
        params, opt_state, value = train_step(params, opt_state, x, y)
        losses.append(float(value))
    return params, opt_state, np.array(losses)


def draw_batches(steps: int, seed: int) -> list[Batch]:
    """Draw batches of 32 digits (32, 8, 8, 1) from 0 to 1, and one-hot labels (32, 10)."""
    pixels, numbers = load_digits(return_X_y=True)
    images = jnp.asarray(pixels / 16, jnp.float32).reshape(-1, 8, 8, 1)
    labels = jax.nn.one_hot(numbers, 10)
    random = np.random.default_rng(seed)
    chosen = [random.permutation(len(pixels))[:32] for _ in range(steps)]
    return [(images[rows], labels[rows]) for rows in chosen]


def compare(batches: Sequence[Batch], seed: int) -> tuple[dict[str, float], np.ndarray, np.ndarray]:
    """Train in both forms; return the largest differences, and the losses of Linen and NNX.

    >>> differences, _, _ = compare(draw_batches(2, seed=0), seed=0)
    >>> max(differences.values()) < 1e-3
    True
    """
    model, images = SingleLayerCNN(), batches[0][0]
    params = jax.jit(model.init)(jax.random.key(seed), images)["params"]
    start: Any = TrainState.create(apply_fn=model.apply, params=params, tx=optimizer)
    moved = load(empty, rename(params, NAMES))
    logits = nnx.merge(graphdef, moved)(images, get_logits=True)
    old_logits: Any = model.apply({"params": params}, images, get_logits=True)

    end, old_losses = train_linen(start, batches)
    trained, _, new_losses = train_nnx(moved, optimizer.init(moved), batches)
    gap = optax.tree.sub(trained, load(empty, rename(end.params, NAMES)))

    saved = serialization.msgpack_restore(serialization.to_bytes(end))
    _, expected = train_linen(end, batches)
    _, _, resumed = train_nnx(*resume(saved, empty, NAMES), batches)
    differences = {
        "logits": jnp.max(jnp.abs(logits - old_logits)),
        "losses": np.max(np.abs(new_losses - old_losses)),
        "trained weights": optax.tree.norm(gap, ord="inf"),
        "losses from the checkpoint": np.max(np.abs(resumed - expected)),
    }
    return {name: float(value) for name, value in differences.items()}, old_losses, new_losses


def draw(old: np.ndarray, new: np.ndarray) -> Figure:
    """Draw the losses of Linen as a wide line, and those of NNX as a dashed one."""
    figure, steps = Figure(figsize=(6, 3.5), layout="constrained"), range(1, len(old) + 1)
    axes = figure.subplots()
    axes.plot(steps, old, lw=8, alpha=0.35, label="Linen")
    axes.plot(steps, new, "--", color="black", lw=1.2, label="NNX")
    axes.set(xlabel="step", ylabel="loss")
    axes.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train in both forms, and print the largest differences."""
    parser = command_line(__doc__)
    add, default = parser.add_argument, "default: %(default)s"
    add("--steps", type=whole_number(1, 10_000), default=20, metavar="N", help=default)
    add("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N", help=default)
    add("--plot", type=picture_file, metavar="FILE", help="draw the losses into FILE")
    options = parser.parse_args(arguments)

    differences, old, new = compare(draw_batches(options.steps, options.seed), options.seed)
    for name, value in differences.items():
        print(f"{name:<28}{value:.1e}")
    print(f"{'loss, first and last step':<28}{old[0]:.3f}  {old[-1]:.3f}")
    if options.plot:
        save(draw(old, new), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
