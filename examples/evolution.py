"""Balance a pole without gradients: an evolution strategy for CartPole in plain JAX.

The task is CartPole with the numbers of Gymnasium's CartPole-v1. Its score is a count of
steps, whose gradient with respect to the policy is zero, so an evolution strategy trains
the policy: a population of noisy copies plays, and the mean moves towards the better ones.
One vmap runs over the episodes, one over the population, and a scan over the generations.

Usage: ``python examples/evolution.py --generations 30 --population 64 --animate pole.gif``

Source: Barto, Sutton and Anderson (1983) for the task, Salimans and others (2017) for the
strategy.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, file_to_write, picture_file, save, whole_number
from jax.flatten_util import ravel_pytree
from matplotlib.animation import FuncAnimation, PillowWriter
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

Params = dict[str, jax.Array]
History = dict[str, jax.Array]
Carry = tuple[jax.Array, Any]  # a state, and whether the episode is alive
Unravel = Callable[[jax.Array], Params]
Evaluate = Callable[[jax.Array, jax.Array], jax.Array]

EPISODES = 2  # of each individual in each generation
FRESH = 30  # episodes that judge a mean
SOLVED = 475  # Gymnasium's threshold of the mean score
BETWEEN_FRAMES = 10  # steps of 0.02 s


def physics(state: jax.Array, push: float | jax.Array) -> jax.Array:
    """Move cart and pole on by one Euler step of 0.02 s.

    Args:
        state: Place (m) and speed of the cart, angle (rad, to the right) and angular speed of
            the pole, shape (4,).
        push: -1 for a force of 10 N to the left, 1 for one to the right, shape ().

    Returns:
        The next state, shape (4,).

    Source:
        Barto, Sutton and Anderson (1983), without friction; the numbers are Gymnasium's:
        gravity 9.8, masses 1.0 (cart) and 0.1 (pole), half the pole 0.5 m long.

    A pole that leans to the right rises when the cart is pushed to the right:

    >>> leaning = jnp.array([0.0, 0.0, 0.1, 0.0])
    >>> bool(physics(leaning, 1.0)[3] < 0 < physics(leaning, -1.0)[3])
    True
    """
    _, speed, angle, spin = state
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    pull = (10.0 * push + 0.05 * spin**2 * sin) / 1.1
    turn = (9.8 * sin - cos * pull) / (0.5 * (4 / 3 - 0.1 * cos**2 / 1.1))
    slide = pull - 0.05 * turn * cos / 1.1
    return state + 0.02 * jnp.stack([speed, slide, spin, turn])


def inside(state: jax.Array) -> jax.Array:
    """Tell whether an episode goes on.

    Args:
        state: Shape (4,), as in ``physics``.

    Returns:
        True while the cart is within 2.4 m and the pole within 12 degrees, shape ().

    >>> bool(inside(jnp.zeros(4))), bool(inside(jnp.array([0.0, 0.0, 0.3, 0.0])))
    (True, False)
    """
    return (jnp.abs(state[0]) <= 2.4) & (jnp.abs(state[2]) <= jnp.radians(12.0))


def parameters(width: int = 8) -> Params:
    """Make the parameters of a policy, all of them zero.

    Args:
        width: Number of hidden units.

    Returns:
        {"inner": (width, 4), "bias": (width,), "outer": (width,)}, float32.

    >>> ravel_pytree(parameters())[0].shape
    (48,)
    """
    return {"inner": jnp.zeros((width, 4)), "bias": jnp.zeros(width), "outer": jnp.zeros(width)}


def policy(params: Params, state: jax.Array) -> jax.Array:
    """Decide the direction of the push.

    Args:
        params: As ``parameters`` makes them.
        state: Shape (4,), as in ``physics``.

    Returns:
        -1.0 (left) or 1.0 (right), shape ().

    >>> float(policy(parameters(), jnp.ones(4)))
    -1.0
    """
    hidden = jnp.tanh(params["inner"] @ state + params["bias"])
    return jnp.where(params["outer"] @ hidden > 0, 1.0, -1.0)


def episode(params: Params, start: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Play one episode, always as 500 steps.

    Args:
        params: The policy.
        start: The first state, shape (4,).

    Returns:
        The state before each step, shape (500, 4), and whether the episode was still alive
        then, shape (500,). An episode that has ended keeps its last state.

    >>> states, alive = episode(parameters(), jnp.zeros(4))
    >>> states.shape, bool(alive[0]), bool(alive[-1])
    ((500, 4), True, False)
    """

    def step(carry: Carry, _: None) -> tuple[Carry, tuple[jax.Array, jax.Array]]:
        state, alive = carry
        moved = jnp.where(alive, physics(state, policy(params, state)), state)
        return (moved, alive & inside(moved)), (state, alive)

    return jax.lax.scan(step, (start, True), length=500)[1]


def score(params: Params, start: jax.Array) -> jax.Array:
    """Count the steps of an episode.

    Args:
        params: The policy.
        start: The first state, shape (4,).

    Returns:
        From 0 to 500, shape (), float32: a number that can be differentiated.

    The gradient of a count is zero:

    >>> slopes = jax.grad(score)(parameters(), jnp.zeros(4))
    >>> all(bool((slope == 0).all()) for slope in slopes.values())
    True
    """
    _, alive = episode(params, start)
    return alive.sum(dtype=float)


def starts(key: jax.Array, n: int) -> jax.Array:
    """Draw the first states of n episodes.

    Args:
        key: A key from ``jax.random.key``.
        n: How many.

    Returns:
        Uniform between -0.05 and 0.05, as in Gymnasium, shape (n, 4).

    >>> bool(jnp.abs(starts(jax.random.key(0), 9)).max() <= 0.05)
    True
    """
    return jax.random.uniform(key, (n, 4), minval=-0.05, maxval=0.05)


def fitness(population: jax.Array, first: jax.Array, unravel: Unravel) -> jax.Array:
    """Let all individuals play the same start states.

    Args:
        population: One vector of parameters in each row, shape (n, p).
        first: One start state in each row, shape (m, 4).
        unravel: From a vector, shape (p,), to the parameters of ``policy``.

    Returns:
        The mean score of each individual, shape (n,).

    >>> flat, unravel = ravel_pytree(parameters())
    >>> twins = jnp.stack([flat, flat])
    >>> scores = fitness(twins, starts(jax.random.key(0), 2), unravel)
    >>> scores.shape, bool(scores[0] == scores[1])
    ((2,), True)
    """

    def mean_score(flat: jax.Array) -> jax.Array:
        return jax.vmap(score, in_axes=(None, 0))(unravel(flat), first).mean()

    return jax.vmap(mean_score)(population)


def ranks(scores: jax.Array) -> jax.Array:
    """Give each score the share of lower scores minus the share of higher ones.

    Args:
        scores: Shape (n,).

    Returns:
        Between -1 and 1, with sum 0, and equal for equal scores; shape (n,).

    >>> ranks(jnp.array([9.0, 500.0, 20.0, 9.0])).tolist()
    [-0.5, 0.75, 0.25, -0.5]
    """
    return jnp.sign(scores[:, None] - scores).mean(axis=1)


def generation(
    mean: jax.Array,
    key: jax.Array,
    evaluate: Evaluate,
    pairs: int,
    sigma: float,
    rate: float | jax.Array,
) -> tuple[jax.Array, History]:
    """Try noise around the mean, and move the mean towards what was better.

    Args:
        mean: A vector of parameters, shape (p,).
        key: Gives the noise, and a key for ``evaluate``.
        evaluate: From a population, shape (2 pairs, p), and a key to its scores, shape
            (2 pairs,); higher is better.
        pairs: Number of noise vectors; each is used with both signs.
        sigma: Size of the noise, in the unit of the parameters.
        rate: Learning rate; it includes the factor 1 / sigma of the gradient's estimate.

    Returns:
        The moved mean (the carry), and the record {"mean": the mean before, "scores"}.

    Source:
        Salimans and others (2017): antithetic noise and ranks instead of scores.

    >>> def near_one(population, key):
    ...     return -((population - 1) ** 2).sum(axis=1)
    >>> moved, record = generation(jnp.zeros(3), jax.random.key(0), near_one, 50, 0.1, 1.0)
    >>> bool((moved > 0).all()), record["scores"].shape
    (True, (100,))
    """
    key_noise, key_scores = jax.random.split(key)
    half = jax.random.normal(key_noise, (pairs, mean.size))
    noise = jnp.concatenate([half, -half])
    scores = evaluate(mean + sigma * noise, key_scores)
    moved = mean + rate * ranks(scores) @ noise / len(noise)
    return moved, {"mean": mean, "scores": scores}


def train(
    key: jax.Array,
    mean: jax.Array,
    evaluate: Evaluate,
    generations: int,
    pairs: int = 32,
    sigma: float = 0.5,
    rate: float | jax.Array = 2.0,
) -> tuple[jax.Array, History]:
    """Run all generations in one scan.

    Args:
        key: A key from ``jax.random.key``.
        mean: Where to start, shape (p,).
        evaluate: As in ``generation``.
        generations: How many.
        pairs: As in ``generation``.
        sigma: As in ``generation``.
        rate: As in ``generation``.

    Returns:
        The last mean, shape (p,), and the history {"mean": (generations, p), "scores":
        (generations, 2 pairs)}. Entry g is of the mean before generation g.

    >>> def near_one(population, key):
    ...     return -((population - 1) ** 2).sum(axis=1)
    >>> final, history = train(jax.random.key(0), jnp.zeros(3), near_one, 60, rate=0.5)
    >>> bool(jnp.abs(final - 1).max() < 0.3), history["mean"].shape
    (True, (60, 3))
    """

    def body(mean: jax.Array, key: jax.Array) -> tuple[jax.Array, History]:
        return generation(mean, key, evaluate, pairs, sigma, rate)

    return jax.lax.scan(body, mean, jax.random.split(key, generations))


def evolve(key: jax.Array, generations: int, pairs: int) -> tuple[np.ndarray, np.ndarray]:
    """Train a policy for CartPole.

    Args:
        key: A key from ``jax.random.key``.
        generations: How many.
        pairs: Half of the population.

    Returns:
        The mean before each generation and after the last, shape (generations + 1, p), and
        the average score of each generation's population, shape (generations,).

    >>> path, averages = evolve(jax.random.key(0), 2, 4)
    >>> path.shape, averages.shape
    ((3, 48), (2,))
    """
    template, unravel = ravel_pytree(parameters())
    key_mean, key_train = jax.random.split(key)
    # Not zeros: there both signs of a noise vector give the same policy.
    mean = 0.1 * jax.random.normal(key_mean, template.shape)

    def evaluate(population: jax.Array, key: jax.Array) -> jax.Array:
        return fitness(population, starts(key, EPISODES), unravel)

    run = jax.jit(lambda key: train(key, mean, evaluate, generations, pairs))
    final, history = jax.device_get(run(key_train))
    return np.concatenate([history["mean"], final[None]]), history["scores"].mean(axis=1)


def draw(fresh: np.ndarray, averages: np.ndarray) -> Figure:
    """Draw the scores over the generations.

    Args:
        fresh: Score of each mean on fresh start states, shape (generations + 1,).
        averages: Average score of each population, shape (generations,).

    Returns:
        One graph: the means solid, the populations dashed.
    """
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    axes.plot(fresh, lw=2)
    axes.plot(averages, lw=2, ls="--")
    axes.axhline(SOLVED, lw=1.5, ls=":", color="0.3")
    axes.set(xlabel="$g$", ylabel="score", ylim=(0, 520))
    return figure


def draw_cart(ax: Axes, x: Any, angle: Any, color: str, height: float) -> None:
    """Draw a track with its cart and pole.

    Args:
        ax: Where to draw, in metres.
        x: Place of the cart, shape ().
        angle: Angle of the pole in radians, to the right, shape ().
        color: Of cart and pole.
        height: Where the track lies.
    """
    ax.axhline(height, lw=1, color="0.5")
    ax.plot([x - 0.25, x + 0.25], [height + 0.08] * 2, lw=7, color=color, solid_capstyle="butt")
    ax.plot(
        [x, x + np.sin(angle)], [height + 0.15, height + 0.15 + np.cos(angle)], color=color, lw=3
    )


def animate(states: np.ndarray, alive: np.ndarray, path: Path) -> None:
    """Write two episodes as an animated picture, in real time.

    Args:
        states: Shape (2, 500, 4): the untrained policy (above) and the trained one.
        alive: Shape (2, 500); an episode that has ended is grey.
        path: The file, which ends in .gif.

    Raises:
        OSError: If it cannot be written.
    """
    figure = Figure(figsize=(5, 3.2), dpi=80)
    FigureCanvasAgg(figure)
    axes = figure.add_axes((0, 0, 1, 1))

    def frame(n: int) -> list[Any]:
        axes.clear()
        for row in range(2):
            color = "C0" if alive[row, n] else "0.7"
            x, _, angle, _ = states[row, n]
            draw_cart(axes, x, angle, color, 1.6 - 1.5 * row)
        axes.set(xlim=(-2.4, 2.4), ylim=(-0.1, 3), xticks=[], yticks=[])
        axes.text(-2.3, 2.75, f"$n = {n}$")
        return [axes]

    film = FuncAnimation(figure, frame, frames=range(0, 500, BETWEEN_FRAMES), blit=False)
    film.save(path, writer=PillowWriter(fps=50 // BETWEEN_FRAMES))


def gif_file(text: str) -> Path:
    """Read the name of an animation's file for argparse.

    >>> gif_file("film.gif").name
    'film.gif'
    """
    return file_to_write(text, ".gif")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train a policy, and print its score on fresh start states.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--generations", "2", "--population", "8"])  # doctest: +ELLIPSIS
    before training  mean score ...  lowest ...
    after 32 episodes  mean score ...  lowest ...
    not solved: the mean score is below 475
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    add("--generations", type=whole_number(1, 1000), default=30, metavar="N", help=default)
    add(
        "--population", type=whole_number(2, 4096), default=64, metavar="N", help=f"even; {default}"
    )
    add("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N", help=default)
    add("--plot", type=picture_file, metavar="FILE", help="draw the scores into FILE")
    add("--animate", type=gif_file, metavar="FILE", help="animate both policies into FILE.gif")
    options = parser.parse_args(arguments)
    if options.population % 2:
        parser.error(f"--population {options.population}: give an even number")

    key_train, key_test, key_film = jax.random.split(jax.random.key(options.seed), 3)
    path, averages = evolve(key_train, options.generations, options.population // 2)
    unravel = ravel_pytree(parameters())[1]
    first = starts(key_test, FRESH)
    each_start = jax.vmap(score, in_axes=(None, 0))
    fresh = np.asarray(jax.jit(jax.vmap(lambda flat: each_start(unravel(flat), first)))(path))
    if options.plot:
        save(draw(fresh.mean(axis=1), averages), options.plot, parser)
    if options.animate:
        play = jax.jit(jax.vmap(lambda flat: episode(unravel(flat), starts(key_film, 1)[0])))
        states, alive = jax.device_get(play(path[[0, -1]]))
        try:
            animate(states, alive, options.animate)
        except OSError as error:
            parser.error(f"--animate {options.animate}: {error.strerror}; name another file")
    played = options.generations * options.population * EPISODES
    for name, scores in {
        "before training": fresh[0],
        f"after {played} episodes": fresh[-1],
    }.items():
        print(f"{name}  mean score {scores.mean():.1f}  lowest {scores.min():.0f}")
    solved = fresh[-1].mean() >= SOLVED
    print(
        f"solved: the mean score is {SOLVED} or more"
        if solved
        else f"not solved: the mean score is below {SOLVED}"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
