"""The lifetimes of two dyes, fitted by three libraries, with their errors.

The light after a flash fades as a sum of two exponentials. You will see BFGS of SciPy, L-BFGS of
Optax and Levenberg-Marquardt of Optimistix arrive at the same lifetimes, their standard errors from
a Jacobian, and the fit through the noisy data. In float64, which such fits need.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib", "optax", "optimistix", "scipy"]
# ///

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax
import optimistix
import scipy.optimize

TRUTH = {"amplitude 1": 0.6, "amplitude 2": 0.4, "lifetime 1 / ns": 0.7, "lifetime 2 / ns": 3.0}
START = (1.0, 1.0, 0.35, 6.0)
NOISE, POINTS = 0.01, 200


def predict(params, time):
    """Compute the signal of both dyes at times in ns, (n,), after the flash.

    Args:
        params: The logarithms of two amplitudes and of two lifetimes in ns, (4,).

    Both dyes start at 1, and one fades twice as fast:

    >>> print(predict(jnp.log(jnp.array([1.0, 1.0, 1.0, 2.0])), jnp.array([0.0, 2.0])).round(3))
    [2.    0.503]
    """
    amplitude, lifetime = jnp.exp(params).reshape(2, 2)
    return jnp.exp(-time[:, None] / lifetime) @ amplitude


def residuals(params, data):
    """Divide what the model misses by the noise."""
    time, signal = data
    return (predict(params, time) - signal) / NOISE


def loss(params, data):
    """Half the sum of the squared residuals."""
    return 0.5 * jnp.sum(residuals(params, data) ** 2)


def scipy_bfgs(start, data):
    """SciPy's loop in Python calls the compiled loss with its gradient."""
    value_and_grad = jax.jit(jax.value_and_grad(loss))
    result = scipy.optimize.minimize(value_and_grad, start, (data,), jac=True, method="BFGS")
    return result.x


@jax.jit
def optax_lbfgs(start, data):
    """The whole search is one compiled loop; it ends where the gradient is flat."""
    optimizer = optax.lbfgs()

    def unfinished(carry):
        count, grad = [optax.tree.get(carry[1], name) for name in ("count", "grad")]
        return (count == 0) | (count < 500) & (optax.tree.norm(grad) > 1e-5)

    def step(carry):
        params, state = carry

        def value(params):
            return loss(params, data)

        f, grad = optax.value_and_grad_from_state(value)(params, state=state)
        updates, state = optimizer.update(grad, state, params, value=f, grad=grad, value_fn=value)
        return optax.apply_updates(params, updates), state

    return jax.lax.while_loop(unfinished, step, (start, optimizer.init(start)))[0]


@jax.jit
def levenberg_marquardt(start, data):
    """Made for sums of squares: it needs the residuals, not only their sum."""
    solver = optimistix.LevenbergMarquardt(rtol=1e-8, atol=1e-8)
    return optimistix.least_squares(residuals, solver, start, data).value


def relative_errors(params, data):
    """Compute the standard errors of the fitted logarithms, (4,), which are relative errors.

    >>> params, time = jnp.log(jnp.array([0.6, 0.4, 0.7, 3.0])), jnp.linspace(0.0, 12.0, 200)
    >>> errors = jax.jit(relative_errors)(params, (time, time))  # the signal has no influence
    >>> bool(jnp.all((errors > 0.02) & (errors < 0.05)))
    True
    """
    jacobian = jax.jacfwd(residuals)(params, data)
    return jnp.sqrt(jnp.diag(jnp.linalg.inv(jacobian.T @ jacobian)))


def main():
    """Fit noisy data in three ways, print the parameters with their errors, and draw the fit."""
    with jax.enable_x64(True):
        truth = np.log(list(TRUTH.values()))
        time = np.linspace(0, 12, POINTS)
        noise = NOISE * np.random.default_rng(3).normal(size=POINTS)
        data = time, np.asarray(predict(truth, time)) + noise
        start = np.log(np.array(START))
        fits = {}
        for search in (scipy_bfgs, optax_lbfgs, levenberg_marquardt):
            params = fits[search.__name__] = np.asarray(search(start, data))
            lifetimes = " and ".join(f"{lifetime:.4f}" for lifetime in np.exp(params[2:]))
            print(f"{search.__name__:20} lifetimes {lifetimes} ns, loss {loss(params, data):.6f}")
            assert np.allclose(params, fits["scipy_bfgs"], atol=1e-4)
        errors = jax.jit(relative_errors)(params, data)
        for (name, true), value, error in zip(TRUTH.items(), np.exp(params), errors, strict=True):
            print(f"{name:16} {value:.3f} ± {value * error:.3f}, true {true}")
        fitted = predict(params, time)
    plt.plot(*data, ".", color="0.55", label="data")
    plt.plot(time, fitted, lw=2, label="fit")
    plt.xlabel("time / ns")
    plt.ylabel("signal")
    plt.legend()
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("optimization.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
