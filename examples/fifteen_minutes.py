"""How to throw a ball in an uncertain wind: a flight simulator, differentiated and optimized.

The ball starts at the origin and should be at the target after 2 seconds. The air slows it down,
and the wind is different in each throw. Gradient descent through the simulated flights finds the
throw with the least mean squared miss.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Sequence

import jax
import jax.numpy as jnp
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure

Throw = dict[str, jax.Array]
Number = float | jax.Array
State = tuple[jax.Array, jax.Array]  # position in m and velocity in m/s

STEPS, DT = 100, 0.02  # time steps of a flight, and seconds of each


def acceleration(velocity: jax.Array, wind: Number, drag: Number) -> jax.Array:
    """Add up gravity and the drag of the air, in m/s²."""
    through_air = velocity - jnp.array([wind, 0.0])
    braking = drag * jnp.sqrt(jnp.sum(through_air**2)) * through_air
    return jnp.array([0.0, -9.81]) - braking


def fly(throw: Throw, wind: Number, drag: Number = 0.02) -> jax.Array:
    """Simulate 2 seconds of flight from the origin.

    Args:
        throw: {"forward", "up"}: velocities at the start in m/s, each of shape ().
        wind: Horizontal velocity of the air in m/s, shape ().
        drag: Drag in 1/m, shape (); 0.02 is near that of a basketball.

    Returns:
        Horizontal position and height in m after each time step, shape (100, 2).

    >>> throw = {"forward": jnp.array(10.0), "up": jnp.array(10.0)}
    >>> [round(x, 3) for x in fly(throw, 0.0, drag=0.0)[-1].tolist()]  # a parabola
    [20.0, 0.38]
    """

    def body(state: State, _: None) -> tuple[State, jax.Array]:
        position, velocity = state
        new = velocity + DT * acceleration(velocity, wind, drag)
        position = position + DT * (velocity + new) / 2
        return (position, new), position

    start = jnp.zeros(2), jnp.array([throw["forward"], throw["up"]])
    return jax.lax.scan(body, start, length=STEPS)[1]


def squared_miss(throw: Throw, winds: jax.Array, target: jax.Array) -> jax.Array:
    """Average the squared distance of the flights' ends from the target, in m²."""
    ends = jax.vmap(fly, in_axes=(None, 0))(throw, winds)[:, -1]
    return jnp.mean(jnp.sum((ends - target) ** 2, axis=1))


def improve(throw: Throw, winds: jax.Array, target: jax.Array) -> tuple[Throw, jax.Array]:
    """Take one step of gradient descent; the second result is the loss before it."""
    loss, slope = jax.value_and_grad(squared_miss)(throw, winds, target)
    return jax.tree.map(lambda p, g: p - 0.05 * g, throw, slope), loss


def train(throw: Throw, winds: jax.Array, target: jax.Array) -> tuple[Throw, jax.Array]:
    """Take 100 steps of gradient descent, with one flight for each of n winds in m/s.

    Returns:
        The last throw, and the mean squared miss in m² before each step, shape (100,).

    In a tailwind as fast as the ball, nothing brakes it forward, so 20 m in 2 s take 10 m/s:

    >>> throw = {"forward": jnp.array(8.0), "up": jnp.array(8.0)}
    >>> best, losses = jax.jit(train)(throw, jnp.array([10.0]), jnp.array([20.0, 5.0]))
    >>> losses.shape, round(float(best["forward"]), 2)
    ((100,), 10.0)
    """

    def body(throw: Throw, _: None) -> tuple[Throw, jax.Array]:
        return improve(throw, winds, target)

    return jax.lax.scan(body, throw, length=100)


def draw(first: Throw, best: Throw, winds: jax.Array, target: jax.Array) -> Figure:
    """Draw the flights of both throws in all winds, with a dot at the end of each."""
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    axes = figure.subplots()
    for throw, color in ((first, "#0b5fa5"), (best, "#b3430f")):
        paths = jax.vmap(fly, in_axes=(None, 0))(throw, winds)
        axes.plot(paths[:, 4::5, 0].T, paths[:, 4::5, 1].T, color=color, lw=0.7)
        axes.plot(paths[:, -1, 0], paths[:, -1, 1], "o", color=color, ms=4)
    axes.plot(float(target[0]), float(target[1]), "x", color="#2e7d32", ms=14, mew=4)
    axes.set(xlabel="$x$ / m", ylabel="$y$ / m")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the first throw and the best one."""
    parser = command_line(__doc__)
    add = parser.add_argument
    metres, speed, spread = real_number(-30, 30), real_number(-15, 15), real_number(0, 10)
    add("--target", type=metres, nargs=2, default=(20.0, 5.0), help="in m; default: 20 5")
    add("--wind", type=speed, default=-4.0, help=f"mean in m/s; {DEFAULT}")
    add("--gusts", type=spread, default=3.0, help=f"standard deviation in m/s; {DEFAULT}")
    add("--flights", type=whole_number(1, 10_000), default=64, help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the flights into FILE")
    options = parser.parse_args(arguments)

    target = jnp.array(options.target)
    key = jax.random.key(0)
    winds = options.wind + options.gusts * jax.random.normal(key, (options.flights,))
    first = best = {"forward": jnp.array(10.0), "up": jnp.array(10.0)}
    train_on = jax.jit(train)
    for _ in range(20):  # in the strongest headwinds the steps make slow progress
        best, losses = train_on(best, winds, target)
    if not losses[-1] <= squared_miss(first, winds, target):  # NaN fails this comparison, too
        parser.error("the descent diverges: give a nearer --target or less --wind")
    if options.plot:
        save(draw(first, best, winds, target), options.plot, parser)
    for label, throw in (("first throw", first), ("best throw", best)):
        speeds = "  ".join(f"{name} = {value:6.2f} m/s" for name, value in throw.items())
        miss = float(squared_miss(throw, winds, target)) ** 0.5
        print(f"{label:11}  {speeds}  miss = {miss:.2f} m")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
