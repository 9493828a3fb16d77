"""Rows of different length: padded with a mask, in buckets, or flat with segment ids.

The table compares four ways to choose the width of a padded batch: how many programs ``jax.jit``
would compile, and how large a part of the tables is padding. The last line gives the flat form.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure

Costs = dict[str, tuple[int, float]]


def pad_rows(rows: Sequence[Sequence[float]], length: int) -> tuple[np.ndarray, np.ndarray]:
    """Write rows into a table of float32, filled up with zeros.

    Returns:
        The table, of shape (number of rows, length), and the number of entries of each row.

    Raises:
        ValueError: If a row has more than ``length`` entries.

    >>> pad_rows([[5, 4], [2]], 3)
    (array([[5., 4., 0.],
           [2., 0., 0.]], dtype=float32), array([2, 1]))
    """
    table = np.zeros((len(rows), length), np.float32)
    for padded, row in zip(table, rows, strict=True):
        padded[: len(row)] = row
    return table, np.array([len(row) for row in rows])


def bucket(n: int) -> int:
    """Round up to a power of two.

    >>> [bucket(n) for n in (1, 3, 4, 5)]
    [1, 4, 4, 8]
    """
    return 1 << (int(n) - 1).bit_length()


def cost(lengths: np.ndarray, width_of: Callable[[int], int], batch: int = 20) -> tuple[int, float]:
    """Count the shapes of padded batches, and the share of padding in them.

    Args:
        lengths: One length for each row, in the order of the batches. Their number is a multiple
            of ``batch``.
        width_of: Takes the longest length of a batch, returns the width of its table.
        batch: The rows in a batch.

    >>> programs, padding = cost(np.array([1, 3, 5, 7]), bucket, batch=2)
    >>> programs, float(round(padding, 3))
    (2, 0.333)
    """
    widths = [width_of(rows.max()) for rows in lengths.reshape(-1, batch)]
    return len(set(widths)), 1 - lengths.sum() / (batch * sum(widths))


@functools.partial(jax.jit, static_argnames="num_segments")
def segment_mean(values: jax.Array, ids: jax.Array, num_segments: int) -> jax.Array:
    """Average the values of each segment; an empty segment gives 0.

    Args:
        values: A flat array.
        ids: The segment of each value. Values with an id outside the segments are dropped.
        num_segments: The length of the result.

    >>> print(segment_mean(jnp.array([5.0, 3.0, 2.0]), jnp.array([0, 0, 3]), num_segments=2))
    [4. 0.]
    """
    total = jax.ops.segment_sum(values, ids, num_segments)
    size = jax.ops.segment_sum(jnp.ones_like(values), ids, num_segments)
    return total / jnp.maximum(size, 1)


def pad_flat(
    values: np.ndarray, ids: np.ndarray, num_segments: int
) -> tuple[np.ndarray, np.ndarray]:
    """Fill up a flat array to its bucket, with an id that ``segment_mean`` drops.

    >>> pad_flat(np.ones(3), np.array([0, 0, 1]), 2)
    (array([1., 1., 1., 0.]), array([0, 0, 1, 2]))
    """
    gap = bucket(len(values)) - len(values)
    return np.pad(values, (0, gap)), np.pad(ids, (0, gap), constant_values=num_segments)


def segment_softmax(values: jax.Array, ids: jax.Array, num_segments: int) -> jax.Array:
    """Give each value its share in the softmax of its segment.

    >>> print(segment_softmax(jnp.array([7.0, 7.0, 1000.0]), jnp.array([0, 0, 1]), 2))
    [0.5 0.5 1. ]
    """
    top = jax.ops.segment_max(values, ids, num_segments)
    powers = jnp.exp(values - top[ids])
    return powers / jax.ops.segment_sum(powers, ids, num_segments)[ids]


def compare(lengths: np.ndarray, batch: int) -> Costs:
    """Find the cost of four ways to choose the width, by name."""
    return {
        "one width for all": cost(lengths, lambda n: lengths.max(), batch),
        "longest of the batch": cost(lengths, int, batch),
        "bucket": cost(lengths, bucket, batch),
        "sorted, bucket": cost(np.sort(lengths), bucket, batch),
    }


def draw(costs: Costs) -> Figure:
    """Draw the share of padding over the number of programs."""
    figure = Figure(figsize=(6, 3.8), layout="constrained")
    ax = figure.subplots()
    for name, (programs, padding) in costs.items():
        ax.plot(programs, padding, "o", label=name)
    ax.set(xlabel="programs", ylabel="padding", xlim=(0, None), ylim=(0, 1))
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw random lengths, and print what each form costs."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    default = "default: %(default)s"
    add("--batches", type=whole_number(1, 1000), default=20, metavar="N", help=default)
    add("--batch", type=whole_number(1, 1000), default=20, metavar="N", help=f"rows; {default}")
    spread = f"standard deviation of the logarithm of a length; {default}"
    add("--spread", type=real_number(0, 2), default=1.0, metavar="S", help=spread)
    add("--plot", type=picture_file, metavar="FILE", help="draw the costs into FILE")
    options = parser.parse_args(arguments)

    rng = np.random.default_rng(0)
    lengths = rng.lognormal(3, options.spread, options.batches * options.batch).astype(int) + 1
    costs = compare(lengths, options.batch)
    if options.plot:
        save(draw(costs), options.plot, parser)
    for name, (programs, padding) in costs.items():
        print(f"{name:22}{programs:3} programs {padding:5.0%} padding")
    ids = np.repeat(np.arange(lengths.size), lengths)
    values, padded_ids = pad_flat(rng.normal(size=ids.size), ids, lengths.size)
    means = segment_mean(jnp.asarray(values), jnp.asarray(padded_ids), lengths.size)
    print(f"{'flat':22}  1 programs {1 - ids.size / values.size:5.0%} padding, {means.size} means")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
