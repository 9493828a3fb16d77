"""Train policies for CartPole with PPO, several seeds and all their carts in one program.

The table shows after how many environment steps each seed has solved the task: its greedy policy
reaches a mean return of 475 over 100 episodes.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "optax"]
# ///

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

Body = tuple[Any, Any, Any, Any]
State = tuple[Body, Any]
Params = dict[str, Any]

SOLVED = 475  # Gymnasium's threshold of the mean return


def physics(body: Body, action: Any, lib: Any = jnp) -> Body:
    """Move a cart and its pole on by one Euler step of 0.02 s.

    Args:
        body: Place (m) and speed of the cart, angle (rad, to the right) and angular speed of the
            pole: numbers, or arrays of one shape.
        action: 0 for a force of 10 N to the left, 1 for one to the right.
        lib: The module with ``sin`` and ``cos``: jax.numpy, numpy or math.

    Source:
        Barto, Sutton and Anderson (1983), https://doi.org/10.1109/TSMC.1983.6313077, without
        friction; the numbers are those of Gymnasium's CartPole-v1.

    A push to the right lifts a pole that leans to the right:

    >>> spins = [physics((0.0, 0.0, 0.1, 0.0), action, np)[3] for action in (0, 1)]
    >>> bool(spins[1] < 0 < spins[0])
    True
    """
    place, speed, angle, spin = body
    cos, sin = lib.cos(angle), lib.sin(angle)
    pull = (20.0 * action - 10.0 + 0.05 * spin**2 * sin) / 1.1
    turn = (9.8 * sin - cos * pull) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
    slide = pull - 0.05 * turn * cos / 1.1
    return place + 0.02 * speed, speed + 0.02 * slide, angle + 0.02 * spin, spin + 0.02 * turn


def reset(key: jax.Array) -> State:
    """Draw the start of an episode: a body near zero, and the age 0."""
    return tuple(jax.random.uniform(key, 4, minval=-0.05, maxval=0.05)), 0  # type: ignore[arg-type]


def step(state: State, action: Any, fresh: State) -> tuple[State, Any]:
    """Move one environment on, and reset it to ``fresh`` if its episode is over.

    A state is a body as in ``physics``, and the number of steps so far. Beside the next state, the
    results are the body before the reset, of shape (4,), whether the pole fell or the cart left
    the track, and whether the episode is over.

    >>> start = reset(jax.random.key(0))
    >>> (_, age), (_, fell, done) = step((start[0], 499), 1, start)
    >>> int(age), bool(fell), bool(done)
    (0, False, True)
    """
    body, age = physics(state[0], action), state[1] + 1
    fell = (jnp.abs(body[0]) > 2.4) | (jnp.abs(body[2]) > jnp.radians(12.0))
    done = fell | (age >= 500)
    state = jax.tree.map(lambda new, old: jnp.where(done, new, old), fresh, (body, age))
    return state, (jnp.stack(body), fell, done)


def new_network(key: jax.Array, outputs: int, width: int = 16) -> Params:
    """Draw the parameters of a network with four inputs; its output is zero at first."""
    w1, w2 = jax.random.normal(key, (4, width)) / 2, jnp.zeros((width, outputs))
    return {"w1": w1, "b1": jnp.zeros(width), "w2": w2, "b2": jnp.zeros(outputs)}


def network(params: Params, x: jax.Array) -> jax.Array:
    """Apply a network to states of shape (..., 4)."""
    return jnp.tanh(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]  # type: ignore[no-any-return]


def rollout(key: jax.Array, actor: Params, states: State, steps: int) -> tuple[State, Params]:
    """Play with random pushes; return the last states, and records with the axes time, cart."""
    key_fresh, key_actions = jax.random.split(key)
    fresh = jax.vmap(reset)(jax.random.split(key_fresh, len(states[1])))

    def tick(states: State, key: jax.Array) -> tuple[State, Params]:
        x = jnp.stack(states[0], axis=-1)
        action = jax.random.categorical(key, network(actor, x))
        states, (after, fell, done) = jax.vmap(step)(states, action, fresh)
        return states, {"x": x, "action": action, "after": after, "fell": fell, "done": done}

    return jax.lax.scan(tick, states, jax.random.split(key_actions, steps))


def sum_ahead(amounts: jax.Array, done: jax.Array, factor: float) -> jax.Array:
    """Add up what lies ahead along the first axis, time, to the end of each episode.

    >>> sum_ahead(jnp.ones(4), jnp.array([False, True, False, False]), 0.5).tolist()
    [1.5, 1.0, 1.5, 1.0]
    """

    def back(later: jax.Array, now: Any) -> tuple[jax.Array, jax.Array]:
        amount, done = now
        later = amount + factor * (1 - done) * later
        return later, later

    return jax.lax.scan(back, jnp.zeros_like(amounts[0]), (amounts, done), reverse=True)[1]


def advantages(
    critic: Params, batch: Params, discount: float = 0.99, decay: float = 0.99
) -> tuple[jax.Array, jax.Array]:
    """Estimate the advantage of each push, and what the critic should have given."""
    before = network(critic, batch["x"])[..., 0]
    after = network(critic, batch["after"])[..., 0]
    error = (1 - discount) + discount * (1 - batch["fell"]) * after - before
    advantage = sum_ahead(error, batch["done"], discount * decay)
    return advantage, advantage + before


def log_probability(actor: Params, batch: Params) -> jax.Array:
    """Take the logarithm of the probability of each recorded push."""
    scores = network(actor, batch["x"])
    return -optax.softmax_cross_entropy_with_integer_labels(scores, batch["action"])  # type: ignore[no-any-return]


def loss(
    params: Params, batch: Params, old: jax.Array, advantage: jax.Array, target: jax.Array
) -> jax.Array:
    """Compute PPO's clipped loss of the actor, plus that of the critic."""
    ratio = jnp.exp(log_probability(params["actor"], batch) - old)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 0.8, 1.2) * advantage)
    error = network(params["critic"], batch["x"])[..., 0] - target
    return jnp.mean(error**2) / 2 - jnp.mean(gain)


def improve(params: Params, opt_state: Any, batch: Params, optimizer: Any, updates: int) -> Any:
    """Take several Adam steps on one batch."""
    advantage, target = advantages(params["critic"], batch)
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    old = log_probability(params["actor"], batch)

    def update(carry: Any, _: None) -> tuple[Any, None]:
        params, opt_state = carry
        grads = jax.grad(loss)(params, batch, old, advantage, target)
        changes, opt_state = optimizer.update(grads, opt_state)
        return (optax.apply_updates(params, changes), opt_state), None

    return jax.lax.scan(update, (params, opt_state), length=updates)[0]


def train(
    key: jax.Array, iterations: int = 25, environments: int = 32, steps: int = 128, updates: int = 8
) -> Params:
    """Train a policy with PPO, and return the actor's parameters after each iteration.

    Args:
        key: From ``jax.random.key``. Map over keys to train with several seeds.
        iterations: Rollouts, each of ``environments * steps`` environment steps.
        environments: Carts that move at the same time.
        steps: The length of a rollout.
        updates: Adam steps on each rollout.

    Source:
        Schulman and others, https://arxiv.org/abs/1707.06347 (PPO) and
        https://arxiv.org/abs/1506.02438 (its advantages)

    >>> jax.eval_shape(train, jax.random.key(0))["w1"].shape
    (25, 4, 16)
    """
    key_actor, key_critic, key_starts, key_rollouts = jax.random.split(key, 4)
    params = {"actor": new_network(key_actor, 2), "critic": new_network(key_critic, 1)}
    optimizer = optax.adam(optax.linear_schedule(0.01, 0.0, iterations * updates))

    def iteration(carry: Any, key: jax.Array) -> tuple[Any, Params]:
        params, opt_state, states = carry
        states, batch = rollout(key, params["actor"], states, steps)
        params, opt_state = improve(params, opt_state, batch, optimizer, updates)
        return (params, opt_state, states), params["actor"]

    states = jax.vmap(reset)(jax.random.split(key_starts, environments))
    carry = params, optimizer.init(params), states
    return jax.lax.scan(iteration, carry, jax.random.split(key_rollouts, iterations))[1]


@jax.jit
def play(actor: Params, starts: State) -> tuple[jax.Array, jax.Array]:
    """Play one episode from each start, always with the push of the higher score.

    Returns:
        The body before each step, shape (500, starts, 4), and whether the episode was still going
        on then, shape (500, starts).

    >>> actor = jax.tree.map(jnp.zeros_like, new_network(jax.random.key(0), 2))
    >>> bodies, alive = play(actor, jax.vmap(reset)(jax.random.split(jax.random.key(1), 3)))
    >>> bodies.shape, bool(alive[0].all()), bool(alive[-1].any())
    ((500, 3, 4), True, False)
    """

    def tick(carry: Any, _: None) -> tuple[Any, Any]:
        states, alive = carry
        scores = network(actor, jnp.stack(states[0], axis=-1))
        after, (_, _, done) = jax.vmap(step)(states, scores[:, 1] > scores[:, 0], starts)
        return (after, alive & ~done), (jnp.stack(states[0], axis=-1), alive)

    alive = jnp.ones(starts[1].shape, bool)
    return jax.lax.scan(tick, (starts, alive), length=500)[1]  # type: ignore[no-any-return]


@jax.jit
def judge(actors: Params, starts: State) -> jax.Array:
    """Average the episodes of each actor; the first axes of ``actors`` are seed, iteration."""

    def mean_return(actor: Params) -> jax.Array:
        return play(actor, starts)[1].sum(axis=0).mean()  # type: ignore[no-any-return]

    return jax.vmap(jax.vmap(mean_return))(actors)


def draw(steps: np.ndarray, returns: np.ndarray) -> Figure:
    """Draw one line for each seed."""
    figure = Figure(figsize=(6, 3.2), layout="constrained")
    ax = figure.subplots()
    ax.plot(steps, returns.T)
    ax.axhline(SOLVED, lw=1.5, ls=":", color="0.3")
    ax.set(xlabel="environment steps", ylabel="return", ylim=(0, 520))
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train with all seeds, and print the table."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--iterations", type=whole_number(1, 1000), default=25, metavar="N", help=DEFAULT)
    add("--seeds", type=whole_number(1, 100), default=5, metavar="N", help=f"how many; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw the returns into FILE")
    options = parser.parse_args(arguments)

    keys = jax.random.split(jax.random.key(2), options.seeds)
    actors = jax.jit(jax.vmap(functools.partial(train, iterations=options.iterations)))(keys)
    trials = jax.vmap(reset)(jax.random.split(jax.random.key(3), 100))
    steps, returns = 32 * 128 * (1 + np.arange(options.iterations)), np.array(judge(actors, trials))
    print("seed  return at the end  solved after")
    for seed, line in enumerate(returns):
        passed = np.flatnonzero(line >= SOLVED)
        when = f"{steps[passed[0]]} steps" if passed.size else "not solved"
        print(f"{seed:4}{line[-1]:19.1f}  {when}")
    if options.plot:
        save(draw(steps, returns), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
