"""A NaN in a training loop: find its step in the history and its line in the traceback.

A matrix maps images to points in the plane, so that distances are kept. The gradient of the
distance between two equal points is NaN, and random pairs sometimes pair an image with itself. The
script finds the first step that is not finite, names the operation and the function behind it, and
trains again with a distance that has a gradient everywhere.

    python examples/debugging.py --seed 2 --steps 200
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "scikit-learn"]
# ///

import traceback
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

Metric = Callable[[jax.Array, jax.Array], jax.Array]
Record = dict[str, jax.Array]


def distance(a: jax.Array, b: jax.Array) -> jax.Array:
    """Return the distances of points along the last axis; the gradient is NaN where a equals b."""
    return jnp.sqrt(jnp.sum((a - b) ** 2, axis=-1))


def safe_distance(a: jax.Array, b: jax.Array) -> jax.Array:
    """Return the distances of points along the last axis, with the gradient 0 where a equals b.

    >>> point = jnp.ones(2)
    >>> jax.grad(safe_distance)(point, point).tolist()
    [0.0, 0.0]
    """
    total = jnp.sum((a - b) ** 2, axis=-1)
    root = jnp.sqrt(jnp.where(total > 0, total, 1.0))
    return jnp.where(total > 0, root, 0.0)


def loss(w: jax.Array, a: jax.Array, b: jax.Array, metric: Metric) -> jax.Array:
    """Compare distances in the plane with distances between images."""
    return jnp.mean((metric(a @ w, b @ w) - metric(a, b)) ** 2)


def step(w: jax.Array, batch: jax.Array, metric: Metric = distance) -> tuple[jax.Array, Record]:
    """Take one step of gradient descent, and record the state before it."""
    value, gradient = jax.value_and_grad(loss)(w, *batch, metric)
    return w - 0.1 * gradient, {"w": w, "loss": value, "gradient": gradient}


def fit(
    w: jax.Array, images: jax.Array, pairs: jax.Array, metric: Metric = distance
) -> tuple[jax.Array, Record]:
    """Train over all pairs in one scan, and stack the records of all steps."""
    return jax.lax.scan(lambda w, pair: step(w, images[pair], metric), w, pairs)


def new_run(seed: int, steps: int = 200, n: int = 32) -> tuple[jax.Array, jax.Array]:
    """Draw the first matrix, and n pairs of images for each step; an image may pair with itself.

    >>> w, pairs = new_run(0)
    >>> w.shape, pairs.shape
    ((64, 2), (200, 2, 32))
    """
    key_w, key_pairs = jax.random.split(jax.random.key(seed))
    pairs = jax.random.randint(key_pairs, (steps, 2, n), 0, 1797)
    return 0.1 * jax.random.normal(key_w, (64, 2)), pairs


def first_bad(values: jax.Array) -> int | None:
    """Find the first row of a history that is not finite.

    Args:
        values: Shape (steps, ...), floating point.

    Returns:
        The number of the first row with a NaN or an infinity, or None.

    >>> first_bad(jnp.array([1.0, jnp.inf, jnp.nan]))
    1
    >>> first_bad(jnp.ones((3, 2))) is None
    True
    """
    finite = jnp.isfinite(values).reshape(len(values), -1).all(axis=1)
    return None if finite.all() else int(jnp.argmin(finite))


def origin(option: Callable[[bool], Any], run: Callable[[], Any]) -> tuple[str, str] | None:
    """Find the operation and the function where a NaN or an infinity arises.

    Args:
        option: ``jax.debug_nans`` or ``jax.debug_infs``; its value is restored afterwards.
        run: What to call, without arguments. If it is compiled, lines may be missing.

    Returns:
        The operation and the innermost function outside of libraries, or None if all is finite.

    >>> origin(jax.debug_nans, lambda: jax.lax.log(-1.0))
    ('log', '<lambda>')
    >>> origin(jax.debug_nans, lambda: jax.lax.log(1.0)) is None
    True
    """
    try:
        with option(True):
            run()
    except FloatingPointError as error:
        frames = traceback.extract_tb((error.__cause__ or error).__traceback__)
        own = [frame.name for frame in frames if "site-packages" not in frame.filename]
        return str(error).split()[-1], own[-1]
    return None


def draw(broken: Record, repaired: Record) -> Figure:
    """Draw the losses of both runs, with a line at the first one that is not finite."""
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    ax = figure.subplots()
    ax.plot(repaired["loss"], color="#0b5fa5", lw=2, label="safe_distance")
    ax.plot(broken["loss"], color="#b3430f", lw=2, label="distance")
    bad = first_bad(broken["loss"])
    if bad is not None:
        ax.axvline(bad, lw=2, ls="--", color="0.4")
    ax.set(xlabel="step", ylabel="loss")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, find the first NaN and what caused it, and train without it."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--steps", type=whole_number(1, 10_000), default=200, metavar="N", help=DEFAULT)
    add("--pairs", type=whole_number(1, 1024), default=32, metavar="N", help=DEFAULT)
    add("--seed", type=whole_number(0, 2**32 - 1), default=2, metavar="N", help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the losses into FILE")
    options = parser.parse_args(arguments)

    images = jnp.asarray(load_digits().data / 16, jnp.float32)
    w, pairs = new_run(options.seed, options.steps, options.pairs)
    jit_fit = jax.jit(fit, static_argnames="metric")
    broken, repaired = (jit_fit(w, images, pairs, f)[1] for f in (distance, safe_distance))
    if options.plot:
        save(draw(broken, repaired), options.plot, parser)
    for name, history in (("distance", broken), ("safe_distance", repaired)):
        bad = first_bad(history["gradient"])
        summary = "no NaN" if bad is None else f"gradient NaN in step {bad}"
        print(f"{name:<13}  {summary:<24}  last loss {history['loss'][-1]:.4f}")

    n = first_bad(broken["gradient"])
    if n is not None:
        result = origin(jax.debug_infs, lambda: step(broken["w"][n], images[pairs[n]]))
        print("operation and function:", *(result or ("not found",)))
        equal = pairs[n, 0][pairs[n, 0] == pairs[n, 1]]
        print("images paired with themselves:", *equal)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
