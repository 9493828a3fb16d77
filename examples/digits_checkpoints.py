"""Save a training run with Orbax in the background, and resume it after a kill.

A small convolutional network learns scikit-learn's handwritten digits, with a checkpoint after
each epoch. Without --folder, one run is stopped halfway and resumed from another seed, and then
compared with a run that nothing interrupts. With --folder, a run continues from its last
checkpoint there; --kill-in ends it without a warning before the checkpoint of that epoch:

    mkdir run
    python examples/digits_checkpoints.py --folder run --kill-in 5
    python examples/digits_checkpoints.py --folder run
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flax", "matplotlib", "optax", "orbax-checkpoint", "scikit-learn"]
# ///

import os
import signal
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, folder, picture_file, save, whole_number
from flax import nnx
from matplotlib.figure import Figure
from orbax.checkpoint import v1 as ocp
from sklearn.datasets import load_digits


class CNN(nnx.Module):
    """One convolution, one hidden layer, ten scores for an image of shape (8, 8, 1)."""

    def __init__(self, *, rngs: nnx.Rngs) -> None:
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 1024, rngs=rngs)
        self.logits = nnx.Linear(1024, 10, rngs=rngs)

    def __call__(self, images: jax.Array) -> jax.Array:
        """Take images of shape (n, 8, 8, 1), return scores of shape (n, 10)."""
        maps = nnx.max_pool(nnx.relu(self.conv(images)), (2, 2), strides=(2, 2))
        hidden = nnx.relu(self.hidden(maps.reshape(len(images), -1)))
        return self.logits(hidden)


graphdef, _ = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))
optimizer = optax.adam(optax.cosine_onecycle_schedule(48, 5e-3))
pixels, labels = load_digits(return_X_y=True)
images = np.float32(pixels / 16).reshape(-1, 8, 8, 1)


def loss(params: Any, images: jax.Array, labels: jax.Array) -> jax.Array:
    """Return the mean cross-entropy of images of shape (n, 8, 8, 1) and labels of shape (n,)."""
    logits = nnx.merge(graphdef, params)(images)
    return optax.softmax_cross_entropy_with_integer_labels(logits, labels).mean()  # type: ignore[no-any-return]


@jax.jit
def train_step(params: Any, opt_state: Any, images: jax.Array, labels: jax.Array) -> Any:
    """Take one step; return the new parameters and optimizer state, and the loss before it."""
    value, grads = jax.value_and_grad(loss)(params, images, labels)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


@jax.jit
def new_state(key: jax.Array) -> dict[str, Any]:
    """Begin a run: parameters, optimizer state, and the key for the order of the examples."""
    key, subkey = jax.random.split(key)
    _, params = nnx.split(CNN(rngs=nnx.Rngs(subkey)))
    return {"params": params, "opt_state": optimizer.init(params), "key": key}


@jax.jit
def new_order(key: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return the next key, and a random order of the 512 digits."""
    key, subkey = jax.random.split(key)
    return key, jax.random.permutation(subkey, 512)


def train_epoch(state: dict[str, Any]) -> tuple[dict[str, Any], list[float]]:
    """Train with 512 digits in random order, 64 in a batch; return the losses, too."""
    params, opt_state = state["params"], state["opt_state"]
    key, order = new_order(state["key"])
    losses = []
    for rows in np.asarray(order).reshape(-1, 64):
        batch = images[rows], labels[rows]
        params, opt_state, value = train_step(params, opt_state, *batch)
        losses.append(float(value))
    return {"params": params, "opt_state": opt_state, "key": key}, losses


def open_run(folder: Path) -> Any:
    """Open the checkpoints of a run, of which the latest three are kept.

    Args:
        folder: Its absolute path; the folder is created if it does not exist.

    Returns:
        An Orbax ``Checkpointer`` that saves every step, and removes unfinished checkpoints.

    Source:
        https://orbax.readthedocs.io/en/latest/index.v1.html

    >>> with tempfile.TemporaryDirectory() as name, open_run(Path(name)) as checkpoints:
    ...     saved = [checkpoints.save(step, {"x": np.zeros(2)}) for step in range(4)]
    ...     [checkpoint.step for checkpoint in checkpoints.checkpoints]
    [1, 2, 3]
    """
    training = ocp.training
    return training.Checkpointer(
        folder,
        save_decision_policy=training.save_decision_policies.FixedIntervalPolicy(1),
        preservation_policy=training.preservation_policies.LatestN(3),
        cleanup_tmp_directories=True,
    )


def train_async(
    folder: Path, epochs: int, seed: int = 0, report: Callable[[int, float], object] = print
) -> dict[str, Any]:
    """Train up to an epoch, from the latest checkpoint if there is one, and save every epoch.

    Args:
        folder: The absolute path of the folder for the checkpoints.
        epochs: The number of the last epoch; those of earlier runs count.
        seed: For the parameters and the order of the examples, if there is no checkpoint.
        report: Gets the number of each epoch and its last loss, before the checkpoint is saved.

    Returns:
        The state after the last epoch. All checkpoints are complete by then.

    Raises:
        NoEntryError: If the checkpoint is from another program. (This is a ``KeyError``.)
    """
    state = new_state(jax.random.key(seed))
    with open_run(folder) as checkpoints:
        done = checkpoints.latest.step if checkpoints.latest else 0
        if done:
            state = checkpoints.load_checkpointables(done, state)
        for epoch in range(done + 1, epochs + 1):
            state, losses = train_epoch(state)
            report(epoch, losses[-1])
            settings = {"epochs": epochs, "batch": 64}
            checkpoints.save_checkpointables_async(epoch, state, custom_metadata=settings)
    return state  # type: ignore[no-any-return]


@jax.jit
def same(a: Any, b: Any) -> jax.Array:
    """Compare the leaves of two pytrees; return whether all of them are equal."""
    pairs = zip(jax.tree.leaves(a), jax.tree.leaves(b), strict=True)
    return jnp.array([(x == y).all() for x, y in pairs]).all()


def draw(runs: dict[str, dict[int, float]]) -> Figure:
    """Draw the last loss of each epoch, for each run."""
    figure = Figure(figsize=(5, 3.2), layout="constrained")
    ax = figure.subplots()
    for (name, losses), style in zip(runs.items(), ("-", "o"), strict=False):
        ax.semilogy(list(losses), list(losses.values()), style, label=name)
    ax.set(xlabel="epoch", ylabel="loss")
    if runs:
        ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Continue the run in a folder, or compare a resumed run with a whole one."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    number = whole_number(2, 100)
    add("--epochs", type=number, default=6, metavar="N", help=f"last epoch; {DEFAULT}")
    add("--folder", type=folder, metavar="FOLDER", help="keep the run here, or continue it")
    add("--kill-in", type=number, metavar="N", help="crash in this epoch; needs --folder")
    add("--plot", type=picture_file, metavar="FILE", help="draw the losses into FILE")
    options = parser.parse_args(arguments)
    if options.kill_in and not options.folder:
        parser.error("--kill-in needs --folder, where the checkpoints remain")

    runs: dict[str, dict[int, float]] = {}

    def report(name: str, epoch: int, value: float) -> None:
        print(f"{name}, epoch {epoch}: loss {value:.4f}", flush=True)
        runs.setdefault(name, {})[epoch] = value
        if epoch == options.kill_in:
            os.kill(os.getpid(), signal.SIGKILL)

    if options.folder:
        train_async(options.folder.resolve(), options.epochs, report=partial(report, "run"))
    else:
        with tempfile.TemporaryDirectory() as name:
            whole = train_async(Path(name, "whole"), options.epochs, 0, partial(report, "whole"))
            resume = partial(train_async, Path(name, "resumed"), report=partial(report, "resumed"))
            resume(options.epochs // 2)
            print("bit for bit like the whole run:", same(resume(options.epochs, seed=1), whole))
    if options.plot:
        save(draw(runs), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
