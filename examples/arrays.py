"""One program in NumPy and in JAX: heat spreads from a ring, and the two results are compared.

``hot_ring`` and ``diffuse`` take the library as their argument ``xp``, so NumPy and JAX run the
same lines. What differs is printed: the type and dtype of the array, its bytes, its device, and
how far JAX's float32 is from NumPy's float64 after all steps.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure


def hot_ring(xp: ModuleType, n: int) -> Any:
    """Draw a ring of ones on an n by n grid of zeros, in the default dtype of the library ``xp``.

    The distances are compared as whole numbers, so every library draws the same ring.

    >>> print(hot_ring(np, 6).astype(int)[:3])
    [[0 0 0 0 0 0]
     [0 0 1 1 0 0]
     [0 1 0 0 1 0]]
    >>> bool(jnp.array_equal(hot_ring(jnp, 50), hot_ring(np, 50)))
    True
    """
    place = (2 * xp.arange(n) - n + 1) ** 2
    square = place[:, None] + place
    ring = (25 * square > 4 * n**2) & (100 * square < 49 * n**2)
    return ring.astype(float)


def diffuse(xp: ModuleType, u: Any, rate: float) -> Any:
    """Take one explicit step of heat conduction on a plate whose border lets no heat through.

    Args:
        xp: ``numpy`` or ``jax.numpy``.
        u: Temperatures, an array of ``xp`` of shape (rows, columns).
        rate: Time step times diffusivity over the squared grid width; stable up to 0.25.

    Returns:
        The temperatures after the step, of the shape and dtype of ``u``, with the same sum.

    >>> print(diffuse(np, np.array([[0.0, 0.0, 4.0, 0.0, 0.0]]), 0.25))
    [[0. 1. 2. 1. 0.]]
    """
    wide = xp.pad(u, 1, mode="edge")
    around = wide[:-2, 1:-1] + wide[2:, 1:-1] + wide[1:-1, :-2] + wide[1:-1, 2:]
    return u + rate * (around - 4 * u)


def heated(xp: ModuleType, n: int, rate: float, steps: int) -> Any:
    """Let the heat of the ring spread; JAX compiles one step and runs it again and again.

    >>> bool(np.allclose(heated(jnp, 8, 0.2, 5), heated(np, 8, 0.2, 5)))
    True
    """
    one_step: Any = jax.jit(diffuse, static_argnums=0) if xp is jnp else diffuse
    u = hot_ring(xp, n)
    for _ in range(steps):
        u = one_step(xp, u, rate)
    return u


def draw(in_numpy: np.ndarray, in_jax: jax.Array) -> Figure:
    """Draw both plates and their difference, each with its colour bar."""
    difference = np.asarray(in_jax) - in_numpy
    pictures = {"numpy": in_numpy, "jax.numpy": in_jax, "jax.numpy - numpy": difference}
    figure = Figure(figsize=(4.5, 2.4), layout="constrained")
    for ax, (name, picture) in zip(figure.subplots(1, 3), pictures.items(), strict=True):
        image = ax.imshow(picture, cmap="coolwarm" if picture is difference else "inferno")
        ax.set(xlabel=name, xticks=[], yticks=[])
        ticks = [float(picture.max())]
        figure.colorbar(image, ax=ax, location="bottom", ticks=ticks, format="%.1g")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the same steps in both libraries and print how the results differ.

    >>> main(["--size", "16", "--steps", "10"])  # doctest: +ELLIPSIS
    library    type       dtype      bytes  device  total heat
    numpy      ndarray    float64     2048  cpu     ...
    jax.numpy  ArrayImpl  float32     1024  ...
    largest difference ...e-08
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--size", type=whole_number(6, 1000), default=64, help=f"rows and columns; {DEFAULT}")
    add("--steps", type=whole_number(0, 100_000), default=200, help=DEFAULT)
    add("--rate", type=real_number(0, 0.25), default=0.2, help=f"stable up to 0.25; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw both plates into FILE")
    options = parser.parse_args(arguments)

    run = options.size, options.rate, options.steps
    plates = {xp.__name__: heated(xp, *run) for xp in (np, jnp)}
    if options.plot:
        save(draw(plates["numpy"], plates["jax.numpy"]), options.plot, parser)
    print("library    type       dtype      bytes  device  total heat")
    for name, u in plates.items():
        device = "cpu" if isinstance(u, np.ndarray) else u.device.platform
        kind = type(u).__name__
        print(f"{name:10} {kind:10} {u.dtype!s:8} {u.nbytes:7}  {device:6}  {u.sum():.3f}")
    difference = np.abs(np.asarray(plates["jax.numpy"]) - plates["numpy"]).max()
    print(f"largest difference {difference:.1e}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
