"""Unsupervised kernel regression: a map of data, by gradient descent over all pairs of points.

Every data point gets a place in the plane, such that a weighted mean of the points around it there
predicts it. You will see the loss fall, the map that 1000 points of a saddle unfold into, and the
surface that it stands for. The gradient is derived by JAX, and once more by hand: block by block,
it stores nothing for each pair, and both agree.
Meinicke and others (2005), https://doi.org/10.1109/TPAMI.2005.183
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import functools
import time

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

POINTS, BANDWIDTH = 1000, 0.3
RATE, STEPS = 0.02, 300  # the rate is that of a single point
BLOCK = 128  # rows of the kernel at a time


def saddle(n):
    """Draw n points near the surface c = a² - b², with their mean at 0: (n, 3).

    >>> saddle(5).shape
    (5, 3)
    """
    rng = np.random.default_rng(0)
    a, b = rng.uniform(-1, 1, (2, n))
    X = np.stack([a, b, a**2 - b**2], axis=1) + 0.05 * rng.normal(size=(n, 3))
    return (X - X.mean(axis=0)).astype(np.float32)


def estimate(places, Z, X, bandwidth=BANDWIDTH):
    """Estimate the data at latent places, (n, 2), as weighted means of X, (N, 3), at Z, (N, 2).

    >>> Z, X = jnp.array([[-1.0], [1.0]]), jnp.array([[0.0], [4.0]])
    >>> estimate(jnp.zeros((1, 1)), Z, X, 1.0).tolist()
    [[2.0]]
    """
    squares = sum((a[:, None] - b) ** 2 for a, b in zip(places.T, Z.T, strict=True))
    return jax.nn.softmax(-squares / (2 * bandwidth**2)) @ X


def derived(Z, X, bandwidth=BANDWIDTH):
    """Let JAX differentiate the mean squared error of the estimates; return it and its gradient.

    >>> Z, X = jnp.zeros((2, 1)), jnp.array([[0.0], [4.0]])
    >>> float(derived(Z, X, 1.0)[0])  # each estimate is the mean of the data
    4.0
    """
    return jax.value_and_grad(lambda Z: ((estimate(Z, Z, X, bandwidth) - X) ** 2).sum() / len(X))(Z)


def by_blocks(Z, X, bandwidth=BANDWIDTH):
    """Compute the same by hand, with a few rows of the kernel H at a time.

    With h = H 1, e = Y - X and c_i = e_i · y_i, the error of point i acts on the pair (i, j) with
    P_ij = H_ij (e_i · x_j - c_i) / h_i; the gradient is the sum over j of (P_ij + P_ji) (z_j - z_i)
    times 2 / (N σ²).

    >>> Z, X = jnp.array([[0.0], [0.5], [0.7]]), jnp.array([[-1.0], [1.0], [0.0]])
    >>> same = jax.tree.map(jnp.allclose, by_blocks(Z, X, 1.0), derived(Z, X, 1.0))
    >>> jax.tree.map(bool, same)
    (True, True)
    """
    n = len(Z)
    rows = min(BLOCK, n)
    padded = -(-n // rows) * rows
    z, x = (jnp.pad(a, ((0, padded - n), (0, 0)), mode="edge") for a in (Z, X))
    real = jnp.arange(padded) < n

    def block(spread, start):
        here, data = (jax.lax.dynamic_slice_in_dim(a, start, rows) for a in (z, x))
        squares = sum((a[:, None] - b) ** 2 for a, b in zip(here.T, z.T, strict=True))
        H = jnp.exp(-squares / (2 * bandwidth**2)) * real
        total = H.sum(axis=1, keepdims=True)
        mean = H @ x / total
        error = (mean - data) * jax.lax.dynamic_slice_in_dim(real, start, rows)[:, None]
        P = H * (error @ x.T - (error * mean).sum(axis=1, keepdims=True)) / total
        gathered = P @ z - P.sum(axis=1, keepdims=True) * here
        # What a block spreads to all points, and what it gathers for its own.
        return spread + P.T @ here - P.sum(axis=0)[:, None] * z, ((error**2).sum(), gathered)

    starts = jnp.arange(0, padded, rows)
    spread, (squared, gathered) = jax.lax.scan(block, jnp.zeros_like(z), starts)
    slope = (spread + gathered.reshape(z.shape))[:n]
    return squared.sum() / n, 2 / (n * bandwidth**2) * slope


@functools.partial(jax.jit, static_argnames=("gradient", "steps"))
def descend(Z, X, gradient, steps=STEPS):
    """Take steps within the square from -1 to 1; return the last Z and the losses, (steps,).

    >>> X = saddle(20)
    >>> Z, losses = descend(jnp.asarray(X[:, :2]) / 10, X, by_blocks, steps=50)
    >>> Z.shape, bool(losses[-1] < losses[0])
    ((20, 2), True)
    """

    def step(Z, _):
        value, slope = gradient(Z, X)
        return jnp.clip(Z - RATE * len(Z) * slope, -1, 1), value

    return jax.lax.scan(step, Z, length=steps)


def main():
    """Compare both gradients, find the map, and draw it."""
    jax.config.update("jax_default_matmul_precision", "highest")  # a GPU would round more
    X = saddle(POINTS)
    Z = (0.1 * np.random.default_rng(1).normal(size=(POINTS, 2))).astype(np.float32)
    results = {}
    for gradient in (derived, by_blocks):
        descend(Z, X, gradient)  # compiles
        start = time.perf_counter()
        results[gradient.__name__] = jax.block_until_ready(descend(Z, X, gradient))
        seconds = time.perf_counter() - start
        losses = results[gradient.__name__][1]
        print(f"{gradient.__name__:10} {STEPS} steps in {seconds:.2f} s, ", end="")
        print(f"loss {losses[0]:.3f} to {losses[-1]:.4f}")
    # Rounding makes the paths part in the end, but not at the beginning.
    first, second = (losses[:10] for _, losses in results.values())
    assert np.allclose(first, second, rtol=1e-3)

    Z, losses = results["by_blocks"]
    side = np.linspace(-1, 1, 25, dtype=np.float32)
    places = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    surface = np.asarray(jax.jit(estimate)(places, Z, X)).reshape(25, 25, 3)
    figure = plt.figure(figsize=(10, 3.4), layout="constrained")
    ax = figure.add_subplot(131, xlabel="step", ylabel="loss", yscale="log")
    ax.plot(losses)
    ax = figure.add_subplot(132, title="the map", aspect="equal")
    ax.scatter(*np.asarray(Z).T, c=X[:, 2], s=8)
    ax = figure.add_subplot(133, projection="3d", title="data and surface")
    ax.scatter(*X.T, c=X[:, 2], s=4)
    ax.plot_wireframe(*surface.transpose(2, 0, 1), color="0.3", lw=0.4)
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("ukr.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
