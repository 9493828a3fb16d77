"""The ratios of times that the answers to frequent questions quote, measured on this machine.

The table has one line for each question: what is compared, and how many times as long one way
takes as the other. All of it runs on the CPU.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, whole_number

Run = Callable[[], Any]


def seconds(run: Run, calls: int = 1) -> float:
    """Return the time of a call, up to its finished result, as the mean of several calls.

    >>> seconds(lambda: time.sleep(0.01)) >= 0.01
    True
    """
    begin = time.perf_counter()
    jax.block_until_ready([run() for _ in range(calls)])  # type: ignore[no-untyped-call]
    return (time.perf_counter() - begin) / calls


def gain(slow: Run, fast: Run, calls: int = 10, rounds: int = 20) -> float:
    """Return the shortest time of one way divided by that of another; the two take turns.

    Args:
        slow: The way whose time is divided.
        fast: The way whose time divides.
        calls: How many calls make one time.
        rounds: How many times are taken, after one call that may compile.

    Returns:
        How many times as long ``slow`` takes.

    >>> gain(lambda: time.sleep(0.02), lambda: time.sleep(0.002), calls=1, rounds=3) > 2
    True
    """
    seconds(slow), seconds(fast)  # compiles
    times = [(seconds(slow, calls), seconds(fast, calls)) for _ in range(rounds)]
    return float(np.divide(*np.min(times, axis=0)))


def chain(x: Any) -> Any:
    """Apply forty elementwise operations to an array of any shape: sin and + 1, twenty times."""
    for _ in range(20):
        x = jnp.sin(x) + 1
    return x


def polynomial(x: Any, y: Any) -> Any:
    """Evaluate the polynomial with the coefficients 0 to 19; a NumPy array ``y`` is overwritten.

    Args:
        x: Where to evaluate it, an array of any shape.
        y: Zeros: an array like ``x`` or, in JAX, the number 0.0.

    Returns:
        The values, with the shape of ``x``.

    >>> float(polynomial(jnp.float32(1), 0.0))
    190.0
    """
    for coefficient in range(20):
        y *= x
        y += coefficient
    return y


def train(steps: int) -> Any:
    """Descend to 3 in a ``fori_loop``, whose body is a new function in each call.

    >>> round(float(train(1000)), 3)
    3.0
    """

    def body(_: Any, w: Any) -> Any:
        return w - 0.02 * (w - 3)

    return jax.lax.fori_loop(0, steps, body, 0.0)


def gain_of_jit(function: Callable[[Any], Any], x: Any, **options: int) -> float:
    """Return how many times as long a function takes without ``jit``; the options are gain's."""
    jitted = jax.jit(function)
    return gain(lambda: function(x), lambda: jitted(x), **options)


def measure(rounds: int) -> Iterator[tuple[str, float]]:
    """Measure one ratio after another, each with what it compares."""
    small, square, large = (jnp.ones(shape) for shape in (10, (10, 10), (300, 300)))
    compiled = jax.jit(chain)
    first = seconds(lambda: compiled(small))
    later = min(seconds(lambda: compiled(small), 10) for _ in range(rounds))
    yield "the first call, a later call", first / later
    yield "40 operations, with jit", gain_of_jit(chain, small, rounds=rounds)
    yield "x[0], with jit", gain_of_jit(lambda x: x[0], square, rounds=rounds)
    yield "jnp.sin(x), with jit", gain_of_jit(jnp.sin, square, rounds=rounds)
    yield "large x @ x, with jit", gain_of_jit(lambda x: x @ x, large, calls=1, rounds=rounds)

    few, many = np.ones(10, np.float32), np.linspace(0, 1, 1_000_000, dtype=np.float32)
    few_jax, many_jax, jitted = jnp.array(few), jnp.array(many), jax.jit(polynomial)
    yield "10 numbers in JAX, NumPy", gain(lambda: few_jax + 1, lambda: few + 1, 100, rounds)
    ways = (lambda: polynomial(many, np.zeros_like(many))), (lambda: jitted(many_jax, 0.0))
    yield "1,000,000 numbers in NumPy, JAX", gain(*ways, 1, rounds)

    matrix, batch = jnp.ones((50, 50)), jnp.ones((500, 50))
    examples = list(batch)
    mapped: Callable[..., Any] = jax.vmap(lambda v: matrix @ v)
    ways = (lambda: [matrix @ v for v in examples]), (lambda: mapped(batch))
    yield "a loop over 500 vectors, vmap", gain(*ways, 1, rounds)
    yield "vmap, with jit", gain_of_jit(mapped, batch, rounds=rounds)
    yield "fori_loop, with jit", gain_of_jit(train, 1000, calls=1, rounds=min(rounds, 3))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table."""
    parser = command_line(__doc__)
    rounds = f"how often each time is taken; {DEFAULT}"
    parser.add_argument("--rounds", type=whole_number(1, 1000), default=20, help=rounds)
    options = parser.parse_args(arguments)

    with jax.default_device(jax.devices("cpu")[0]):
        for name, ratio in measure(options.rounds):
            print(f"{name:32} {ratio:8.1f}", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
