"""A trained network in a server: exported without its code, answering in batches.

A small classifier of handwritten digits is trained and exported with jax.export: the program for
any number of rows in one file, the weights in another. Both are loaded as by a server, which needs
neither the network's class nor Flax, and the program is compiled for a few batch sizes. Then
single requests are answered one by one, and in batches that a thread collects from a queue.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flatbuffers", "flax", "matplotlib", "optax", "scikit-learn"]
# ///

import queue
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, folder, real_number, whole_number
from flax import nnx
from flax.traverse_util import flatten_dict, unflatten_dict
from sklearn.datasets import load_digits

Weights = dict[str, Any]
Predict = Callable[[np.ndarray], np.ndarray]
Requests = queue.Queue[tuple[np.ndarray, "Future[np.ndarray]"]]

BUCKETS = (1, 4, 16, 64)


class Digits(nnx.Module):
    """A classifier of 64 pixels from 0 to 16, with two hidden layers."""

    def __init__(self, *, rngs: nnx.Rngs) -> None:
        self.first = nnx.Linear(64, 1024, rngs=rngs)
        self.second = nnx.Linear(1024, 1024, rngs=rngs)
        self.last = nnx.Linear(1024, 10, rngs=rngs)

    def __call__(self, pixels: jax.Array) -> jax.Array:
        """Return ten scores for each row."""
        hidden = nnx.relu(self.first(pixels.astype(jnp.float32) / 16))
        return self.last(nnx.relu(self.second(hidden)))


graphdef, _ = nnx.split(nnx.eval_shape(lambda: Digits(rngs=nnx.Rngs(0))))
optimizer = optax.adam(1e-3)


@jax.jit
def train_step(params: Any, opt_state: Any, x: Any, y: Any) -> tuple[Any, Any, jax.Array]:
    """Take one step of Adam; return the parameters, Adam's averages and the loss before it."""

    def loss(params: Any) -> jax.Array:
        scores = nnx.merge(graphdef, params)(x)
        return optax.softmax_cross_entropy_with_integer_labels(scores, y).mean()  # type: ignore[no-any-return]

    value, grads = jax.value_and_grad(loss)(params)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


def train(params: Any, pixels: np.ndarray, labels: np.ndarray, epochs: int, rng: Any) -> Any:
    """Train with Adam for some epochs of 20 batches of 64 rows."""
    opt_state = optimizer.init(params)
    for _ in range(epochs):
        for rows in rng.permutation(len(labels))[:1280].reshape(-1, 64):
            params, opt_state, _ = train_step(params, opt_state, pixels[rows], labels[rows])
    return params


def named_weights(params: Any) -> Weights:
    """Give each array of a Flax state a name, such as ``first/kernel``."""
    return flatten_dict(nnx.to_pure_dict(params), sep="/")  # type: ignore[no-any-return]


def predict_with(weights: Weights, pixels: jax.Array) -> jax.Array:
    """Compute the probabilities of the ten digits for rows of pixels, with named weights."""
    params = unflatten_dict(weights, sep="/")
    return jax.nn.softmax(nnx.merge(graphdef, params)(pixels))


def write(weights: Weights, program_file: Path, weights_file: Path) -> None:
    """Export ``predict_with`` for any number of rows, on CPUs and GPUs, and save the weights."""
    shape = jax.export.symbolic_shape("batch, 64")
    rows = jax.ShapeDtypeStruct(shape, jnp.uint8)  # type: ignore[no-untyped-call]
    export = jax.export.export(jax.jit(predict_with), platforms=["cpu", "cuda"])
    program_file.write_bytes(export(weights, rows).serialize())
    np.savez(weights_file, **weights)


def load(program_file: Path, weights_file: Path) -> tuple[jax.export.Exported, Weights]:
    """Read a program and its weights, the latter onto the default device."""
    exported = jax.export.deserialize(bytearray(program_file.read_bytes()))
    with np.load(weights_file) as weights:
        return exported, jax.device_put(dict(weights))


def compile_all(exported: Any, weights: Weights, sizes: Sequence[int]) -> dict[int, Any]:
    """Compile a program for some numbers of rows, so that no request waits for it."""
    call, programs = jax.jit(exported.call), {}
    for size in sizes:
        rows = jax.ShapeDtypeStruct((size, 64), jnp.uint8)  # type: ignore[no-untyped-call]
        programs[size] = call.lower(weights, rows).compile()
    return programs


def collect(requests: queue.Queue[Any], limit: int, wait_s: float) -> list[Any]:
    """Wait for one request, then take others up to a limit, for at most ``wait_s`` seconds."""
    batch = [requests.get()]
    end = time.monotonic() + wait_s
    while len(batch) < limit:
        try:
            batch.append(requests.get(timeout=max(0, end - time.monotonic())))
        except queue.Empty:
            break
    return batch


def pad(rows: np.ndarray, buckets: Sequence[int]) -> np.ndarray:
    """Add rows of zeros up to the next bucket; the buckets are in ascending order.

    >>> pad(np.ones((3, 2)), (1, 4, 16)).shape
    (4, 2)
    """
    size = next(size for size in buckets if size >= len(rows))
    return np.pad(rows, [(0, size - len(rows)), (0, 0)])


def serve(requests: Requests, predict: Predict, buckets: Sequence[int], wait_s: float) -> None:
    """Answer requests in batches, forever; run this in a thread of its own.

    Args:
        requests: Filled by ``submit``.
        predict: Maps a batch, shape (a bucket, 64), to an array with one answer per row. If it
            raises an exception, all requests in the batch get it.
        buckets: The sizes of batches, in ascending order.
        wait_s: How long the first request of a batch waits for others, in seconds.

    >>> requests = queue.Queue()
    >>> settings = requests, lambda rows: rows.sum(axis=1), (1, 8), 0.001
    >>> threading.Thread(target=serve, args=settings, daemon=True).start()
    >>> [int(submit(requests, np.full(64, n, np.uint8)).result()) for n in (1, 2)]
    [64, 128]
    """
    while True:
        rows, replies = zip(*collect(requests, buckets[-1], wait_s), strict=True)
        try:
            answers = predict(pad(np.stack(rows), buckets))[: len(rows)]
        except Exception as error:
            for reply in replies:
                reply.set_exception(error)
        else:
            for reply, answer in zip(replies, answers, strict=True):
                reply.set_result(answer)


def submit(requests: Requests, row: np.ndarray) -> "Future[np.ndarray]":
    """Put an image into the queue of ``serve``.

    Returns:
        A Future that will hold what ``predict`` returns for the image.

    Raises:
        ValueError: If the image is not 64 pixels of uint8.
    """
    if row.shape != (64,) or row.dtype != np.uint8:
        raise ValueError(f"64 pixels of uint8 expected, not {row.dtype}{row.shape}")
    reply = Future()  # type: ignore[var-annotated]
    requests.put((row, reply))
    return reply


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, export, load, and answer requests one by one and in batches."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--epochs", type=whole_number(1, 100), default=5, metavar="N", help=DEFAULT)
    add("--requests", type=whole_number(1, 10_000), default=500, metavar="N", help=DEFAULT)
    wait = f"the longest wait for a batch, in milliseconds; {DEFAULT}"
    add("--wait", type=real_number(0, 1000), default=5.0, metavar="MS", help=wait)
    add("--keep", type=folder, metavar="FOLDER", help="keep program.bin and weights.npz there")
    options = parser.parse_args(arguments)

    rng = np.random.default_rng(0)
    pixels, labels = load_digits(return_X_y=True)
    order = rng.permutation(len(labels))
    pixels, labels = pixels[order].astype(np.uint8), labels[order]
    params = nnx.state(Digits(rngs=nnx.Rngs(0)))
    params = train(params, pixels[500:], labels[500:], options.epochs, rng)

    with tempfile.TemporaryDirectory() as temporary:
        kept = options.keep or Path(temporary)
        files = kept / "program.bin", kept / "weights.npz"
        write(named_weights(params), *files)
        print(*(f"{file.name}: {file.stat().st_size} bytes" for file in files), sep="\n")
        exported, weights = load(*files)
    programs = compile_all(exported, weights, BUCKETS)

    def predict(rows: np.ndarray) -> np.ndarray:
        return np.asarray(programs[len(rows)](weights, rows))

    requests: Requests = queue.Queue()
    settings = requests, predict, BUCKETS, options.wait / 1000
    threading.Thread(target=serve, args=settings, daemon=True).start()
    chosen = np.arange(options.requests) % 500
    begin = time.process_time()
    single = np.array([predict(pixels[n : n + 1])[0] for n in chosen])
    between = time.process_time()
    replies = [submit(requests, pixels[n]) for n in chosen]
    batched = np.array([reply.result() for reply in replies])
    gain = (between - begin) / (time.process_time() - between)

    same = np.allclose(single, batched, atol=1e-4)
    print(f"{np.mean(batched.argmax(axis=1) == labels[chosen]):.1%} of the answers are right")
    print(f"batches give the same answers: {same}, {gain:.1f} x as many per processor second")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
