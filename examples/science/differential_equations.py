"""The rates of a model of hares and lynxes, fitted to counts, and how certain they are.

Diffrax solves the equations of Lotka and Volterra, and Optimistix fits their rates and the start to
the pelts of 21 years. You will see the fit, and those to 32 simulated series of counts, all fitted
in one program: their spread is the uncertainty of the rates.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "diffrax", "matplotlib", "optimistix"]
# ///

import diffrax
import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optimistix

# Thousand pelts a year that the Hudson's Bay Company bought from 1900 to 1920, as in
# https://mc-stan.org/users/documentation/case-studies/lotka-volterra-predator-prey.html
HARES = [30, 47.2, 70.2, 77.4, 36.3, 20.6, 18.1, 21.4, 22, 25.4, 27.1]
HARES += [40.3, 57, 76.6, 52.3, 19.5, 11.2, 7.6, 14.6, 16.2, 24.7]
LYNXES = [4, 6.1, 9.8, 35.2, 59.4, 41.7, 19, 13, 8.3, 9.1, 7.4]
LYNXES += [8, 12.3, 19.5, 45.7, 51.1, 29.7, 15.8, 9.7, 10.1, 8.6]
# Per year; catches and growth also per thousand animals.
RATES = ("births", "catches", "growth", "deaths")
SIMULATIONS = 32


def change(t, y, rates):
    """Compute how fast the populations of hares and lynxes, (2,), change, per year.

    >>> change(0.0, jnp.array([10.0, 5.0]), (0.5, 0.0, 0.0, 0.8)).tolist()  # no meeting
    [5.0, -4.0]
    """
    hares, lynxes = y
    births, catches, growth, deaths = rates
    return jnp.stack([(births - catches * lynxes) * hares, (growth * hares - deaths) * lynxes])


def predict(params, years):
    """Predict the populations, (years, 2).

    Args:
        params: The logarithms of the populations at the start, (2,), and of the rates, (4,).
        years: Times after 1900, ascending from 0.
    """
    start, rates = jax.tree.map(jnp.exp, params)
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(change),
        diffrax.Tsit5(),
        0,
        years[-1],
        None,
        start,
        rates,
        saveat=diffrax.SaveAt(ts=years),
        stepsize_controller=diffrax.PIDController(rtol=1e-4, atol=1e-4),
        adjoint=diffrax.ForwardMode(),  # few parameters: the solver differentiates forward
    )
    return solution.ys


def fit(guess, counts, predict):
    """Fit the parameters of a prediction to positive numbers, with relative errors.

    >>> rate = fit(0.5, jnp.array([1.0, 2.0, 4.0]), lambda rate: jnp.exp(rate * jnp.arange(3.0)))
    >>> print(f"{rate:.3f}", f"{jnp.log(2.0):.3f}")
    0.693 0.693
    """

    def residuals(params, counts):
        return jnp.log(predict(params) / counts)

    solver = optimistix.LevenbergMarquardt(rtol=1e-3, atol=1e-3)
    return optimistix.least_squares(residuals, solver, guess, counts).value


def main():
    """Fit the counts, fit simulated counts, print the rates, and draw the fits."""
    counts = np.array([HARES, LYNXES], np.float32).T
    years = np.arange(len(counts), dtype=np.float32)
    guess = np.log(counts[0]), np.log(np.array([0.5, 0.02, 0.02, 0.8], np.float32))
    noise = np.random.default_rng(0).normal(size=(SIMULATIONS, *counts.shape)).astype(np.float32)
    fine = np.linspace(0, 20, 201, dtype=np.float32)

    @jax.jit
    def fit_all(counts):
        best = fit(guess, counts, lambda params: predict(params, years))
        residuals = jnp.log(predict(best, years) / counts)
        error = jnp.sqrt(jnp.sum(residuals**2) / (counts.size - 6))  # six fitted parameters
        simulated = predict(best, years) * jnp.exp(error * noise)
        fits = jax.vmap(lambda counts: fit(best, counts, lambda p: predict(p, years)))(simulated)
        curves = jax.vmap(lambda params: predict(params, fine))(fits)
        return best, fits, predict(best, fine), curves, error

    best, fits, curve, curves, error = jax.device_get(fit_all(counts))
    print(f"relative error of a count: {error:.0%}")
    for name, rate, rates in zip(RATES, np.exp(best[1]), np.exp(fits[1]).T, strict=True):
        print(f"{name:8} {rate:.3f} ± {rates.std():.3f}")
    for animal, color, k in (("hares", "#0b5fa5", 0), ("lynxes", "#b3430f", 1)):
        plt.plot(1900 + fine, curves[..., k].T, color=color, lw=0.6, alpha=0.3)
        plt.plot(1900 + fine, curve[:, k], color=color, lw=2)
        plt.plot(1900 + years, counts[:, k], "o", color=color, label=animal)
    plt.xlabel("year")
    plt.ylabel("thousand pelts")
    plt.xticks(range(1900, 1921, 5))
    plt.legend()
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("differential_equations.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
