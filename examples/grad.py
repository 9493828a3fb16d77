"""The gradient field of a surface with jax.grad and jax.vmap, checked against its closed form.

``jax.grad`` turns a Python function into the function of its derivative. This script applies it to
h(x1, x2) = 2 sin x1 sin x2, vectorises it over a square grid with ``jax.vmap``, and compares every
gradient with the closed form (2 cos x1 sin x2, 2 sin x1 cos x2). It can draw the gradients as
arrows on the surface.

The surface is the one of Etsuji Nakai's Japanese slides "JAX / Flax 入門" (2022).
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import math
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure


def h(x1: jax.typing.ArrayLike, x2: jax.typing.ArrayLike) -> jax.Array:
    """Evaluate the surface 2 sin x1 sin x2, for coordinates in radians that broadcast.

    >>> print(f"{h(math.pi / 2, math.pi / 2):.3f} {h(math.pi / 2, -math.pi / 2):.3f}")
    2.000 -2.000
    """
    return 2 * jnp.sin(x1) * jnp.sin(x2)


def gradient_field(
    f: Callable[[jax.Array, jax.Array], jax.Array], points: int
) -> tuple[jax.Array, jax.Array, tuple[jax.Array, jax.Array]]:
    """Compute the gradient of a surface at every point of a square grid.

    Args:
        f: Function of two scalars that returns a scalar.
        points: Number of grid points from -pi to pi on each side. With 4 k + 1 points, the
            grid contains 0, ±pi/2 and ±pi.

    Returns:
        The coordinates x1 and x2, and the pair of partial derivatives of ``f``. Each is an array of
        shape (points, points); x1 grows along the second axis, x2 along the first.

    >>> x1, x2, (slope1, slope2) = gradient_field(h, 5)
    >>> bool(jnp.allclose(slope1, 2 * jnp.cos(x1) * jnp.sin(x2), atol=1e-5))
    True
    """
    axis = jnp.linspace(-jnp.pi, jnp.pi, points)
    x1, x2 = jnp.meshgrid(axis, axis)
    gradient = jax.grad(f, argnums=(0, 1))
    return x1, x2, jax.jit(jax.vmap(jax.vmap(gradient)))(x1, x2)


def field_arrows(
    f: Callable[[np.ndarray, np.ndarray], jax.Array],
    x1: jax.Array,
    x2: jax.Array,
    slopes: tuple[jax.Array, jax.Array],
    length: float,
) -> np.ndarray:
    """Outline one flat arrow for each gradient: (arrows, 8, 3), the corners in space."""
    half = np.array([-0.5 - 0.08j, 0.1 - 0.08j, 0.1 - 0.22j, 0.5])
    outline = np.append(half, half.conj()[::-1])
    centre = np.ravel(x1) + 1j * np.ravel(x2)
    turn = length * (np.ravel(slopes[0]) + 1j * np.ravel(slopes[1]))
    corners = centre[:, None] + turn[:, None] * outline
    height = f(corners.real, corners.imag) + 0.05
    return np.stack([corners.real, corners.imag, height], axis=-1)


def exact_slopes(x1: jax.Array, x2: jax.Array) -> np.ndarray:
    """Evaluate the gradient of ``h`` by its closed form, in float64: shape (2, ...)."""
    a, b = np.stack([x1, x2]).astype(np.float64)
    return np.stack([2 * np.cos(a) * np.sin(b), 2 * np.sin(a) * np.cos(b)])


def draw(arrows_a_side: int) -> Figure:
    """Draw the surface of ``h``, and its gradients as arrows, this many on each side."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection

    # The longest gradient, 2, takes 0.9 of the spacing, so that arrows in line do not touch.
    length = 0.9 * (2 * math.pi / (arrows_a_side - 1)) / 2
    arrows = field_arrows(h, *gradient_field(h, arrows_a_side), length)
    x1, x2, _ = gradient_field(h, 121)
    figure = Figure(figsize=(5, 4), dpi=160)
    ax: Any = figure.add_subplot(projection="3d", computed_zorder=False)
    # As an image inside the drawing: 14 400 facets would take megabytes.
    quality = {"rcount": 121, "ccount": 121, "antialiased": False, "rasterized": True}
    ax.plot_surface(x1, x2, h(x1, x2), cmap="coolwarm", **quality)
    ax.add_collection3d(Poly3DCollection(arrows, color="black", linewidth=0))
    ax.view_init(52, -60)
    ax.set_box_aspect((1, 1, 0.42), zoom=1.1)
    ax.set(xlabel="$x_1$", ylabel="$x_2$", xticks=[-3, 0, 3], yticks=[-3, 0, 3], zticks=[-2, 2])
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the gradients of ``h`` on a grid with the closed form, and print the largest error.

    >>> main(["--points", "9"])  # doctest: +ELLIPSIS
    grid points       9 x 9
    largest gradient  2.0000
    largest error     ...
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--points", type=whole_number(5, 1000), default=25, help=f"on each side; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw the field into FILE")
    options = parser.parse_args(arguments)

    x1, x2, slopes = gradient_field(h, options.points)
    gradients = np.stack(slopes)
    if options.plot:
        # More arrows than 13 x 13 could not be told apart.
        save(draw(min(options.points, 13)), options.plot, parser)
    print(f"grid points       {options.points} x {options.points}")
    print(f"largest gradient  {np.max(np.hypot(*gradients)):.4f}")
    print(f"largest error     {np.max(np.abs(gradients - exact_slopes(x1, x2))):.1e}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
