"""jax.vmap turns a function of one example into a function of many.

The function below follows a single point through at most 60 rounds of z² + c. Mapped twice, over
the rows and the columns of a grid, it draws the Julia set of c, without a loop over points.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

C = -0.79 + 0.15j
ROUNDS = 60
WIDTH, HEIGHT = 900, 600  # points of the picture


def rounds_until_large(x, y):
    """Count the rounds of z² + c that begin with |z| < 2, where z is at first x + iy.

    >>> int(rounds_until_large(3.0, 0.0)), int(rounds_until_large(0.0, 0.0)) == ROUNDS
    (0, True)
    """

    def one_round(_, carry):
        z, count = carry
        small = jnp.abs(z) < 2
        return jnp.where(small, z**2 + C, z), count + small

    return jax.lax.fori_loop(0, ROUNDS, one_round, (jax.lax.complex(x, y), 0))[1]


over_a_row = jax.vmap(rounds_until_large, in_axes=(0, None))  # many x, one y
over_a_grid = jax.jit(jax.vmap(over_a_row, in_axes=(None, 0)))  # the same x, many y


def main():
    """Draw the picture."""
    x = np.linspace(-1.65, 1.65, WIDTH, dtype=np.float32)
    y = np.linspace(-1.1, 1.1, HEIGHT, dtype=np.float32)
    counts = over_a_grid(x, y)
    print(f"{counts.size} points, {jnp.mean(counts == ROUNDS):.1%} never leave")
    plt.imshow(counts, cmap="twilight_shifted", origin="lower", extent=(x[0], x[-1], y[0], y[-1]))
    plt.axis("off")
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("vmap.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
