"""Batches for a training run: shuffled with Grain, and resumed at the same batch after a kill.

Trains a small network on handwritten digits. If the file of the run exists, the run continues from
there and gives the same results as an uninterrupted run; ``--kill-at`` kills the process. Then
measures how long a step waits for a slow source, by the number of threads.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["grain", "jax", "matplotlib", "optax", "scikit-learn"]
# ///

import json
import os
import signal
import tempfile
import time
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import grain
import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, file_to_write, picture_file, save, whole_number
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

Record = dict[str, Any]


def shift(record: Record, rng: np.random.Generator) -> Record:
    """Move an image by up to one pixel along each axis."""
    moved = np.roll(record["image"], rng.integers(-1, 2, size=2), axis=(0, 1))
    return record | {"image": moved}


def pipeline(source: Any, size: int, seed: int, epochs: int | None = None) -> Any:
    """Shuffle, shift and batch records.

    Args:
        source: Anything with a length and an index. Each record is a dictionary with an
            ``"image"`` of shape (height, width).
        size: The number of records in a batch; a smaller last batch is left out.
        seed: Decides the order and the shifts, which differ between epochs.
        epochs: How often to go through the source; None for no end.

    Returns:
        A ``grain.MapDataset`` of dictionaries of arrays.

    Source:
        https://google-grain.readthedocs.io/en/latest/

    >>> source = [{"number": n, "image": np.zeros((8, 8))} for n in range(7)]
    >>> dataset = pipeline(source, size=3, seed=0, epochs=2)
    >>> len(dataset), dataset[3]["image"].shape
    (4, (3, 8, 8))
    """
    dataset = grain.MapDataset.source(source).seed(seed).shuffle()
    dataset = dataset.random_map(shift)
    return dataset.batch(size, drop_remainder=True).repeat(epochs)


optimizer = optax.adam(1e-3)


def new_params(hidden: int = 32) -> dict[str, jax.Array]:
    """Draw the weights of a network with one hidden layer."""
    rng = np.random.default_rng(0)
    w1, w2 = rng.normal(size=(64, hidden)) / 8, rng.normal(size=(hidden, 10)) / hidden**0.5
    return {"w1": jnp.asarray(w1, jnp.float32), "w2": jnp.asarray(w2, jnp.float32)}


@jax.jit
def train_step(params: Any, opt_state: Any, x: Any, y: Any) -> Any:
    """Take a step of Adam; return the new parameters and state, and the loss before the step."""

    def loss(params: Any) -> Any:
        hidden = jax.nn.relu(x.reshape(len(x), -1) @ params["w1"])
        return optax.softmax_cross_entropy_with_integer_labels(hidden @ params["w2"], y).mean()

    value, grads = jax.value_and_grad(loss)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


def save_run(file: Path, tree: Any, state: dict[str, Any]) -> None:
    """Write the leaves of a pytree and a state into one ``.npz`` file, whole or not at all.

    ``tree`` is a pytree of arrays; ``state`` is what JSON can hold.

    >>> file = Path(tempfile.mkdtemp()) / "run.npz"
    >>> save_run(file, {"w": np.arange(3)}, {"step": 5})
    >>> load_run(file, {"w": np.zeros(3)})
    ({'w': array([0, 1, 2])}, {'step': 5})
    """
    part = file.with_suffix(".part")
    with part.open("wb") as stream:
        np.savez(stream, *jax.tree.leaves(tree), state=json.dumps(state))
    os.replace(part, file)


def load_run(file: Path, tree: Any) -> tuple[Any, dict[str, Any]]:
    """Read what ``save_run`` wrote, into the structure of ``tree``."""
    leaves, structure = jax.tree.flatten(tree)
    with np.load(file) as saved:
        leaves = [saved[f"arr_{n}"] for n in range(len(leaves))]
        return jax.tree.unflatten(structure, leaves), json.loads(saved["state"].item())


def train(source: Any, file: Path, steps: int) -> Iterator[tuple[int, Record, Any]]:
    """Continue from ``file`` if it exists, and save there every 20 steps."""
    params = new_params()
    opt_state, start = optimizer.init(params), 0
    iterator = iter(pipeline(source, 32, seed=0).to_iter_dataset(grain.ReadOptions(2, 4)))
    if file.exists():
        (params, opt_state), state = load_run(file, (params, opt_state))
        start = state["step"]
        iterator.set_state(state["data"])
    for step in range(start, steps):
        batch = next(iterator)
        params, opt_state, value = train_step(params, opt_state, batch["image"], batch["label"])
        if (step + 1) % 20 == 0:
            state = {"step": step + 1, "data": iterator.get_state()}
            save_run(file, (params, opt_state), state)
        yield step, batch, value


def delayed(record: Record) -> Record:
    """Wait two milliseconds, as if the record came over a network."""
    time.sleep(0.002)
    return record


def waiting(iterator: Iterator[Record], params: Any, opt_state: Any, steps: int) -> Any:
    """Return the mean seconds of a step in ``next`` and in the computation, queues being full."""
    times = []
    for _ in range(steps):
        begin = time.perf_counter()
        batch = next(iterator)
        loaded = time.perf_counter()
        *_, value = train_step(params, opt_state, batch["image"], batch["label"])
        value.block_until_ready()
        times.append((loaded - begin, time.perf_counter() - loaded))
    return np.mean(times[steps // 3 :], axis=0)


def draw(costs: dict[int, Any]) -> Figure:
    """Draw the time of a step for each number of threads, relative to the first."""
    figure = Figure(figsize=(6, 3.2), layout="constrained")
    ax = figure.subplots()
    wait, step = np.array(list(costs.values())).T / sum(next(iter(costs.values())))
    names = [str(threads) for threads in costs]
    ax.bar(names, wait, color="#b3430f", label="waiting for data")
    ax.bar(names, step, bottom=wait, color="#0b5fa5", label="training step")
    ax.set(xlabel="threads", ylabel="relative time")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train or continue a run, then measure a slow source."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    file_help = "save the run in FILE (.npz) and continue from it; default: a temporary file"
    add("--file", type=lambda text: file_to_write(text, ".npz"), metavar="FILE", help=file_help)
    add("--steps", type=whole_number(1, 100_000), default=120, metavar="N", help=DEFAULT)
    add("--kill-at", type=whole_number(0, 100_000), metavar="N", help="SIGKILL after step N")
    counts: Any = {"type": whole_number(0, 64), "default": [0, 1, 4, 16]}
    add("--threads", **counts, nargs="+", metavar="N", help="threads to compare; default: 0 1 4 16")
    add("--plot", type=picture_file, metavar="FILE", help="draw the times into FILE")
    options = parser.parse_args(arguments)

    pixels, labels = load_digits(return_X_y=True)
    images, labels = (pixels.reshape(-1, 8, 8) / 16).astype("float32"), labels.astype("int32")
    records = [{"number": n, "image": images[n], "label": labels[n]} for n in range(len(images))]
    params = new_params()
    with tempfile.TemporaryDirectory() as folder:
        file = options.file or Path(folder, "run.npz")
        if file.exists():
            try:
                load_run(file, (params, optimizer.init(params)))
            except (OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile):
                parser.error(f"--file {file}: this is no run of this script; name another file")
        for step, batch, value in train(records, file, options.steps):
            if step % 20 == 0:
                print(f"step {step:5}, checksum {zlib.crc32(batch['image']):08x}, loss {value:.6f}")
            if step == options.kill_at:
                os.kill(os.getpid(), signal.SIGKILL)

    params = new_params(hidden=8192)
    opt_state = optimizer.init(params)
    remote = grain.MapDataset.source(records).seed(0).shuffle().map(delayed).batch(32).repeat()
    costs = {}
    for threads in options.threads:
        iterator = iter(remote.to_iter_dataset(grain.ReadOptions(threads, threads)))
        costs[threads] = waiting(iterator, params, opt_state, steps=max(12, 3 * threads))
        iterator.close()
        share = costs[threads][0] / sum(costs[threads])
        print(f"{threads:3} threads: {share:4.0%} of the time is waiting for data")
    if options.plot:
        save(draw(costs), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
