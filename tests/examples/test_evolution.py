"""The shop against a plain loop, and each strategy against brute force."""

import evolution
import jax
import jax.numpy as jnp
import numpy as np
import pytest


def plain_cost(low: float, high: float, demands: np.ndarray) -> float:
    stock, total = high, 0.0
    for demand in demands:
        missed, stock = max(demand - stock, 0), max(stock - demand, 0)
        total += 0.1 * stock + 3 * missed
        if stock < low:
            total, stock = total + 20, high
    return total / len(demands)


@pytest.mark.parametrize(("low", "high"), [(0, 30), (10, 75), (60, 40), (15.5, 80.5)])
def test_the_simulation_is_the_loop(low: float, high: float, random: np.random.Generator) -> None:
    demands = random.poisson(10, 300).astype("float32")
    cost = evolution.cost(jnp.array([low, high], float), jnp.asarray(demands))
    np.testing.assert_allclose(cost, plain_cost(low, high, demands), rtol=1e-4)


def test_the_gradient_is_of_no_use(random: np.random.Generator) -> None:
    demands = jnp.asarray(random.poisson(10, 300), jnp.float32)
    slope = jax.grad(evolution.cost)(jnp.array([20.0, 60.0]), demands)
    assert slope[0] == 0 < slope[1]


def test_ranks_depend_on_the_order_only(random: np.random.Generator) -> None:
    losses = jnp.asarray(random.normal(size=20), jnp.float32)
    ranks = evolution.ranks(losses)
    np.testing.assert_array_equal(ranks, evolution.ranks(jnp.exp(losses)))
    assert (jnp.argsort(ranks) == jnp.argsort(losses)).all() and abs(ranks.sum()) < 1e-5


@pytest.mark.parametrize(("name", "population"), [("own", 32), ("CMA_ES", 8), ("Open_ES", 32)])
def test_each_strategy_finds_a_cheap_policy(
    name: str, population: int, random: np.random.Generator
) -> None:
    demands = jnp.asarray(random.poisson(10, 400), jnp.float32)

    def loss(policy: jax.Array) -> jax.Array:
        return evolution.cost(policy, demands)

    path = evolution.search(name, jax.random.key(3), loss, 60, population)
    grid = jnp.stack(jnp.meshgrid(jnp.arange(0, 31.0, 2), jnp.arange(40, 111.0, 5)), axis=-1)
    least = float(jax.vmap(jax.vmap(loss))(grid).min())
    assert path.shape == (61, 2)
    first, last = (float(loss(jnp.asarray(mean))) for mean in path[[0, -1]])
    assert last < 1.1 * least < 0.8 * first
