"""Gradient descent as one compiled loop that keeps its history, with jax.lax.scan.

A line y = a x + b is fitted to noisy points by gradient descent. ``step`` has the form that scan
needs (carry in, carry and record out), so the whole descent is one compiled program, and the
parameters and the loss of every step come back stacked in arrays. The result is compared with
least squares.
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

Params = dict[str, jax.Array]

# Three float32 numbers are kept for each step: a million steps fill 12 MB.
MAX_STEPS = 1_000_000


def make_data(key: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """Draw n points near y = 3 x + 2: x uniform on [0, 1), y with noise of 0.5 N(0, 1)."""
    key_x, key_noise = jax.random.split(key)
    x = jax.random.uniform(key_x, (n,))
    y = 3 * x + 2 + 0.5 * jax.random.normal(key_noise, (n,))
    return x, y


def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    """Give the mean of (a x + b - y)², shape ()."""
    return jnp.mean((params["a"] * x + params["b"] - y) ** 2)


def step(
    params: Params, x: jax.Array, y: jax.Array, learning_rate: float | jax.Array
) -> tuple[Params, Params]:
    """Take one step of gradient descent; return the new parameters, and a record of the old state.

    >>> start = {"a": jnp.array(0.0), "b": jnp.array(0.0)}
    >>> after, record = step(start, jnp.array([1.0]), jnp.array([1.0]), 0.25)
    >>> float(after["a"]), float(record["a"]), float(record["loss"])
    (0.5, 0.0, 1.0)
    """
    value, slope = jax.value_and_grad(loss)(params, x, y)
    new = jax.tree.map(lambda p, g: p - learning_rate * g, params, slope)
    return new, {**params, "loss": value}


def fit(
    params: Params, x: jax.Array, y: jax.Array, learning_rate: float | jax.Array, steps: int
) -> tuple[Params, Params]:
    """Run gradient descent in one scan and keep every state.

    Args:
        params: Where to start: {"a": slope, "b": intercept}, each of shape ().
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        learning_rate: Factor of the gradient, positive.
        steps: How many steps; a Python integer, because it is the length of the history.

    Returns:
        The parameters after the last step, and the history {"a", "b", "loss"}, each of shape
        (steps,). Entry t is the state before step t, so entry 0 is the start.

    >>> x, y = make_data(jax.random.key(0), 100)
    >>> start = {"a": jnp.array(1.0), "b": jnp.array(0.0)}
    >>> after, history = fit(start, x, y, 0.01, 200)
    >>> history["loss"].shape, float(history["a"][0])
    ((200,), 1.0)
    """

    def body(carry: Params, _: None) -> tuple[Params, Params]:
        return step(carry, x, y, learning_rate)

    return jax.lax.scan(body, params, length=steps)


def least_squares(x: jax.Array, y: jax.Array) -> Params:
    """Solve the regression in closed form; the entries of x must not all be equal.

    >>> line = least_squares(jnp.array([0.0, 1.0, 2.0]), jnp.array([2.0, 5.0, 8.0]))
    >>> round(float(line["a"]), 3), round(float(line["b"]), 3)
    (3.0, 2.0)
    """
    a = jnp.mean((x - x.mean()) * (y - y.mean())) / jnp.var(x)
    return {"a": a, "b": y.mean() - a * x.mean()}


def draw(history: Params, best: Params) -> Figure:
    """Draw the loss and the parameters over the steps, with least squares as dashed lines."""
    n = range(1, len(history["loss"]) + 1)
    figure = Figure(figsize=(6, 5), layout="constrained")
    axes = figure.subplots(2, sharex=True)
    axes[0].semilogx(n, history["loss"], lw=2)
    for name in best:
        axes[1].semilogx(n, history[name], lw=2, label=f"${name}$")
        axes[1].axhline(float(best[name]), lw=2, ls="--", color="0.4")
    axes[0].set_ylabel("$L$")
    axes[1].set_xlabel("$n$")
    axes[1].legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Fit the line, and print it beside least squares.

    >>> main(["--steps", "20000"])  # doctest: +ELLIPSIS
    gradient descent  a = ...  b = ...  loss = ...
    least squares     a = ...  b = ...  loss = ...
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--steps", type=whole_number(1, MAX_STEPS), default=10_000, help=DEFAULT)
    add("--learning-rate", type=real_number(1e-6, 100), default=0.01, help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the history into FILE")
    options = parser.parse_args(arguments)

    x, y = make_data(jax.random.key(0), 100)
    start = {"a": jnp.array(1.0), "b": jnp.array(0.0)}
    # The step count is static: it fixes the shape of the history.
    jit_fit = jax.jit(fit, static_argnames="steps")
    params, history = jit_fit(start, x, y, options.learning_rate, options.steps)
    best = least_squares(x, y)
    final = float(loss(params, x, y))
    if not final <= float(history["loss"][0]):  # NaN fails this comparison, too
        parser.error(f"--learning-rate {options.learning_rate:g} diverges: give a smaller one")
    if options.plot:
        save(draw(history, best), options.plot, parser)
    for name, line in {"gradient descent": params, "least squares": best}.items():
        value = float(loss(line, x, y))
        print(f"{name:<16}  a = {line['a']:.4f}  b = {line['b']:.4f}  loss = {value:.6f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
