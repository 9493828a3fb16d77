"""jax.grad turns a function into the function of its derivative.

You will see the surface 2 sin x sin y with an arrow at every point of a grid: the gradient, which
points uphill. Nobody has derived it; it agrees with the formula to seven digits.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

POINTS = 25  # of the grid, on each side


def height(x, y):
    """The surface at one point, or at arrays of points that broadcast.

    >>> round(float(height(jnp.pi / 2, jnp.pi / 2)), 3)
    2.0
    """
    return 2 * jnp.sin(x) * jnp.sin(y)


# Of both arguments, and for arrays of any one shape instead of single points.
slope = jax.jit(jnp.vectorize(jax.grad(height, argnums=(0, 1))))


def main():
    """Compare the gradients with the formula, and draw them on the surface."""
    axis = np.linspace(-np.pi, np.pi, POINTS)
    x, y = np.meshgrid(axis, axis)
    along_x, along_y = slope(x, y)
    formula = 2 * np.cos(x) * np.sin(y), 2 * np.sin(x) * np.cos(y)
    error = max(np.abs(along_x - formula[0]).max(), np.abs(along_y - formula[1]).max())
    print(f"{POINTS} x {POINTS} gradients, largest error {error:.1e}")
    plt.contourf(x, y, height(x, y), levels=20, cmap="coolwarm")
    plt.quiver(x, y, along_x, along_y)
    plt.gca().set(xlabel="x", ylabel="y", aspect="equal")
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("grad.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
