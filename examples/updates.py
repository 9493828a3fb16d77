"""A picture made of hits: every visit of a pixel is counted with .at[].add in a compiled loop.

Points move by the map of Peter de Jong, and each step adds 1 to the pixels that the points hit.
Many points share a pixel (``.at[].add`` counts them all), and with a window smaller than the
whole picture many lie outside (``mode="drop"`` ignores them, and ``wrap_negative_indices=False``
keeps those on the left and below from coming in on the other side).
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure

Points = tuple[jax.Array, jax.Array]


def swirl(x: jax.Array, y: jax.Array) -> Points:
    """Move points by the map of Peter de Jong, with the coefficients 1.4, 2.3, 2.4 and 2.1.

    >>> x, y = swirl(jnp.zeros(2), jnp.zeros(2))
    >>> print(x, y)
    [-1. -1.] [-1. -1.]
    """
    return (jnp.sin(1.4 * y) - jnp.cos(2.3 * x),
            jnp.sin(2.4 * x) - jnp.cos(2.1 * y))  # fmt: skip


def pixel(x: jax.Array, low: float, high: float, n: int) -> jax.Array:
    """Turn coordinates into indices: negative below ``low``, and at least n from ``high`` on.

    >>> print(pixel(jnp.array([-1.0, 0.0, 0.9, 1.0]), 0.0, 1.0, 10))
    [-10   0   9  10]
    """
    return jnp.floor((x - low) / (high - low) * n).astype(int)


def settled_points(side: int) -> Points:
    """Let a grid of points move 20 steps, so that it has reached the attractor.

    >>> x, y = settled_points(10)
    >>> x.shape, bool(jnp.abs(x).max() <= 2)
    ((10, 10), True)
    """
    axis = jnp.linspace(-2, 2, side)
    start = tuple(jnp.meshgrid(axis, axis))
    return jax.lax.fori_loop(0, 20, lambda n, point: swirl(*point), start)  # type: ignore[no-any-return]


def density(points: Points, low: float, high: float, n: int, steps: int, wrap: bool) -> jax.Array:
    """Count how often each pixel of a square window is hit.

    Args:
        points: Coordinates x and y, of any shape.
        low: Left and lower border of the window.
        high: Right and upper border.
        n: Pixels on each side; rows grow with y, columns with x.
        steps: How many steps the points take; each is counted.
        wrap: Whether negative indices count from the end, so that points on the left of the
            window are counted at its right.

    The whole picture keeps every hit; a part of it only those inside, unless they are wrapped:

    >>> points = settled_points(20)
    >>> int(density(points, -2.0, 2.0, 50, 3, wrap=False).sum()) == 3 * 20**2
    True
    >>> inside, wrapped = (density(points, 0.0, 2.0, 50, 3, wrap) for wrap in (False, True))
    >>> 0 < int(inside.sum()) < int(wrapped.sum())
    True
    """

    def body(_: Any, carry: tuple[Points, jax.Array]) -> tuple[Points, jax.Array]:
        (x, y), counts = carry
        x, y = swirl(x, y)
        hit = counts.at[pixel(y, low, high, n), pixel(x, low, high, n)]
        return (x, y), hit.add(1, mode="drop", wrap_negative_indices=wrap)

    start = (points, jnp.zeros((n, n), int))
    return jax.lax.fori_loop(0, steps, body, start)[1]  # type: ignore[no-any-return]


def draw(counts: jax.Array, low: float, high: float) -> Figure:
    """Draw the counts of a window on a logarithmic scale."""
    figure = Figure(figsize=(6, 5.6), layout="constrained", dpi=200)
    ax = figure.subplots()
    image = jnp.log1p(counts)
    ax.imshow(image, origin="lower", cmap="inferno", extent=(low, high, low, high))
    ax.set(xlabel="$x$", ylabel="$y$")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Count the hits in a window, with and without wrapping, and print both sums.

    >>> main(["--points", "20", "--steps", "3", "--pixels", "50"])
    hits                     1200
    inside the window        1200
    with negative indices    1200
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--low", type=real_number(-2, 2), default=-2.0, help=f"of the window; {DEFAULT}")
    add("--high", type=real_number(-2, 2), default=2.0, help=f"of the window; {DEFAULT}")
    add("--pixels", type=whole_number(1, 4000), default=600, help=f"on each side; {DEFAULT}")
    add("--points", type=whole_number(1, 2000), default=400, help=f"on each side; {DEFAULT}")
    add("--steps", type=whole_number(1, 500), default=40, help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the hits into FILE")
    options = parser.parse_args(arguments)
    if not options.high - options.low >= 0.01:
        parser.error("--high: give a number that is at least 0.01 greater than --low")

    points = settled_points(options.points)
    window = partial(jax.jit(density, static_argnums=(3, 4, 5)), points, options.low, options.high)
    inside = window(options.pixels, options.steps, False)
    wrapped = window(options.pixels, options.steps, True)
    if options.plot:
        save(draw(inside, options.low, options.high), options.plot, parser)
    print(f"hits                  {options.steps * options.points**2:7}")
    print(f"inside the window     {inside.sum():7}")
    print(f"with negative indices {wrapped.sum():7}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
