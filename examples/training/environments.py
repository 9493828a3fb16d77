"""Train policies for CartPole with PPO: five seeds and all their carts in one program.

Environment, rollouts and updates are one compiled loop. You will see the return of each seed's
greedy policy grow to 500, the longest episode; at 475 the task counts as solved.
PPO: Schulman and others, https://arxiv.org/abs/1707.06347; its advantages:
https://arxiv.org/abs/1506.02438. Minibatches, an entropy bonus and clipping of the gradient, which
other tasks often need, are left out.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib", "optax"]
# ///

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax

SEEDS, ITERATIONS = 5, 25
CARTS, STEPS, UPDATES = 32, 128, 8  # environments, steps of a rollout, Adam steps on it
DISCOUNT, DECAY = 0.99, 0.99
SOLVED = 475  # Gymnasium's threshold of the mean return


def physics(body, action):
    """Move a cart and its pole on by one Euler step of 0.02 s.

    Args:
        body: Place (m) and speed of the cart, angle (rad, to the right) and angular speed of the
            pole: four numbers, or arrays of one shape.
        action: 0 for a force of 10 N to the left, 1 for one to the right.

    Source:
        Barto, Sutton and Anderson (1983), https://doi.org/10.1109/TSMC.1983.6313077, without
        friction; the numbers are those of Gymnasium's CartPole-v1.

    A push to the right lifts a pole that leans to the right:

    >>> spins = [physics((0.0, 0.0, 0.1, 0.0), action)[3] for action in (0, 1)]
    >>> bool(spins[1] < 0 < spins[0])
    True
    """
    place, speed, angle, spin = body
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    pull = (20.0 * action - 10.0 + 0.05 * spin**2 * sin) / 1.1
    turn = (9.8 * sin - cos * pull) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
    slide = pull - 0.05 * turn * cos / 1.1
    return place + 0.02 * speed, speed + 0.02 * slide, angle + 0.02 * spin, spin + 0.02 * turn


def reset(key):
    """Draw the start of an episode: a body near zero, and the age 0."""
    return tuple(jax.random.uniform(key, 4, minval=-0.05, maxval=0.05)), 0


def step(state, action, fresh):
    """Move one environment on, and reset it to `fresh` if its episode is over.

    A state is a body as in `physics`, and the number of steps so far. Beside the next state, the
    results are the body before the reset, shape (4,), whether the pole fell or the cart left the
    track, and whether the episode is over.

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


def new_network(key, outputs, width=16):
    """Draw the parameters of a network with four inputs; its output is zero at first."""
    w1, w2 = jax.random.normal(key, (4, width)) / 2, jnp.zeros((width, outputs))
    return {"w1": w1, "b1": jnp.zeros(width), "w2": w2, "b2": jnp.zeros(outputs)}


def network(params, x):
    """Apply a network to bodies of shape (..., 4)."""
    return jnp.tanh(x @ params["w1"] + params["b1"]) @ params["w2"] + params["b2"]


def rollout(key, actor, states):
    """Play with random pushes; return the last states, and records with the axes time, cart."""
    key_fresh, key_actions = jax.random.split(key)
    # One start for each cart, which all of its episodes in this rollout share.
    fresh = jax.vmap(reset)(jax.random.split(key_fresh, CARTS))

    def tick(states, key):
        x = jnp.stack(states[0], axis=-1)
        action = jax.random.categorical(key, network(actor, x))
        states, (after, fell, done) = jax.vmap(step)(states, action, fresh)
        return states, {"x": x, "action": action, "after": after, "fell": fell, "done": done}

    return jax.lax.scan(tick, states, jax.random.split(key_actions, STEPS))


def sum_ahead(amounts, done, factor):
    """Add up what lies ahead along the first axis, time, to the end of each episode.

    >>> sum_ahead(jnp.ones(4), jnp.array([False, True, False, False]), 0.5).tolist()
    [1.5, 1.0, 1.5, 1.0]
    """

    def back(later, now):
        amount, done = now
        later = amount + factor * (1 - done) * later
        return later, later

    return jax.lax.scan(back, jnp.zeros_like(amounts[0]), (amounts, done), reverse=True)[1]


def log_probability(actor, batch):
    """Take the logarithm of the probability of each recorded push."""
    scores = network(actor, batch["x"])
    return -optax.softmax_cross_entropy_with_integer_labels(scores, batch["action"])


def loss(params, batch, old, advantage, target):
    """Compute PPO's clipped loss of the actor, plus that of the critic."""
    ratio = jnp.exp(log_probability(params["actor"], batch) - old)
    gain = jnp.minimum(ratio * advantage, jnp.clip(ratio, 0.8, 1.2) * advantage)
    error = network(params["critic"], batch["x"])[..., 0] - target
    return jnp.mean(error**2) / 2 - jnp.mean(gain)


def improve(params, opt_state, batch, optimizer):
    """Take several Adam steps on one rollout."""
    before = network(params["critic"], batch["x"])[..., 0]
    after = network(params["critic"], batch["after"])[..., 0]
    error = (1 - DISCOUNT) + DISCOUNT * (1 - batch["fell"]) * after - before
    advantage = sum_ahead(error, batch["done"], DISCOUNT * DECAY)
    target = advantage + before
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    old = log_probability(params["actor"], batch)

    def update(carry, _):
        params, opt_state = carry
        grads = jax.grad(loss)(params, batch, old, advantage, target)
        changes, opt_state = optimizer.update(grads, opt_state)
        return (optax.apply_updates(params, changes), opt_state), None

    return jax.lax.scan(update, (params, opt_state), length=UPDATES)[0]


def train(key):
    """Train a policy; return the actor's parameters after each iteration.

    >>> jax.eval_shape(train, jax.random.key(0))["w1"].shape
    (25, 4, 16)
    """
    key_actor, key_critic, key_starts, key_rollouts = jax.random.split(key, 4)
    params = {"actor": new_network(key_actor, 2), "critic": new_network(key_critic, 1)}
    optimizer = optax.adam(optax.linear_schedule(0.01, 0.0, ITERATIONS * UPDATES))

    def iteration(carry, key):
        params, opt_state, states = carry
        states, batch = rollout(key, params["actor"], states)
        params, opt_state = improve(params, opt_state, batch, optimizer)
        return (params, opt_state, states), params["actor"]

    states = jax.vmap(reset)(jax.random.split(key_starts, CARTS))
    carry = params, optimizer.init(params), states
    return jax.lax.scan(iteration, carry, jax.random.split(key_rollouts, ITERATIONS))[1]


def mean_return(actor, starts):
    """Play one episode from each start, always with the push of the higher score.

    >>> actor = jax.tree.map(jnp.zeros_like, new_network(jax.random.key(0), 2))
    >>> starts = jax.vmap(reset)(jax.random.split(jax.random.key(1), 3))
    >>> bool(jax.jit(mean_return)(actor, starts) < 50)  # always to the left
    True
    """

    def tick(carry, _):
        states, alive = carry
        scores = network(actor, jnp.stack(states[0], axis=-1))
        states, (_, _, done) = jax.vmap(step)(states, scores[:, 1] > scores[:, 0], starts)
        return (states, alive & ~done), alive

    alive = jnp.ones(starts[1].shape, bool)
    return jax.lax.scan(tick, (starts, alive), length=500)[1].sum(axis=0).mean()


def main():
    """Train with all seeds, print when each has solved the task, and draw the returns."""
    actors = jax.jit(jax.vmap(train))(jax.random.split(jax.random.key(2), SEEDS))
    trials = jax.vmap(reset)(jax.random.split(jax.random.key(3), 100))
    judge = jax.jit(jax.vmap(jax.vmap(lambda actor: mean_return(actor, trials))))
    returns, steps = np.asarray(judge(actors)), CARTS * STEPS * np.arange(1, ITERATIONS + 1)
    for seed, line in enumerate(returns):
        solved = np.flatnonzero(line >= SOLVED)
        when = f"solved after {steps[solved[0]]} steps" if solved.size else "not solved"
        print(f"seed {seed}: {when}, return at the end {line[-1]:.1f}")
    plt.plot(steps, returns.T)
    plt.axhline(SOLVED, ls=":", color="0.3")
    plt.xlabel("environment steps")
    plt.ylabel("mean return")
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("environments.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
