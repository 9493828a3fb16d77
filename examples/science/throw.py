"""How to throw a ball in an uncertain wind: a flight simulator, differentiated and optimized.

The ball should be at the target after 2 seconds. The air slows it down, and the wind is different
in each throw. You will see the flights before and after gradient descent through the simulation.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

TARGET = np.array([20.0, 5.0])  # m
WIND, GUSTS, FLIGHTS = -4.0, 3.0, 64  # mean and standard deviation in m/s, throws
DRAG = 0.02  # 1/m, near that of a basketball
STEPS, DT = 100, 0.02  # time steps of a flight, and seconds of each


def fly(throw, wind, drag=DRAG):
    """Simulate 2 seconds of flight from the origin.

    Args:
        throw: {"forward", "up"}: velocities at the start in m/s.
        wind: Horizontal velocity of the air in m/s.
        drag: In 1/m.

    Returns:
        Horizontal position and height in m after each time step, shape (100, 2).

    >>> throw = {"forward": jnp.array(10.0), "up": jnp.array(10.0)}
    >>> [round(x, 3) for x in fly(throw, 0.0, drag=0.0)[-1].tolist()]  # a parabola
    [20.0, 0.38]
    """

    def step(state, _):
        position, velocity = state
        through_air = velocity - jnp.array([wind, 0.0])
        # The root of zero would have an infinite derivative.
        braking = drag * jnp.sqrt(jnp.sum(through_air**2) + 1e-12) * through_air
        new = velocity + DT * (jnp.array([0.0, -9.81]) - braking)
        position = position + DT * (velocity + new) / 2
        return (position, new), position

    start = jnp.zeros(2), jnp.array([throw["forward"], throw["up"]])
    return jax.lax.scan(step, start, length=STEPS)[1]


def squared_miss(throw, winds, target):
    """Average the squared distance of the flights' ends from the target, in m²."""
    ends = jax.vmap(fly, in_axes=(None, 0))(throw, winds)[:, -1]
    return jnp.mean(jnp.sum((ends - target) ** 2, axis=1))


@jax.jit
def optimize(throw, winds, target):
    """Take 2000 steps of gradient descent, with one flight for each of n winds in m/s.

    In a tailwind as fast as the ball, nothing brakes it forward, so 20 m in 2 s take 10 m/s:

    >>> throw = {"forward": jnp.array(8.0), "up": jnp.array(8.0)}
    >>> round(float(optimize(throw, jnp.array([10.0]), TARGET)["forward"]), 2)
    10.0
    """

    def step(throw, _):
        slope = jax.grad(squared_miss)(throw, winds, target)
        return jax.tree.map(lambda p, g: p - 0.05 * g, throw, slope), None

    return jax.lax.scan(step, throw, length=2000)[0]


def main():
    """Optimize the throw, and draw the flights of the first one and of the best."""
    winds = (WIND + GUSTS * np.random.default_rng(0).normal(size=FLIGHTS)).astype(np.float32)
    first = {"forward": jnp.array(10.0), "up": jnp.array(10.0)}
    best = optimize(first, winds, TARGET)
    evaluate = jax.jit(
        lambda throw: (
            squared_miss(throw, winds, TARGET),
            jax.vmap(fly, in_axes=(None, 0))(throw, winds),
        )
    )
    for name, throw, color in (("first", first, "#0b5fa5"), ("best", best, "#b3430f")):
        squared, paths = jax.device_get(evaluate(throw))
        speeds = ", ".join(f"{name} {speed:.2f} m/s" for name, speed in throw.items())
        print(f"{name:5} throw: {speeds}, misses by {squared**0.5:.2f} m")
        plt.plot(paths[..., 0].T, paths[..., 1].T, color=color, lw=0.7)
        plt.plot(paths[:, -1, 0], paths[:, -1, 1], "o", color=color, ms=4, label=name)
    plt.plot(*TARGET, "x", color="#2e7d32", ms=14, mew=4, label="target")
    plt.xlabel("x / m")
    plt.ylabel("y / m")
    plt.legend()
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("throw.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
