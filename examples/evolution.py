"""Optimization without gradients: when should a shop order, and how much?

A shop orders when fewer than ``low`` pieces are left, and fills its shelf up to ``high``. The cost
of a choice comes from a simulation, whose gradient is zero in ``low`` and misleading in ``high``.
An evolution strategy searches without it: a population of noisy copies is simulated, and the mean
moves toward the cheaper ones. ``--strategy`` takes one from evosax instead.

Usage: ``python examples/evolution.py --strategy CMA_ES --population 8 --plot shop.svg``

Source: Salimans and others (2017), https://arxiv.org/abs/1703.03864
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["evosax", "jax", "matplotlib", "optax"]
# ///

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from evosax.algorithms import CMA_ES, Open_ES
from matplotlib.figure import Figure

Loss = Callable[[jax.Array], jax.Array]
History = dict[str, jax.Array]


def cost(policy: jax.Array, demands: jax.Array) -> jax.Array:
    """Simulate the shop, and average its daily cost.

    Args:
        policy: ``low`` and ``high``, shape (2,). If fewer than ``low`` are left in the evening, the
            shop orders, and has ``high`` the next morning.
        demands: How many pieces are asked for each day, shape (days,).

    Returns:
        The cost of a day, shape (): 0.1 for a piece left in the evening, 3 for a missed sale, 20
        for an order.

    An order each evening, and nothing left or missed:

    >>> float(cost(jnp.array([5.0, 10.0]), jnp.full(7, 10.0)))
    20.0
    """
    low, high = policy

    def day(stock: jax.Array, demand: jax.Array) -> tuple[jax.Array, jax.Array]:
        left, missed = jnp.maximum(stock - demand, 0), jnp.maximum(demand - stock, 0)
        order = left < low
        return jnp.where(order, high, left), 0.1 * left + 3 * missed + 20 * order

    return jax.lax.scan(day, high, demands)[1].mean()


def ranks(losses: jax.Array) -> jax.Array:
    """Give each loss the fraction of lower losses minus the fraction of higher ones."""
    return jnp.sign(losses[:, None] - losses).mean(axis=1)


def generation(
    mean: jax.Array, key: jax.Array, loss: Loss, pairs: int, sigma: float, rate: float
) -> tuple[jax.Array, History]:
    """Move the mean away from the noise that made the loss worse, and record the generation."""
    half = jax.random.normal(key, (pairs, mean.size))
    noise = jnp.concatenate([half, -half])
    population = mean + sigma * noise
    losses = jax.vmap(loss)(population)
    moved = mean - rate * ranks(losses) @ noise / len(noise)
    return moved, {"mean": mean, "population": population, "losses": losses}


def evolve(
    key: jax.Array,
    mean: jax.Array,
    loss: Loss,
    generations: int,
    pairs: int,
    sigma: float,
    rate: float,
) -> tuple[jax.Array, History]:
    """Run an evolution strategy in one scan.

    Args:
        key: Gives each generation its noise.
        mean: Where to start, shape (p,).
        loss: From such a vector to a number; lower is better.
        generations: How many.
        pairs: Number of noise vectors; each is used with both signs.
        sigma: Size of the noise, in the unit of the parameters.
        rate: Size of a step, in the same unit.

    Returns:
        The last mean, and {"mean": the means before each generation, shape (generations, p),
        "population": (generations, 2 pairs, p), "losses": (generations, 2 pairs)}.

    >>> def bowl(w):
    ...     return ((w - 1) ** 2).sum()
    >>> last, history = evolve(jax.random.key(0), jnp.zeros(3), bowl, 60, 16, 0.1, 0.2)
    >>> bool(jnp.abs(last - 1).max() < 0.3), history["population"].shape
    (True, (60, 32, 3))
    """

    def step(mean: jax.Array, key: jax.Array) -> tuple[jax.Array, History]:
        return generation(mean, key, loss, pairs, sigma, rate)

    return jax.lax.scan(step, mean, jax.random.split(key, generations))


def evolve_with(
    strategy: Any, params: Any, key: jax.Array, mean: Any, loss: Loss, generations: int
) -> tuple[Any, Any]:
    """Run a strategy of evosax in one scan.

    Args:
        strategy: An object such as ``CMA_ES(population_size=8, solution=mean)``.
        params: Its ``default_params``, perhaps with other values.
        key: Gives each generation its noise.
        mean: Where to start, a pytree of arrays like ``solution``.
        loss: From such a pytree to a number; lower is better.
        generations: How many.

    Returns:
        The strategy's last state, and the mean before each generation.

    >>> strategy = Open_ES(8, jnp.zeros(2), optimizer=optax.sgd(0.1))
    >>> params, key = strategy.default_params, jax.random.key(0)
    >>> state, path = evolve_with(strategy, params, key, jnp.ones(2), jnp.sum, 3)
    >>> path.shape, bool(state.mean.sum() < path[0].sum())
    ((3, 2), True)
    """

    def step(state: Any, key: jax.Array) -> tuple[Any, Any]:
        key_ask, key_tell = jax.random.split(key)
        before = strategy.get_mean(state)
        population, state = strategy.ask(key_ask, state, params)
        losses = jax.vmap(loss)(population)
        state, _ = strategy.tell(key_tell, population, losses, state, params)
        return state, before

    key_init, key_run = jax.random.split(key)
    state = strategy.init(key_init, mean, params)
    return jax.lax.scan(step, state, jax.random.split(key_run, generations))


def search(name: str, key: jax.Array, loss: Loss, generations: int, population: int) -> np.ndarray:
    """Give the mean before each generation and after the last, shape (generations + 1, 2)."""
    start = jnp.array([50.0, 150.0])
    if name == "own":
        last, history = evolve(key, start, loss, generations, population // 2, 5.0, 5.0)
        return np.vstack([history["mean"], last])
    noise = optax.constant_schedule(5.0)
    strategy: Any = Open_ES(population, start, optimizer=optax.adam(2.0), std_schedule=noise)
    params = strategy.default_params
    if name == "CMA_ES":
        strategy = CMA_ES(population, start)
        params = strategy.default_params.replace(std_init=10.0)
    state, path = evolve_with(strategy, params, key, start, loss, generations)
    return np.vstack([path, state.mean])


def draw(path: np.ndarray, loss: Loss) -> Figure:
    """Draw the cost over low and high, and the path of the mean."""
    low, high = np.arange(0, 71, 2.5), np.arange(20, 171, 5.0)
    grid = jnp.stack(jnp.meshgrid(low, high), axis=-1)
    costs = np.asarray(jax.vmap(jax.vmap(loss))(grid))
    figure = Figure(figsize=(6, 4), layout="constrained")
    ax = figure.subplots()
    ax.contour(low, high, costs, levels=costs.min() + 2.0 ** np.arange(-2, 5), colors="0.7")
    ax.plot(*path.T, ".-")
    ax.set(xlabel="low / pieces", ylabel="high / pieces")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Search the best policy, and print its cost on the days of the search and on others."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--strategy", choices=["own", "CMA_ES", "Open_ES"], default="own", help=DEFAULT)
    add("--generations", type=whole_number(1, 1000), default=60, metavar="N", help=DEFAULT)
    size = f"even; {DEFAULT}"
    add("--population", type=whole_number(4, 4096), default=32, metavar="N", help=size)
    add("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N", help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the path of the mean into FILE")
    options = parser.parse_args(arguments)
    if options.population % 2:
        parser.error(f"--population {options.population}: give an even number")
    random = np.random.default_rng(options.seed)
    demands = jnp.array(random.poisson(10, (2, 400)), jnp.float32)
    loss = functools.partial(cost, demands=demands[0])
    key = jax.random.key(options.seed)
    path = search(options.strategy, key, loss, options.generations, options.population)
    if options.plot:
        save(draw(path, loss), options.plot, parser)
    simulations = options.generations * options.population
    for name, policy in {"start": path[0], f"after {simulations} simulations": path[-1]}.items():
        daily, other = (float(cost(policy, days)) for days in demands)
        low, high = policy
        print(f"{name}: low {low:.1f}, high {high:.1f}, cost {daily:.2f}, other days {other:.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
