"""A trained network in a server: exported without its code, answering in batches.

The program, for any number of rows, goes into one file, the weights into another; the server reads
both and needs neither the network's class nor Flax. You will see how many more requests it answers
in a second of processor time when a thread collects them in batches.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "flatbuffers", "flax>=0.12", "optax", "scikit-learn"]
# ///

import queue
import tempfile
import threading
import time
from concurrent.futures import Future
from pathlib import Path

import jax
import jax.export
import jax.numpy as jnp
import numpy as np
import optax
from flax import nnx
from flax.traverse_util import flatten_dict, unflatten_dict
from sklearn.datasets import load_digits

BUCKETS = (1, 4, 16, 64)  # the sizes of batches; a program is compiled for each
WAIT_S = 0.005  # how long the first request of a batch waits for others
EPOCHS, REQUESTS = 5, 500


class Digits(nnx.Module):
    """Classify rows of 64 pixels from 0 to 16, with two hidden layers."""

    def __init__(self, *, rngs):
        self.first = nnx.Linear(64, 1024, rngs=rngs)
        self.second = nnx.Linear(1024, 1024, rngs=rngs)
        self.last = nnx.Linear(1024, 10, rngs=rngs)

    def __call__(self, pixels):
        """Return ten scores for each row."""
        hidden = nnx.relu(self.first(pixels.astype(jnp.float32) / 16))
        return self.last(nnx.relu(self.second(hidden)))


graphdef, _ = nnx.split(nnx.eval_shape(lambda: Digits(rngs=nnx.Rngs(0))))
optimizer = optax.adam(1e-3)


@jax.jit
def train_step(params, opt_state, x, y):
    """Take one step of Adam."""

    def loss(params):
        scores = nnx.merge(graphdef, params)(x)
        return optax.softmax_cross_entropy_with_integer_labels(scores, y).mean()

    updates, opt_state = optimizer.update(jax.grad(loss)(params), opt_state, params)
    return optax.apply_updates(params, updates), opt_state


def predict_with(weights, pixels):
    """Compute the probabilities of the ten digits for rows of pixels, with named weights."""
    params = unflatten_dict(weights, sep="/")
    return jax.nn.softmax(nnx.merge(graphdef, params)(pixels))


def export(params, program_file, weights_file):
    """Write the program for any number of rows, and the weights by name.

    The program runs on CPUs, on NVIDIA's GPUs, and on the kind of device that exports it.
    """
    weights = flatten_dict(nnx.to_pure_dict(params), sep="/")
    shape = jax.export.symbolic_shape("batch, 64")
    rows = jax.ShapeDtypeStruct(shape, jnp.uint8)
    platforms = sorted({"cpu", "cuda", jax.export.default_export_platform()})
    exported = jax.export.export(jax.jit(predict_with), platforms=platforms)(weights, rows)
    program_file.write_bytes(exported.serialize())
    np.savez(weights_file, **weights)


def load(program_file, weights_file):
    """Read both files, compile for all buckets, and return a function of batches of rows."""
    exported = jax.export.deserialize(bytearray(program_file.read_bytes()))
    with np.load(weights_file) as saved:
        weights = jax.device_put(dict(saved))
    call, programs = jax.jit(exported.call), {}
    for size in BUCKETS:
        rows = jax.ShapeDtypeStruct((size, 64), jnp.uint8)
        programs[size] = call.lower(weights, rows).compile()
    return lambda rows: np.asarray(programs[len(rows)](weights, rows))


def collect(requests, limit):
    """Wait for one request, then take others up to a limit, for at most WAIT_S."""
    batch, end = [requests.get()], time.monotonic() + WAIT_S
    while len(batch) < limit:
        try:
            batch.append(requests.get(timeout=max(0, end - time.monotonic())))
        except queue.Empty:
            break
    return batch


def pad(rows):
    """Add rows of zeros up to the next bucket.

    >>> pad(np.ones((3, 2))).shape
    (4, 2)
    """
    size = next(size for size in BUCKETS if size >= len(rows))
    return np.pad(rows, [(0, size - len(rows)), (0, 0)])


def serve(requests, predict):
    """Answer the requests of a queue in batches, forever; run this in a thread of its own.

    If `predict` raises an exception, all requests of the batch get it.

    >>> requests = queue.Queue()
    >>> answer = lambda rows: rows.sum(axis=1)
    >>> threading.Thread(target=serve, args=(requests, answer), daemon=True).start()
    >>> [int(submit(requests, np.full(64, n, np.uint8)).result()) for n in (1, 2)]
    [64, 128]
    """
    while True:
        # A request that was cancelled meanwhile is left out.
        batch = [
            each
            for each in collect(requests, BUCKETS[-1])
            if each[1].set_running_or_notify_cancel()
        ]
        if not batch:
            continue
        rows, replies = zip(*batch, strict=True)
        try:
            answers = predict(pad(np.stack(rows)))[: len(rows)]
        except Exception as error:
            for reply in replies:
                reply.set_exception(error)
        else:
            for reply, answer in zip(replies, answers, strict=True):
                reply.set_result(answer)


def submit(requests, row):
    """Put an image of 64 pixels, uint8, into the queue; return a Future of the answer.

    Raises:
        ValueError: If it is another kind of image.
    """
    if row.shape != (64,) or row.dtype != np.uint8:
        raise ValueError(f"64 pixels of uint8 expected, not {row.dtype}{row.shape}")
    reply = Future()
    requests.put((row, reply))
    return reply


def main():
    """Train, export, load, and answer requests one by one and in batches."""
    rng = np.random.default_rng(0)
    pixels, labels = load_digits(return_X_y=True)
    order = rng.permutation(len(labels))
    pixels, labels = pixels[order].astype(np.uint8), labels[order]
    params = nnx.split(Digits(rngs=nnx.Rngs(0)))[1]
    opt_state = optimizer.init(params)
    for _ in range(EPOCHS):
        for rows in REQUESTS + rng.permutation(len(labels) - REQUESTS)[:1280].reshape(-1, 64):
            params, opt_state = train_step(params, opt_state, pixels[rows], labels[rows])
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder, "program.bin"), Path(folder, "weights.npz")
        export(params, *files)
        print(*(f"{file.name}: {file.stat().st_size:,} bytes" for file in files), sep="\n")
        predict = load(*files)

    requests = queue.Queue()
    threading.Thread(target=serve, args=(requests, predict), daemon=True).start()
    start = time.process_time()
    single = np.array([predict(pixels[n : n + 1])[0] for n in range(REQUESTS)])
    between = time.process_time()
    replies = [submit(requests, pixels[n]) for n in range(REQUESTS)]
    batched = np.array([reply.result() for reply in replies])
    gain = (between - start) / (time.process_time() - between)
    assert np.allclose(single, batched, atol=1e-2)  # a GPU may round in another way
    right = np.mean(batched.argmax(axis=1) == labels[:REQUESTS])
    print(f"{right:.1%} of the answers are right, {gain:.1f} x as many in batches")


if __name__ == "__main__":
    main()
