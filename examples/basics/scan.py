"""jax.lax.scan makes a loop with a history one compiled program.

A line is fitted to noisy points by gradient descent. You will see its slope, its intercept and the
loss after every step: scan has stacked them, and the loop has compiled its step once.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import functools

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

STEPS, RATE = 300, 0.3


def loss(params, x, y):
    """The mean squared error of slope and intercept, for points of shapes (n,)."""
    slope, intercept = params
    return jnp.mean((slope * x + intercept - y) ** 2)


@functools.partial(jax.jit, static_argnames="steps")
def fit(params, x, y, steps):
    """Descend from params, shape (2,).

    Returns:
        The last parameters, shape (2,), and the history: parameters before each step, shape
        (steps, 2), and losses, shape (steps,).

    >>> last, (path, losses) = fit(jnp.zeros(2), jnp.arange(3.0), 2 * jnp.arange(3.0), 100)
    >>> print(last.round(2), path.shape, losses.shape)
    [2. 0.] (100, 2) (100,)
    """

    def step(params, _):  # the carry, and nothing that the loop goes through
        value, slope = jax.value_and_grad(loss)(params, x, y)
        return params - RATE * slope, (params, value)  # the next carry, and what to stack

    return jax.lax.scan(step, params, length=steps)


def main():
    """Fit the line, and draw its history."""
    random = np.random.default_rng(0)
    x = random.uniform(size=100).astype(np.float32)
    y = (3 * x + 2 + 0.5 * random.normal(size=100)).astype(np.float32)
    (slope, intercept), (path, losses) = fit(jnp.zeros(2), x, y, STEPS)
    print(f"descent:       {slope:.3f} x + {intercept:.3f}")
    print("least squares: {:.3f} x + {:.3f}".format(*np.polyfit(x, y, 1)))
    plt.plot(path, label=["slope", "intercept"])
    plt.plot(losses, "--", label="loss")
    plt.ylim(0, 4)  # the loss begins at 14
    plt.xlabel("step")
    plt.legend()
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("scan.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
