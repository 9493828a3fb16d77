"""A Monte-Carlo estimate of pi, with a new key for each batch and with one key reused.

Points of the unit square fall inside the quarter circle with probability pi/4. Batches of points
estimate pi, and the mean over the batches should come closer with each batch. It does when
``jax.random.split`` gives each batch a key of its own. It does not when all batches share one
key, and there is no error. The root mean square error over 100 runs shows the difference.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import math
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

RUNS = 100
# What is computed at once is an array of RUNS x batches x points.
MAX_POINTS = 100_000


def pi_from(x: jax.Array, y: jax.Array) -> jax.Array:
    """Estimate pi from points of the unit square: four times the share with x² + y² < 1.

    >>> float(pi_from(jnp.array([0.0, 0.9]), jnp.array([0.5, 0.9])))
    2.0
    """
    return 4 * jnp.mean(x**2 + y**2 < 1)


def pi_estimate(key: jax.Array, points: int) -> jax.Array:
    """Estimate pi from random points, with a variance of pi (4 - pi) / points."""
    x, y = jax.random.uniform(key, (2, points))
    return pi_from(x, y)


def running_mean(keys: jax.Array, points: int) -> jax.Array:
    """Average the estimates of the first 1, 2, 3, ... batches, one for each key of shape (n,)."""
    estimates = jax.vmap(lambda key: pi_estimate(key, points))(keys)
    return jnp.cumsum(estimates) / jnp.arange(1, keys.size + 1)


def rms_error(keys: jax.Array, points: int) -> jax.Array:
    """Give the root mean square error after 1, 2, 3, ... batches, over many runs.

    There is a key for each run and each batch, shape (runs, batches).

    With one key for all batches of a run, the error does not change:

    >>> keys = jax.random.split(jax.random.key(0), (100, 1))
    >>> jit_error = jax.jit(rms_error, static_argnames="points")
    >>> same = jit_error(jnp.broadcast_to(keys, (100, 4)), 10)
    >>> bool(jnp.allclose(same, same[0]))
    True
    """
    means = jax.vmap(lambda row: running_mean(row, points))(keys)
    return jnp.sqrt(jnp.mean((means - jnp.pi) ** 2, axis=0))


def predicted_error(batches: int, points: int) -> np.ndarray:
    """Give the standard deviation of the mean of 1, 2, 3, ... batches of independent points.

    >>> predicted_error(4, 100).round(4).tolist()
    [0.1642, 0.1161, 0.0948, 0.0821]
    """
    return np.sqrt(math.pi * (4 - math.pi) / (points * np.arange(1, batches + 1)))


def draw(fresh: jax.Array, reused: jax.Array, predicted: np.ndarray) -> Figure:
    """Draw the errors after 1, 2, 3, ... batches, the predicted ones dashed."""
    n = np.arange(1, len(fresh) + 1)
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    marks: Any = {"lw": 2, "ms": 7, "markevery": [2**k - 1 for k in range(len(n).bit_length())]}
    ax.loglog(n, reused, "o-", color="#b3430f", label="key", **marks)
    ax.loglog(n, fresh, "s-", color="#0b5fa5", label="split(key, n)", **marks)
    ax.loglog(n, predicted, "--", color="0.4", lw=2)
    ax.set(xlabel="$n$", ylabel="RMS")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the error of pi after 1, 2, 4, ... batches, for both ways to choose the keys.

    >>> main(["--batches", "4", "--points", "10"])  # doctest: +ELLIPSIS
    batches   split  same key  predicted
          1  0...    0...     0.5193
          2  0...    0...     0.3672
          4  0...    0...     0.2597
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--batches", type=whole_number(1, 1000), default=128, help=DEFAULT)
    add("--points", type=whole_number(1, MAX_POINTS), default=200, help=f"a batch; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw the errors into FILE")
    options = parser.parse_args(arguments)
    batches, points = options.batches, options.points
    if batches * points > MAX_POINTS:
        parser.error(f"--batches {batches} x --points {points}: give at most {MAX_POINTS} in all")

    jit_error = jax.jit(rms_error, static_argnames="points")
    keys = jax.random.split(jax.random.key(0), (RUNS, batches))
    fresh = jit_error(keys, points)
    reused = jit_error(jnp.broadcast_to(keys[:, :1], keys.shape), points)
    predicted = predicted_error(batches, points)
    if options.plot:
        save(draw(fresh, reused, predicted), options.plot, parser)
    print("batches   split  same key  predicted")
    for n in sorted({2**k for k in range(batches.bit_length())} | {batches}):
        errors = fresh[n - 1], reused[n - 1], predicted[n - 1]
        print("{:7}  {:.4f}    {:.4f}     {:.4f}".format(n, *errors))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
