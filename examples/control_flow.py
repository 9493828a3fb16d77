"""Newton fractals: one while_loop for each point of a picture, run together by vmap.

Newton's method for z^d = 1 is a loop that runs until it is close enough to a root. ``newton``
writes it with ``jax.lax.while_loop`` for one complex number, and ``jax.vmap`` runs it for a whole
picture. All points then wait for the slowest: the script prints the steps of the slowest point
beside the average, and the share of the points that found each root.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.colors import hsv_to_rgb
from matplotlib.figure import Figure

LARGEST_PICTURE = 2000  # four million points; z and n fill 48 MB


def newton(
    f: Callable[[jax.Array], jax.Array], z: jax.Array, limit: int = 50
) -> tuple[jax.Array, int]:
    """Find a root of a function by Newton's method.

    Args:
        f: Holomorphic function of a complex number.
        z: Where to start, complex, shape ().
        limit: How many steps at most.

    Returns:
        The last point, and the number of steps. The search ended before the limit if |f| is at
        most 1e-5 there, or if it left the numbers (NaN).

    >>> z, n = newton(lambda z: z**2 - 2, jnp.array(1.0 + 0.0j))
    >>> print(f"{z.real:.4f} {n}")
    1.4142 3
    """
    derivative = jax.grad(f, holomorphic=True)

    def unfinished(carry: tuple[jax.Array, int]) -> jax.Array:
        z, n = carry
        return (jnp.abs(f(z)) > 1e-5) & (n < limit)

    def advance(carry: tuple[jax.Array, int]) -> tuple[jax.Array, int]:
        z, n = carry
        return z - f(z) / derivative(z), n + 1

    return jax.lax.while_loop(unfinished, advance, (z, 0))


def plane(points: int, side: float) -> jax.Array:
    """Lay a square grid of complex64 numbers on the plane, the largest imaginary part first.

    >>> print(plane(2, 1.0))
    [[-1.+1.j  1.+1.j]
     [-1.-1.j  1.-1.j]]
    """
    axis = jnp.linspace(-side, side, points)
    return axis[None, :] + 1j * axis[::-1, None]


def fractal(degree: int, points: int, side: float, limit: int) -> tuple[np.ndarray, np.ndarray]:
    """Run Newton's method for z^degree = 1 from each point of a grid of 2 side by 2 side.

    Returns:
        The last points, complex64, and the numbers of steps, int32; each of shape (points, points).
        A point from which the search left the numbers (a start of 0) becomes 0.

    >>> z, n = fractal(3, 20, 1.5, 50)
    >>> bool(np.mean(np.abs(z**3 - 1) < 1e-4) > 0.99), z.shape
    (True, (20, 20))
    """
    find = jax.jit(jax.vmap(jax.vmap(lambda z: newton(lambda z: z**degree - 1, z, limit))))
    z, n = find(plane(points, side))
    return np.nan_to_num(np.asarray(z)), np.asarray(n)


def paint(z: np.ndarray, n: np.ndarray) -> np.ndarray:
    """Colour points by their angle, and darken them by their number of steps (RGB, last axis)."""
    hue = (np.angle(z) / (2 * np.pi) + 0.1) % 1
    value = 1 - 0.9 * np.sqrt(n / max(n.max(), 1))
    return hsv_to_rgb(np.stack([hue, np.full_like(hue, 0.6), value], axis=-1))


def draw(z: np.ndarray, n: np.ndarray, side: float) -> Figure:
    """Draw the picture of ``paint`` on the complex plane."""
    figure = Figure(figsize=(4.5, 4.5), layout="constrained")
    ax = figure.subplots()
    ax.imshow(paint(z, n), extent=(-side, side, -side, side))
    ax.set(xlabel=r"$\mathrm{Re}\,z$", ylabel=r"$\mathrm{Im}\,z$")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the steps and the share of each root.

    >>> main(["--points", "40"])  # doctest: +ELLIPSIS
    steps    slowest ...  average ...
    root     +1.0000 +0.0000i   3...%
    root     -0.5000 +0.8660i   3...%
    root     -0.5000 -0.8660i   3...%
    none                        0.0%
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--degree", type=whole_number(2, 12), default=3, help=DEFAULT)
    points = whole_number(2, LARGEST_PICTURE)
    add("--points", type=points, default=400, help=f"points a side; {DEFAULT}")
    add("--side", type=real_number(0.01, 100), default=1.5, help=f"half the width; {DEFAULT}")
    add("--limit", type=whole_number(1, 1000), default=50, help=f"of the steps; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw the picture into FILE")
    options = parser.parse_args(arguments)

    z, n = fractal(options.degree, options.points, options.side, options.limit)
    print(f"steps    slowest {n.max()}  average {n.mean():.1f}")
    roots = np.exp(2j * np.pi * np.arange(options.degree) / options.degree)
    shares = [float(np.mean(np.abs(z - root) < 1e-3)) for root in roots]
    for root, share in zip(np.round(roots, 9) + 0, shares, strict=True):  # + 0 makes -0 a 0
        print(f"root     {root.real:+.4f} {root.imag:+.4f}i{share:8.1%}")
    print(f"none{max(0.0, 1 - sum(shares)):28.1%}")
    if options.plot:
        save(draw(z, n, options.side), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
