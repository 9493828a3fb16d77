"""The posterior of a spring's stiffness, from three samplers that are checked against a formula.

A spring is stretched by known masses, and its length is measured with a known error. A random walk
and Hamiltonian Monte Carlo, both by hand, and NumPyro's NUTS draw from the posterior of its length
at rest and of its stretch. The table shows how far their means are from the formula, in units of
the error that the effective sample size predicts.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "numpyro"]
# ///

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import numpyro  # type: ignore[import-untyped]
import numpyro.distributions as dist  # type: ignore[import-untyped]
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from jax.scipy.stats import norm
from matplotlib.figure import Figure
from numpyro.diagnostics import effective_sample_size, split_gelman_rubin  # type: ignore[import-untyped]
from numpyro.infer import MCMC, NUTS  # type: ignore[import-untyped]

LogDensity = Callable[[Any], Any]

mass = np.array([0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])  # kg
length = np.array([19.6, 21.6, 24.3, 26.4, 29.3, 31.9, 34.0, 36.6])  # cm
prior_mean, prior_std = np.array([12.2, 25.0]), np.array([0.2, 2.0])  # cm, cm/kg


def log_density(params: jax.Array) -> jax.Array:
    """Add up the logarithms of prior and likelihood of a length at rest and a stretch, (2,).

    >>> bool(log_density(jnp.array([12.1, 24.4])) > log_density(jnp.array([12.5, 24.4])))
    True
    """
    rest, stretch = params
    prior = norm.logpdf(params, prior_mean, prior_std).sum()
    likelihood = norm.logpdf(length, rest + stretch * mass, 0.2).sum()
    return prior + likelihood


def formula() -> tuple[np.ndarray, np.ndarray]:
    """Return the exact mean, (2,), and covariance, (2, 2), of the posterior."""
    design = np.stack([np.ones(len(mass)), mass], axis=1)
    covariance = np.linalg.inv(np.diag(prior_std**-2) + design.T @ design / 0.2**2)
    return covariance @ (prior_mean / prior_std**2 + design.T @ length / 0.2**2), covariance


def random_walk(
    key: jax.Array, log_density: LogDensity, start: jax.Array, draws: int, size: float
) -> jax.Array:
    """Draw samples, (draws, n), by the Metropolis algorithm, from a start of shape (n,).

    ``size`` is the standard deviation of a proposed move.

    >>> bell = lambda x: -jnp.sum(x**2) / 2
    >>> chain = random_walk(jax.random.key(0), bell, jnp.zeros(1), 5000, 2.0)
    >>> chain.shape, bool(abs(chain.mean()) < 0.2), bool(abs(chain.std() - 1) < 0.2)
    ((5000, 1), True, True)
    """

    def step(carry: Any, key: jax.Array) -> Any:
        params, value = carry
        key_move, key_accept = jax.random.split(key)
        proposal = params + size * jax.random.normal(key_move, params.shape)
        new = log_density(proposal)
        accept = jnp.log(jax.random.uniform(key_accept)) < new - value
        carry = jnp.where(accept, proposal, params), jnp.where(accept, new, value)
        return carry, carry[0]

    keys = jax.random.split(key, draws)
    return jax.lax.scan(step, (start, log_density(start)), keys)[1]  # type: ignore[no-any-return]


def hmc(
    key: jax.Array, log_density: LogDensity, start: jax.Array, draws: int, size: float, leaps: int
) -> jax.Array:
    """Draw samples, (draws, n), by Hamiltonian Monte Carlo, from a start of shape (n,).

    Each sample takes ``leaps`` leapfrog steps of length ``size``.

    >>> bell = lambda x: -jnp.sum(x**2) / 2
    >>> chain = hmc(jax.random.key(0), bell, jnp.zeros(1), 1000, 0.5, 3)
    >>> chain.shape, bool(abs(chain.mean()) < 0.2), bool(abs(chain.std() - 1) < 0.2)
    ((1000, 1), True, True)
    """
    gradient = jax.grad(log_density)

    def leap(_: Any, state: Any) -> Any:
        params, momentum, force = state
        momentum = momentum + size / 2 * force
        params = params + size * momentum
        force = gradient(params)
        return params, momentum + size / 2 * force, force

    def step(params: jax.Array, key: jax.Array) -> Any:
        key_momentum, key_accept = jax.random.split(key)
        momentum = jax.random.normal(key_momentum, params.shape)
        state = params, momentum, gradient(params)
        proposal, end, _ = jax.lax.fori_loop(0, leaps, leap, state)
        gain = log_density(proposal) - log_density(params)
        gain += jnp.sum(momentum**2 - end**2) / 2  # minus the change of the energy
        accept = jnp.log(jax.random.uniform(key_accept)) < gain
        params = jnp.where(accept, proposal, params)
        return params, params

    return jax.lax.scan(step, start, jax.random.split(key, draws))[1]  # type: ignore[no-any-return]


def line(mass: np.ndarray, length: np.ndarray | None = None) -> None:
    """The model of the spring for NumPyro; without lengths, they are drawn as well."""
    rest = numpyro.sample("rest", dist.Normal(12.2, 0.2))
    stretch = numpyro.sample("stretch", dist.Normal(25, 2))
    numpyro.sample("length", dist.Normal(rest + stretch * mass, 0.2), obs=length)


def nuts(draws: int, seed: int) -> np.ndarray:
    """Draw four chains with NumPyro, (4, draws, 2)."""
    chains = {"num_chains": 4, "chain_method": "vectorized", "progress_bar": False}
    mcmc = MCMC(NUTS(line, dense_mass=True), num_warmup=500, num_samples=draws, **chains)
    mcmc.run(jax.random.key(seed), mass, length)
    samples = mcmc.get_samples(group_by_chain=True)
    return np.stack([samples["rest"], samples["stretch"]], axis=-1)


def by_hand(sampler: Callable[..., jax.Array], seed: int, draws: int, *options: Any) -> np.ndarray:
    """Draw four chains, each from a draw from the prior, and discard a fifth: (4, 0.8 draws, 2)."""
    key_start, key_chains = jax.random.split(jax.random.key(seed))
    starts = prior_mean + prior_std * jax.random.normal(key_start, (4, 2))
    chains = jax.vmap(lambda key, start: sampler(key, log_density, start, draws, *options))
    return np.asarray(jax.jit(chains)(jax.random.split(key_chains, 4), starts))[:, draws // 5 :]


def draw(chains: dict[str, np.ndarray]) -> Figure:
    """Draw the samples of each sampler, with the exact ellipse of two standard deviations."""
    mean, covariance = formula()
    angle = np.linspace(0, 2 * np.pi, 100)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    figure = Figure(figsize=(8, 3), layout="constrained")
    for ax, (name, samples) in zip(figure.subplots(1, 3, sharey=True), chains.items(), strict=True):
        ax.plot(*samples[:, :500].reshape(-1, 2).T, ".", ms=2, color="#0b5fa5", alpha=0.4)
        ax.plot(*(mean[:, None] + 2 * np.linalg.cholesky(covariance) @ circle), color="#b3430f")
        ax.set(title=name, xlabel="rest / cm", ylabel="stretch / (cm/kg)")
        ax.label_outer()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print mean, error, effective sample size and R-hat of each sampler."""
    parser = command_line(__doc__)
    add = parser.add_argument
    drawn = f"samples of each chain; the random walk draws ten times as many; {DEFAULT}"
    add("--draws", type=whole_number(100, 20_000), default=1000, metavar="N", help=drawn)
    add("--seed", type=whole_number(0, 10_000), default=0, metavar="N", help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the samples into FILE")
    options = parser.parse_args(arguments)

    mean, covariance = formula()
    std = np.sqrt(np.diag(covariance))
    chains = {
        "random walk": by_hand(random_walk, options.seed, 10 * options.draws, 0.1),
        "hmc": by_hand(hmc, options.seed, options.draws, 0.08, 5),
        "nuts": nuts(options.draws, options.seed),
    }
    print("sampler        rest  stretch  error / expected   n_eff  r_hat")
    print(f"{'formula':12}{mean[0]:7.2f}{mean[1]:9.2f}")
    for name, samples in chains.items():
        n_eff, center = effective_sample_size(samples), samples.mean((0, 1))
        ratio = np.abs((center - mean) / std * np.sqrt(n_eff)).max()
        worst = split_gelman_rubin(samples).max()
        print(f"{name:12}{center[0]:7.2f}{center[1]:9.2f}", end="")
        print(f"{ratio:18.1f}{n_eff.min():8.0f}{worst:7.3f}")
    stiffness = 981 / chains["nuts"][..., 1]
    print(f"stiffness {stiffness.mean():.1f} ± {stiffness.std():.1f} N/m")
    if options.plot:
        save(draw(chains), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
