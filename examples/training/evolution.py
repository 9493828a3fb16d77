"""Optimization without gradients: when a shop should order, and how much.

A shop orders when fewer than `low` pieces are left, and fills its shelf up to `high`. The cost
comes from a simulation, whose gradient is zero in `low` and misleading in `high`. You will see an
evolution strategy find its way: a population of noisy copies is simulated, and the mean moves
toward the cheaper ones. Salimans and others (2017), https://arxiv.org/abs/1703.03864
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

START = (50.0, 150.0)  # low and high
GENERATIONS, PAIRS = 60, 16  # each noise is used with both signs
SIGMA, RATE = 5.0, 5.0  # size of the noise and of a step, in pieces
DAYS = 400


def cost(policy, demands):
    """Simulate the shop, and average its daily cost.

    Args:
        policy: low and high, shape (2,). If fewer than low are left in the evening, the shop
            orders, and has high the next morning.
        demands: How many pieces are asked for each day, shape (days,).

    Returns:
        The cost of a day: 0.1 for a piece left in the evening, 3 for a missed sale, 20 an order.

    An order each evening, and nothing left or missed:

    >>> float(cost(jnp.array([5.0, 10.0]), jnp.full(7, 10.0)))
    20.0
    """
    low, high = policy

    def day(stock, demand):
        left, missed = jnp.maximum(stock - demand, 0), jnp.maximum(demand - stock, 0)
        order = left < low
        return jnp.where(order, high, left), 0.1 * left + 3 * missed + 20 * order

    return jax.lax.scan(day, high, demands)[1].mean()


def evolve(key, mean, loss, generations=GENERATIONS):
    """Search the minimum of a loss that maps a vector to a number.

    Args:
        key: Gives each generation its noise.
        mean: Where to start, shape (p,).

    Returns:
        The mean before each generation and after the last, shape (generations + 1, p).

    >>> path = evolve(jax.random.key(0), jnp.zeros(3), lambda w: ((w - 20) ** 2).sum())
    >>> path.shape, bool(jnp.abs(path[-1] - 20).max() < 5)
    ((61, 3), True)
    """

    def generation(mean, key):
        half = jax.random.normal(key, (PAIRS, mean.size))
        noise = jnp.concatenate([half, -half])
        losses = jax.vmap(loss)(mean + SIGMA * noise)
        ranks = jnp.sign(losses[:, None] - losses).mean(axis=1)  # from -1, the best, to 1
        mean = mean - RATE * ranks @ noise / len(noise)
        return mean, mean

    path = jax.lax.scan(generation, mean, jax.random.split(key, generations))[1]
    return jnp.concatenate([mean[None], path])


def main():
    """Search, compare on the days of the search and on others, and draw the path."""
    demands = np.random.default_rng(0).poisson(10, (2, DAYS)).astype(np.float32)

    def loss(policy):
        return cost(policy, demands[0])

    path = jax.jit(lambda key, mean: evolve(key, mean, loss))(jax.random.key(0), jnp.array(START))
    both = jax.jit(jax.vmap(cost, in_axes=(None, 0)))
    for name, policy in (("start", path[0]), ("end", path[-1])):
        here, other = both(policy, demands)
        low, high = policy
        print(
            f"{name:5} low {low:5.1f}, high {high:5.1f}: {here:.2f} a day, other days {other:.2f}"
        )
    low, high = np.arange(0, 71, 2.5), np.arange(20, 171, 5.0)
    grid = np.stack(np.meshgrid(low, high), axis=-1).astype(np.float32)
    costs = np.asarray(jax.jit(jax.vmap(jax.vmap(loss)))(grid))
    plt.contour(low, high, costs, levels=costs.min() + 2.0 ** np.arange(-2, 5), colors="0.7")
    plt.plot(*np.asarray(path).T, ".-")
    plt.xlabel("low / pieces")
    plt.ylabel("high / pieces")
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("evolution.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
