"""A NaN in a training loop: find its step in the history, its line, and remove it.

A matrix draws images as points of the plane, so that distances are kept. The gradient of the
distance of two equal points is NaN, and random pairs sometimes pair an image with itself. The
script finds the first step that is not finite, names the functions and the operation behind it,
and trains again with a distance that has a gradient everywhere.

    python examples/debugging.py --seed 2 --steps 200

Source: the images are scikit-learn's handwritten digits; the tools are those of
https://docs.jax.dev/en/latest/debugging/flags.html.
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
from _command_line import command_line, picture_file, save, whole_number
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

Measure = Callable[[jax.Array, jax.Array], jax.Array]
Record = dict[str, jax.Array]


def distance(a: jax.Array, b: jax.Array) -> jax.Array:
    """Measure the distance of points, with a NaN gradient where two are equal.

    Args:
        a: Points, shape (..., d), float32.
        b: Points, of a shape that broadcasts with a.

    Returns:
        Euclidean distances, shape (...), in the unit of a.

    >>> point = jnp.ones(2)
    >>> value, slope = jax.value_and_grad(distance)(point, point)
    >>> float(value), bool(jnp.isnan(slope).all())
    (0.0, True)
    """
    return jnp.sqrt(jnp.sum((a - b) ** 2, axis=-1))


def safe_distance(a: jax.Array, b: jax.Array) -> jax.Array:
    """Measure the distance of points, with the gradient 0 where two are equal.

    Args:
        a: Points, shape (..., d), float32.
        b: Points, of a shape that broadcasts with a.

    Returns:
        The same distances as ``distance``, shape (...).

    >>> point = jnp.ones(2)
    >>> jax.grad(safe_distance)(point, point).tolist()
    [0.0, 0.0]
    """
    total = jnp.sum((a - b) ** 2, axis=-1)
    root = jnp.sqrt(jnp.where(total > 0, total, 1.0))
    return jnp.where(total > 0, root, 0.0)


def loss(w: jax.Array, a: jax.Array, b: jax.Array, measure: Measure) -> jax.Array:
    """Compare distances in the plane with distances of the images.

    Args:
        w: Matrix of shape (64, 2), which draws an image x as x w.
        a: Images, shape (n, 64), from 0 to 1.
        b: The other image of each pair, shape (n, 64).
        measure: ``distance`` or ``safe_distance``.

    Returns:
        Mean squared difference of the distances, shape ().

    >>> a, b = jnp.eye(64)[:1], jnp.zeros((1, 64))
    >>> float(loss(jnp.eye(64, 2), a, b, distance))
    0.0
    """
    return jnp.mean((measure(a @ w, b @ w) - measure(a, b)) ** 2)


def step(w: jax.Array, a: jax.Array, b: jax.Array, measure: Measure) -> tuple[jax.Array, Record]:
    """Take one step of gradient descent and record where it started.

    Args:
        w: Matrix of shape (64, 2).
        a: Images, shape (n, 64).
        b: The other image of each pair, shape (n, 64).
        measure: ``distance`` or ``safe_distance``.

    Returns:
        The matrix after the step, and the record {"w": (64, 2), "loss": (), "slope": (64, 2)}
        of the state before it.

    >>> a = jnp.ones((1, 64))
    >>> after, record = step(jnp.ones((64, 2)), a, a, distance)
    >>> float(record["loss"]), bool(jnp.isfinite(after).any())
    (0.0, False)
    """
    value, slope = jax.value_and_grad(loss)(w, a, b, measure)
    return w - 0.1 * slope, {"w": w, "loss": value, "slope": slope}


def fit(
    w: jax.Array, images: jax.Array, pairs: jax.Array, measure: Measure
) -> tuple[jax.Array, Record]:
    """Train over all pairs in one scan and keep every state.

    Args:
        w: Where to start, shape (64, 2).
        images: Shape (N, 64), from 0 to 1.
        pairs: Numbers of images, shape (steps, 2, n), integers below N.
        measure: ``distance`` or ``safe_distance``.

    Returns:
        The matrix after the last step, and the history, each entry with a first axis of length
        steps.

    >>> w, pairs = start(jax.random.key(0), 3, 4)
    >>> last, history = fit(w, jnp.ones((1797, 64)), pairs, safe_distance)
    >>> last.shape, history["loss"].shape, history["w"].shape
    ((64, 2), (3,), (3, 64, 2))
    """

    def body(w: jax.Array, pair: jax.Array) -> tuple[jax.Array, Record]:
        return step(w, images[pair[0]], images[pair[1]], measure)

    return jax.lax.scan(body, w, pairs)


def start(key: jax.Array, steps: int, n: int) -> tuple[jax.Array, jax.Array]:
    """Draw the first matrix and the pairs of all steps.

    Args:
        key: A key from ``jax.random.key``.
        steps: How many steps.
        n: How many pairs in a step.

    Returns:
        A matrix of shape (64, 2), float32, and numbers of images, shape (steps, 2, n), int32,
        from 0 to 1796. A number may be paired with itself.

    >>> w, pairs = start(jax.random.key(0), 200, 32)
    >>> w.shape, pairs.shape
    ((64, 2), (200, 2, 32))
    """
    key_w, key_pairs = jax.random.split(key)
    pairs = jax.random.randint(key_pairs, (steps, 2, n), 0, 1797)
    return 0.1 * jax.random.normal(key_w, (64, 2)), pairs


def first_bad(values: jax.Array) -> int | None:
    """Find the first row of a history that is not finite.

    Args:
        values: Shape (steps, ...).

    Returns:
        The number of the first row with a NaN or an infinity, or None.

    >>> first_bad(jnp.array([1.0, jnp.inf, jnp.nan]))
    1
    >>> first_bad(jnp.ones((3, 2))) is None
    True
    """
    rows = jnp.isfinite(values).reshape(len(values), -1).all(axis=1)
    return None if rows.all() else int(jnp.argmin(rows))


def stopped_by(option: Callable[[bool], Any], run: Callable[[], Any]) -> str | None:
    """Run something under ``jax.debug_nans`` or ``jax.debug_infs``.

    Args:
        option: One of these two context managers; it is restored afterwards.
        run: What to call, without arguments.

    Returns:
        The message of the FloatingPointError, or None if nothing stopped the run.

    >>> stopped_by(jax.debug_nans, lambda: jax.lax.log(-1.0))
    'invalid value (nan) encountered in log'
    >>> stopped_by(jax.debug_nans, lambda: jax.lax.log(1.0)) is None
    True
    """
    try:
        with option(True):
            run()
    except FloatingPointError as error:
        return str(error)
    return None


def origin(run: Callable[[], Any]) -> list[str]:
    """Name the functions of the forward pass behind a NaN.

    Args:
        run: What to call, without arguments; not compiled, or the lines are lost.

    Returns:
        The names of this module's functions in the error's cause, the innermost last; none if
        no NaN arises.

    >>> origin(lambda: jax.grad(distance)(jnp.ones(2), jnp.ones(2)))
    ['distance']
    """
    try:
        with jax.debug_nans(True):
            run()
    except FloatingPointError as error:
        cause = error.__cause__ or error
        names = [frame.name for frame in traceback.extract_tb(cause.__traceback__)]
        return [name for name in names if name in ("step", "loss", "distance")]
    return []


def draw(broken: Record, repaired: Record) -> Figure:
    """Draw the loss of both training runs, and the first step with a NaN.

    Args:
        broken: History with ``distance``, "loss" of shape (steps,).
        repaired: History with ``safe_distance``, "loss" of shape (steps,).

    Returns:
        Both losses over the steps; a dashed line at the first loss that is not finite.
    """
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(repaired["loss"], lw=2, label="safe_distance")
    axes.plot(broken["loss"], lw=2, label="distance")
    bad = first_bad(broken["loss"])
    if bad is not None:
        axes.axvline(bad, lw=2, ls="--", color="0.4")
    axes.set(xlabel="$n$", ylabel="$L$")
    axes.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train, find the first NaN and what made it, and train without it.

    >>> main(["--seed", "2", "--steps", "3"])  # doctest: +ELLIPSIS
    distance       no NaN                loss = ...
    safe_distance  no NaN                loss = ...
    0
    """
    parser = command_line(__doc__)
    add, default = parser.add_argument, "default: %(default)s"
    add("--steps", type=whole_number(1, 10_000), default=200, metavar="N", help=default)
    add("--pairs", type=whole_number(1, 1024), default=32, metavar="N", help=default)
    add("--seed", type=whole_number(0, 2**32 - 1), default=2, metavar="N", help=default)
    add("--plot", type=picture_file, metavar="FILE", help="draw the losses into FILE")
    options = parser.parse_args(arguments)

    images = jnp.asarray(load_digits().data / 16, jnp.float32)
    w, pairs = start(jax.random.key(options.seed), options.steps, options.pairs)
    jit_fit = jax.jit(fit, static_argnames="measure")
    histories = {f.__name__: jit_fit(w, images, pairs, f)[1] for f in (distance, safe_distance)}
    if options.plot:
        save(draw(*histories.values()), options.plot, parser)
    for name, history in histories.items():
        bad = first_bad(history["slope"])
        found = "no NaN" if bad is None else f"gradient NaN at {bad}"
        print(f"{name:<13}  {found:<20}  loss = {history['loss'][-1]:.4f}")
    bad = first_bad(histories["distance"]["slope"])
    if bad is not None:
        a, b = images[pairs[bad]]
        before = histories["distance"]["w"][bad]
        print(stopped_by(jax.debug_infs, lambda: step(before, a, b, distance)))
        print("in", " > ".join(origin(lambda: step(before, a, b, distance))))
        equal = pairs[bad, 0][pairs[bad, 0] == pairs[bad, 1]]
        print("images paired with themselves:", *equal)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
