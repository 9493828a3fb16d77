"""Hidden state beside explicit state: a noisy wave smoothed in Python, under jit, and by a scan.

``make_smoother`` returns a function that remembers its last value. Under ``jax.jit`` Python runs
once, so the state is frozen, and no error says so. ``smooth`` takes the state as an argument and
returns the new one, and ``jax.lax.scan`` runs it in one compiled loop. ``jit_agrees`` tells whether
a function has such hidden state.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure


def noisy_wave(key: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """Make two periods of a sine with n points, and the same with noise: float32, shape (n,)."""
    wave = jnp.sin(jnp.linspace(0, 4 * jnp.pi, n))
    return wave, wave + 0.5 * jax.random.normal(key, (n,))


def make_smoother(rate: float) -> Callable[[Any], Any]:
    """Make a function that smooths exponentially and remembers its last value: not pure.

    >>> smoother, compiled = make_smoother(0.5), jax.jit(make_smoother(0.5))
    >>> smoother(8.0), smoother(8.0), float(compiled(8.0)), float(compiled(8.0))
    (4.0, 6.0, 4.0, 4.0)
    """
    level = 0.0

    def smoother(x: Any) -> Any:
        nonlocal level
        level = level + rate * (x - level)
        return level

    return smoother


def smooth(level: Any, x: Any, rate: float) -> tuple[Any, Any]:
    """Smooth exponentially, with the level as an argument and as a result: pure.

    The rate is the weight of the new value x, between 0 and 1. The new level is returned twice: as
    the next state, and as the output.

    >>> smooth(4.0, 8.0, 0.5)
    (6.0, 6.0)
    """
    level = level + rate * (x - level)
    return level, level


def smooth_all(signal: jax.Array, rate: float) -> jax.Array:
    """Smooth a signal of shape (n,), starting at 0; the levels have the same shape.

    >>> print(smooth_all(jnp.array([8.0, 8.0, 8.0]), 0.5))
    [4. 6. 7.]
    """

    def step(level: jax.Array, x: jax.Array) -> tuple[jax.Array, jax.Array]:
        return smooth(level, x, rate)

    return jax.lax.scan(step, jnp.zeros(()), signal)[1]


def jit_agrees(make: Callable[[], Callable[[Any], Any]], inputs: Sequence[Any]) -> bool:
    """Test whether a function gives the same results with ``jax.jit`` and without.

    Args:
        make: Makes the function to be tested; called twice, so that both start afresh.
        inputs: What to call it with, one after the other; at least two.

    >>> jit_agrees(lambda: make_smoother(0.5), [1.0, 2.0]), jit_agrees(lambda: jnp.sin, [1.0, 2.0])
    (False, True)
    """
    plain, compiled = make(), jax.jit(make())
    return all(np.allclose(plain(x), compiled(x), atol=1e-5) for x in inputs)


def draw(signal: jax.Array, smoothed: jax.Array, frozen: np.ndarray, rate: float) -> Figure:
    """Draw the signal, the smoothed curve and the curve of the frozen state."""
    figure = Figure(figsize=(6, 3.4), layout="constrained")
    ax = figure.subplots()
    ax.plot(signal, ".", color="0.5")
    ax.plot(smoothed, color="#b3430f", lw=3, label="smooth_all")
    label = f"jax.jit(make_smoother({rate:g}))"
    ax.plot(frozen, color="#0b5fa5", ls="--", lw=2, label=label)
    ax.set_xlabel("$n$")
    ax.legend(loc="lower left")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Smooth a wave in three ways, and print each root mean square error.

    >>> main([])  # doctest: +ELLIPSIS
    make_smoother in Python      rms error 0.3...
    make_smoother under jit      rms error 0.6...
    smooth_all (scan)            rms error 0.3...
    jit agrees with Python: make_smoother False
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--points", type=whole_number(2, 10_000), default=200, help=DEFAULT)
    add("--rate", type=real_number(0.001, 1), default=0.1, help=f"of the new value; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw the curves into FILE")
    options = parser.parse_args(arguments)

    wave, signal = noisy_wave(jax.random.key(0), options.points)
    smoother, compiled = make_smoother(options.rate), jax.jit(make_smoother(options.rate))
    in_python = np.array([smoother(x) for x in np.asarray(signal)])
    frozen = np.array([compiled(x) for x in np.asarray(signal)])
    smoothed = jax.jit(smooth_all)(signal, options.rate)
    if options.plot:
        save(draw(signal, smoothed, frozen, options.rate), options.plot, parser)
    ways = {
        "make_smoother in Python": in_python,
        "make_smoother under jit": frozen,
        "smooth_all (scan)": smoothed,
    }
    for name, curve in ways.items():
        error = float(np.sqrt(np.mean((curve - np.asarray(wave)) ** 2)))
        print(f"{name:<28} rms error {error:.3f}")
    first = [float(x) for x in signal[:3]]
    hidden = jit_agrees(lambda: make_smoother(options.rate), first)
    print(f"jit agrees with Python: make_smoother {hidden}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
