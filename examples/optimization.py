"""Fit the light of two fading dyes with SciPy, Optax and Optimistix, with error bars.

The data are a sum of two exponentials with noise. All three solvers find the same amplitudes and
lifetimes; the table compares their times, without compilation.

Usage: ``python examples/optimization.py --short 1 --long 3 --plot fit.svg``
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "optax", "optimistix", "scipy"]
# ///

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import optimistix as optx
import scipy.optimize  # type: ignore[import-untyped]
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from limits import best_seconds
from matplotlib.figure import Figure

Data = tuple[Any, Any]


@jax.jit
def predict(params: Any, time: jax.Array) -> Any:
    """Compute the signal of both dyes.

    Args:
        params: The logarithms of two amplitudes and of two lifetimes in ns, shape (4,).
        time: Times after the flash in ns, shape (n,).

    Returns:
        The signal, shape (n,).

    Both dyes start at 1, and one fades twice as fast:

    >>> print(predict(jnp.log(jnp.array([1.0, 1.0, 1.0, 2.0])), jnp.array([0.0, 2.0])).round(3))
    [2.    0.503]
    """
    amplitude, lifetime = jnp.exp(params).reshape(2, 2)
    return jnp.exp(-time[:, None] / lifetime) @ amplitude


def residuals(params: jax.Array, data: Data) -> Any:
    """Divide what the model misses by the noise, 0.01."""
    time, signal = data
    return (predict(params, time) - signal) / 0.01


def loss(params: jax.Array, data: Data) -> jax.Array:
    """Half the sum of the squared residuals."""
    return 0.5 * jnp.sum(residuals(params, data) ** 2)


def lbfgs(loss: Callable[[Any, Any], jax.Array], params: Any, data: Any) -> Any:
    """Minimize a loss with L-BFGS of Optax, in one ``while_loop``.

    Args:
        loss: From parameters and data to a number.
        params: Where to start, a pytree of arrays.
        data: The second argument of the loss.

    Returns:
        The parameters, and the state of the optimizer. The loop ends when the norm of the gradient
        is below 1e-5, which usually takes float64, or after 500 steps.
    """

    def value(params: Any) -> jax.Array:
        return loss(params, data)

    def unfinished(carry: Any) -> Any:
        count, grad = [optax.tree.get(carry[1], name) for name in ("count", "grad")]
        return (count == 0) | (count < 500) & (optax.tree.norm(grad) > 1e-5)

    def step(carry: Any) -> Any:
        params, state = carry
        f, grad = optax.value_and_grad_from_state(value)(params, state=state)
        extra = {"value": f, "grad": grad, "value_fn": value}
        updates, state = optimizer.update(grad, state, params, **extra)
        return optax.apply_updates(params, updates), state

    optimizer = optax.lbfgs()
    return jax.lax.while_loop(unfinished, step, (params, optimizer.init(params)))


def relative_errors(params: jax.Array, data: Data) -> jax.Array:
    """Compute the standard errors of fitted logarithms, which are relative errors.

    Args:
        params: The fitted parameters, shape (4,).
        data: Times and signals, each of shape (n,), with noise of 0.01.

    Returns:
        The square roots of the diagonal of the inverse of JᵀJ, shape (4,).

    >>> params, time = jnp.log(jnp.array([0.6, 0.4, 0.7, 3.0])), jnp.linspace(0.0, 12.0, 200)
    >>> errors = jax.jit(relative_errors)(params, (time, time))  # the signal has no influence
    >>> bool(jnp.all((errors > 0.02) & (errors < 0.05)))
    True
    """
    jacobian = jax.jacfwd(residuals)(params, data)
    return jnp.sqrt(jnp.diag(jnp.linalg.inv(jacobian.T @ jacobian)))


def searches(data: Data) -> dict[str, Callable[[Any], Any]]:
    """Name three functions from a start to the fitted parameters."""
    value_and_grad = jax.jit(jax.value_and_grad(loss))
    solver: Any = optx.LevenbergMarquardt(rtol=1e-8, atol=1e-8)

    def bfgs(start: Any) -> Any:
        options: dict[str, Any] = {"args": (data,), "jac": True, "method": "BFGS"}
        return jnp.asarray(scipy.optimize.minimize(value_and_grad, start, **options).x)

    def levenberg_marquardt(start: Any) -> Any:
        return optx.least_squares(residuals, solver, start, data).value

    return {
        "SciPy, BFGS": bfgs,
        "Optax, L-BFGS": jax.jit(lambda start: lbfgs(loss, start, data)[0]),
        "Optimistix, Levenberg-Marquardt": jax.jit(levenberg_marquardt),
    }


def draw(data: Data, params: jax.Array) -> Figure:
    """Draw the data, the fit, and both dyes."""
    time, signal = data
    amplitude, lifetime = np.exp(params).reshape(2, 2)
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    ax.plot(time, signal, ".", ms=4, color="0.55", label="data")
    ax.plot(time, predict(params, time), lw=2, color="#0b5fa5", label="fit")
    ax.plot(time, amplitude * np.exp(-time[:, None] / lifetime), "--", lw=1.5, color="#b3430f")
    ax.set(xlabel="time / ns", ylabel="signal")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Draw data, fit them three times, and print the parameters with their errors."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    lifetime = f"in ns; {DEFAULT}"
    add("--short", type=real_number(0.1, 10), default=0.7, metavar="NS", help=lifetime)
    add("--long", type=real_number(0.1, 10), default=3.0, metavar="NS", help=lifetime)
    add("--points", type=whole_number(20, 100_000), default=200, metavar="N", help=DEFAULT)
    add("--seed", type=whole_number(0, 2**32 - 1), default=3, metavar="N", help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the fit into FILE")
    options = parser.parse_args(arguments)
    if options.long < 1.5 * options.short:
        parser.error(f"--long {options.long:g}: give at least 1.5 times --short")

    with jax.enable_x64(True):
        time = jnp.linspace(0.0, 4 * options.long, options.points)
        truth = np.log([0.6, 0.4, options.short, options.long])
        noise = np.random.default_rng(options.seed).normal(0, 0.01, options.points)
        data = time, predict(truth, time) + noise
        start = jnp.log(jnp.array([1.0, 1.0, options.short / 2, 2 * options.long]))
        params = start
        for name, search in searches(data).items():
            params = search(start)
            run = 1e3 * best_seconds(search, start, rounds=3)
            print(f"{name:32} loss {loss(params, data):.6f}, {run:6.2f} ms")
        errors = relative_errors(params, data)
        names = "amplitude, short", "amplitude, long", "lifetime, short", "lifetime, long"
        for name, value, error, true in zip(names, params, errors, truth, strict=True):
            fitted = f"{jnp.exp(value):6.3f} ± {jnp.exp(value) * error:.3f}"
            print(f"{name:18}{fitted}, true {np.exp(true):g}")
        if options.plot:
            save(draw(data, params), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
