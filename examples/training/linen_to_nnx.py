"""Move a network, its Adam state and its old checkpoint from Flax Linen to Flax NNX.

You will see how far the numbers of both forms differ: logits, losses, trained weights, and the
losses after the checkpoint is loaded. Your network takes the places of OldCNN, CNN and NAMES.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "flax>=0.12", "optax", "scikit-learn"]
# ///

import jax
import jax.numpy as jnp
import numpy as np
import optax
from flax import linen as nn
from flax import nnx, serialization
from flax.training.train_state import TrainState
from sklearn.datasets import load_digits

NAMES = {"Conv_0": "conv", "Dense_0": "hidden", "Dense_1": "logits"}  # of the layers
STEPS, BATCH = 20, 32


class OldCNN(nn.Module):
    """The network in Linen: images (n, 8, 8, 1) become logits (n, 10)."""

    @nn.compact
    def __call__(self, x):
        """Return the logits."""
        x = nn.relu(nn.Conv(features=16, kernel_size=(5, 5))(x))
        x = nn.max_pool(x, window_shape=(2, 2), strides=(2, 2))
        x = nn.relu(nn.Dense(features=256)(x.reshape([x.shape[0], -1])))
        return nn.Dense(features=10)(x)


class CNN(nnx.Module):
    """The same network in NNX."""

    def __init__(self, *, rngs):
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 256, rngs=rngs)
        self.logits = nnx.Linear(256, 10, rngs=rngs)

    def __call__(self, x):
        """Return the logits."""
        x = nnx.max_pool(nnx.relu(self.conv(x)), (2, 2), strides=(2, 2))
        return self.logits(nnx.relu(self.hidden(x.reshape(len(x), -1))))


graphdef, empty = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))
optimizer = optax.adam(1e-3)


@jax.jit
def old_step(state, x, y):
    """Take a step in Linen; return the next TrainState and the loss before it."""

    def loss(params):
        logits = state.apply_fn({"params": params}, x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    value, grads = jax.value_and_grad(loss)(state.params)
    return state.apply_gradients(grads=grads), value


@jax.jit
def new_step(state, x, y):
    """Take a step in NNX; the state has parameters and optimizer state."""
    params, opt_state = state

    def loss(params):
        logits = nnx.merge(graphdef, params)(x)
        return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()

    value, grads = jax.value_and_grad(loss)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return (optax.apply_updates(params, updates), opt_state), value


def leaves(tree):
    """Return the arrays of nested dictionaries, or of what nnx.split returns, by their paths.

    >>> leaves({"conv": {"bias": 1}})
    {'conv/bias': 1}
    """
    tree = nnx.to_pure_dict(tree) if isinstance(tree, nnx.State) else tree
    return {
        jax.tree_util.keystr(path, simple=True, separator="/"): leaf
        for path, leaf in jax.tree.leaves_with_path(tree)
    }


def shapes(tree):
    """Return the shapes of the same."""
    return {path: leaf.shape for path, leaf in leaves(tree).items()}


def rename(tree, names):
    """Give the layers of a tree their new names; a layer without one is a KeyError.

    >>> rename({"Dense_0": {"bias": 1}}, {"Dense_0": "hidden"})
    {'hidden': {'bias': 1}}
    """
    return {names[name]: layer for name, layer in tree.items()}


def load(like, tree):
    """Put arrays into a state of NNX, after comparing all paths and shapes.

    Args:
        like: Parameters or other state from nnx.split; shapes are enough.
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
    # By path: the order of layers can differ, as that of "10" and "2" does from that of 2 and 10.
    arrays = leaves(tree)
    ordered = [jnp.asarray(arrays[path]) for path in leaves(like)]
    return jax.tree.unflatten(jax.tree.structure(like), ordered)


def resume(saved):
    """Return the state for new_step from the msgpack of a TrainState with Adam."""
    params = load(empty, rename(saved["params"], NAMES))
    adam, *others = optimizer.init(params)
    old = saved["opt_state"]["0"]
    mu, nu = [load(empty, rename(old[name], NAMES)) for name in ("mu", "nu")]
    adam = adam._replace(count=jnp.asarray(old["count"]), mu=mu, nu=nu)
    return params, (adam, *others)


def train(step, state, batches):
    """Take a step for each batch; return the last state and the losses."""
    losses = []
    for x, y in batches:
        state, value = step(state, x, y)
        losses.append(float(value))
    return state, np.array(losses)


def main():
    """Train in both forms, before and after the checkpoint, and print the largest differences."""
    pixels, labels = load_digits(return_X_y=True)
    images = (pixels / 16).astype(np.float32).reshape(-1, 8, 8, 1)
    rows = np.random.default_rng(0).integers(len(labels), size=(STEPS, BATCH))
    batches = [(images[row], labels[row]) for row in rows]

    model, x = OldCNN(), images[:BATCH]
    params = jax.jit(model.init)(jax.random.key(0), x)["params"]
    start = TrainState.create(apply_fn=model.apply, params=params, tx=optimizer)
    moved = load(empty, rename(params, NAMES))
    logits = model.apply({"params": params}, x) - nnx.merge(graphdef, moved)(x)

    end, old = train(old_step, start, batches)
    (trained, _), new = train(new_step, (moved, optimizer.init(moved)), batches)
    weights = optax.tree.sub(trained, load(empty, rename(end.params, NAMES)))

    saved = serialization.msgpack_restore(serialization.to_bytes(end))
    expected, resumed = train(old_step, end, batches)[1], train(new_step, resume(saved), batches)[1]
    differences = {
        "logits": abs(logits).max(),
        "losses": abs(new - old).max(),
        "trained weights": optax.tree.norm(weights, ord="inf"),
        "losses from the checkpoint": abs(resumed - expected).max(),
    }
    for name, value in differences.items():
        print(f"{name:28}{value:.0e}")
    assert max(differences.values()) < 1e-2
    print(f"loss from {old[0]:.3f} to {expected[-1]:.3f} in {2 * STEPS} steps")


if __name__ == "__main__":
    main()
