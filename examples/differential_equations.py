"""The rates of a model of hares and lynxes, fitted to counts, and how certain they are.

Diffrax solves the equations of Lotka and Volterra. Optimistix fits their four rates to the pelts of
21 years, and to many simulated series of counts at once. A table shows the steps and the error of a
comet's orbit for several tolerances.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["diffrax", "jax", "matplotlib", "optimistix"]
# ///

from collections.abc import Callable, Sequence
from typing import Any

import diffrax
import jax
import jax.numpy as jnp
import numpy as np
import optimistix
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

# Thousand pelts a year that the Hudson's Bay Company bought from 1900 to 1920, as in
# https://mc-stan.org/users/documentation/case-studies/lotka-volterra-predator-prey.html
HARES = [30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1]
HARES += [40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7]
LYNXES = [4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4]
LYNXES += [8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6]
RATES = ("births", "catches", "growth", "deaths")
COLORS = ("#0b5fa5", "#b3430f")
years: Any = np.arange(21.0)
year = 2 * np.pi  # in the units of the comet


def change(t: Any, y: jax.Array, rates: jax.Array) -> jax.Array:
    """Compute how fast the populations of hares and lynxes change, per year."""
    hares, lynxes = y
    births, catches, growth, deaths = rates
    return jnp.stack([(births - catches * lynxes) * hares, (growth * hares - deaths) * lynxes])


def gravity(t: Any, y: jax.Array, args: Any) -> jax.Array:
    """Compute the velocity and acceleration of bodies around the Sun; y has shape (2, ..., 2)."""
    position, velocity = y
    distance = jnp.sum(position**2, axis=-1, keepdims=True) ** 0.5
    return jnp.stack([velocity, -position / distance**3])


def rk4(field: Callable[..., Any], y: jax.Array, args: Any, h: float, steps: int) -> jax.Array:
    """Integrate from time 0 with the classical Runge-Kutta method and steps of equal length.

    `field(t, y, args)` has the shape of y. The result has one state for each step, without the
    initial one.

    >>> path = rk4(lambda t, y, rate: -rate * y, jnp.array(1.0), 2.0, 0.1, 10)
    >>> print(path.shape, f"{path[-1]:.4f}", f"{jnp.exp(-2.0):.4f}")
    (10,) 0.1353 0.1353
    """

    def step(y: jax.Array, t: jax.Array) -> tuple[jax.Array, jax.Array]:
        k1 = field(t, y, args)
        k2 = field(t + h / 2, y + h / 2 * k1, args)
        k3 = field(t + h / 2, y + h / 2 * k2, args)
        k4 = field(t + h, y + h * k3, args)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        return y, y

    return jax.lax.scan(step, y, h * jnp.arange(steps))[1]


def solve(
    field: Callable[..., Any],
    y0: Any,
    args: Any,
    t1: float,
    solver: Any = diffrax.Tsit5(),  # noqa: B008  (cannot be changed)
    rtol: Any = 1e-4,
    **options: Any,
) -> Any:
    """Integrate from time 0 to t1 in adaptive steps; rtol is the absolute tolerance, too.

    Further options are those of `diffrax.diffeqsolve`. Raises a RuntimeError if 4096 steps (or
    `max_steps`) are not enough.

    >>> solution = solve(lambda t, y, rate: -rate * y, 1.0, 2.0, 1.0)
    >>> print(f"{solution.ys[-1]:.3f}", solution.stats["num_steps"] < 20)
    0.135 True
    """
    control = diffrax.PIDController(rtol=rtol, atol=rtol)
    term = diffrax.ODETerm(field)
    return diffrax.diffeqsolve(
        term, solver, 0, t1, None, y0, args, stepsize_controller=control, **options
    )


def predict_rk4(params: Any) -> jax.Array:
    """Predict the counts, of shape (21, 2), from the logarithms of (start, rates)."""
    start, rates = jax.tree.map(jnp.exp, params)
    path = rk4(change, start, rates, 0.1, 200)
    return jnp.concatenate([start[None], path[9::10]])


def predict(params: Any) -> Any:
    """Predict the same with Diffrax; forward mode can differentiate it."""
    start, rates = jax.tree.map(jnp.exp, params)
    saveat, adjoint = diffrax.SaveAt(ts=years), diffrax.ForwardMode()
    return solve(change, start, rates, 20, saveat=saveat, adjoint=adjoint).ys


def fit(predict: Callable[[Any], jax.Array], guess: Any, pelts: jax.Array) -> Any:
    """Fit the parameters of a prediction to positive numbers, with relative errors.

    >>> rate = fit(lambda rate: jnp.exp(rate * jnp.arange(3.0)), 0.5, jnp.array([1.0, 2.0, 4.0]))
    >>> print(f"{rate:.3f}", f"{jnp.log(2.0):.3f}")
    0.693 0.693
    """

    def residuals(params: Any, pelts: jax.Array) -> jax.Array:
        return jnp.log(predict(params) / pelts)

    solver = optimistix.LevenbergMarquardt(rtol=1e-3, atol=1e-3)  # type: ignore[var-annotated]
    return optimistix.least_squares(residuals, solver, guess, pelts).value


def after_a_year(start: jax.Array, rtol: jax.Array) -> tuple[jax.Array, jax.Array]:
    """Return how far from its start a comet with the period of a year ends, and the steps."""
    solution = solve(gravity, start, None, year, rtol=rtol)
    return jnp.abs(solution.ys[-1] - start).max(), solution.stats["num_steps"]


def draw(pelts: jax.Array, params: Any) -> Figure:
    """Draw the counts as dots and the model as curves; params have a first axis of fits."""
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    for start, rates in zip(*jax.tree.map(jnp.exp, params), strict=True):
        path = rk4(change, start, rates, 0.1, 200)
        for values, color in zip(path.T, COLORS, strict=True):
            ax.plot(1900 + np.linspace(0.1, 20, 200), values, color=color, lw=0.8, alpha=0.4)
    for counts, color, name in zip(pelts.T, COLORS, ("hares", "lynxes"), strict=True):
        ax.plot(1900 + years, counts, "o", ms=4, color=color, label=name)
    ax.set(xlabel="year", ylabel="thousand pelts", xticks=range(1900, 1921, 5))
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the fitted rates with their uncertainty, and the steps and errors of the comet."""
    parser = command_line(__doc__)
    add = parser.add_argument
    simulations = f"simulated series of counts; {DEFAULT}"
    add("--simulations", type=whole_number(2, 1000), default=32, metavar="N", help=simulations)
    add("--seed", type=whole_number(0, 2**31), default=0, help=f"of the noise; {DEFAULT}")
    digits = f"the comet's tolerances are 1e-2 to 1e-N; {DEFAULT}"
    add("--digits", type=whole_number(2, 9), default=7, metavar="N", help=digits)
    add("--plot", type=picture_file, metavar="FILE", help="draw counts and fits into FILE")
    options = parser.parse_args(arguments)

    pelts = jnp.array([HARES, LYNXES]).T
    guess = jax.tree.map(jnp.log, (pelts[0], jnp.array([0.5, 0.03, 0.03, 1.0])))
    best = fit(predict_rk4, guess, pelts)
    expected = predict_rk4(best)
    sigma = jnp.std(jnp.log(pelts / expected))
    random = np.random.default_rng(options.seed)
    noise = random.normal(0, sigma, (options.simulations, *pelts.shape))
    series = expected * jnp.exp(noise)
    fits = jax.jit(jax.vmap(lambda pelts: fit(predict, best, pelts)))(series)
    print(f"errors of the counts: {sigma:.0%}; rates per year, and their standard deviations:")
    for name, rate, rates in zip(RATES, jnp.exp(best[1]), jnp.exp(fits[1]).T, strict=True):
        print(f"  {name:8}{rate:8.4f} ± {rates.std():.4f}")

    rtols = 10.0 ** -np.arange(2, options.digits + 1)
    comet = jnp.array([[0.2, 0.0], [0.0, 3.0]])
    errors, steps = jax.jit(jax.vmap(after_a_year, in_axes=(None, 0)))(comet, rtols)
    print("a comet after a year:")
    for rtol, step, error in zip(rtols, steps, errors, strict=True):
        print(f"  rtol {rtol:.0e}: {step:4d} steps, error {error:.1e}")
    if options.plot:
        save(draw(pelts, fits), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
