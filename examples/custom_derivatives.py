"""Where a planet is, and how that depends on its orbit: the derivative of a fixed point.

Kepler's equation x = m + a sin(x) is solved by repeating its right side. Reverse mode cannot pass
through that loop, whose length is not fixed, but the derivative of the solution follows from the
equation alone. ``fixed_point`` has it as its own rule.
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
from _command_line import DEFAULT, command_line, picture_file, real_number, save
from matplotlib.figure import Figure

Params = Any  # a pytree of arrays


@functools.partial(jax.custom_vjp, nondiff_argnums=(0,))
def fixed_point(
    f: Callable[[Params, jax.Array], jax.Array], params: Params, guess: jax.Array
) -> jax.Array:
    """Solve x = f(params, x) by repetition, until x changes by at most 1e-6, 1000 times at most.

    Args:
        f: Takes the parameters and x, returns the next x; a contraction near the solution.
        params: Any pytree of floating-point arrays. The solution is differentiable in them.
        guess: Where the repetition starts, of the shape of the solution.

    Returns:
        The solution, of the shape and dtype of guess. Its derivative in guess is 0.

    Source:
        Bai, Kolter and Koltun, "Deep Equilibrium Models", 2019: the adjoint as a fixed point.

    >>> root = lambda a: fixed_point(lambda a, x: (x + a / x) / 2, a, jnp.ones(()))
    >>> round(float(root(jnp.array(9.0))), 4), round(float(jax.grad(root)(9.0)), 4)
    (3.0, 0.1667)
    """

    def unfinished(carry: tuple[int, jax.Array, jax.Array]) -> jax.Array:
        n, before, x = carry
        return (n < 1000) & (jnp.max(jnp.abs(x - before)) > 1e-6)

    def advance(carry: tuple[int, jax.Array, jax.Array]) -> tuple[int, jax.Array, jax.Array]:
        n, _, x = carry
        return n + 1, x, f(params, x)

    return jax.lax.while_loop(unfinished, advance, (0, guess + 1, guess))[2]


def fixed_point_forward(
    f: Callable[[Params, jax.Array], jax.Array], params: Params, guess: jax.Array
) -> tuple[jax.Array, tuple[Params, jax.Array]]:
    """Return the solution, and the residuals of the backward pass."""
    x = fixed_point(f, params, guess)
    return x, (params, x)


def fixed_point_backward(
    f: Callable[[Params, jax.Array], jax.Array], residuals: tuple[Params, jax.Array], w: jax.Array
) -> tuple[Params, jax.Array]:
    """Return the weights of the parameters and of the guess, from that of the solution."""

    def adjoint(packed: tuple[tuple[Params, jax.Array], jax.Array], u: jax.Array) -> jax.Array:
        (params, x), w = packed
        return w + jax.vjp(lambda x: f(params, x), x)[1](u)[0]  # type: ignore[no-any-return]

    params, x = residuals
    u = fixed_point(adjoint, (residuals, w), w)
    return jax.vjp(lambda p: f(p, x), params)[1](u)[0], jnp.zeros_like(x)


fixed_point.defvjp(fixed_point_forward, fixed_point_backward)


def place(a: jax.Array, m: jax.Array) -> jax.Array:
    """Solve Kepler's equation.

    Args:
        a: The eccentricity of the orbit, from 0 to less than 1.
        m: The mean anomaly: the time since the perihelion as an angle, in radians.

    Returns:
        The eccentric anomaly x with x = m + a sin(x), in radians.

    >>> x = place(jnp.array(0.6), jnp.array(1.0))
    >>> bool(jnp.isclose(x, 1.0 + 0.6 * jnp.sin(x)))
    True
    """
    return fixed_point(lambda p, x: p[1] + p[0] * jnp.sin(x), (a, m), m)


def draw(a: float) -> Figure:
    """Draw the eccentric anomaly over one revolution, and its derivative in the eccentricity."""
    m = jnp.linspace(0, 2 * jnp.pi, 100)
    x, slope = jax.vmap(jax.value_and_grad(place), in_axes=(None, 0))(jnp.array(a), m)
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    ax.plot(m, x, color="#0b5fa5", lw=2, label="$x$")
    ax.plot(m, slope, color="#b3430f", lw=2, label=r"$\partial x / \partial a$")
    ax.set(xlabel="$m$")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print where the planet is, and the derivatives beside those by hand.

    >>> main(["--eccentricity", "0.6", "--anomaly", "1"])
    x = 1.5997
    dx/da = 0.983, by hand 0.983
    dx/dm = 0.983, by hand 0.983
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--eccentricity", type=real_number(0, 0.95), default=0.6, help=DEFAULT)
    add("--anomaly", type=real_number(-10, 10), default=1.0, help=f"mean, in radians; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw one revolution into FILE")
    options = parser.parse_args(arguments)

    a, m = jnp.array(options.eccentricity), jnp.array(options.anomaly)
    x, slopes = jax.jit(jax.value_and_grad(place, argnums=(0, 1)))(a, m)
    by_hand = jnp.sin(x) / (1 - a * jnp.cos(x)), 1 / (1 - a * jnp.cos(x))
    if options.plot:
        save(draw(options.eccentricity), options.plot, parser)
    print(f"x = {x:.4f}")
    for name, slope, expected in zip("am", slopes, by_hand, strict=True):
        print(f"dx/d{name} = {slope:.3f}, by hand {expected:.3f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
