"""The posterior of a spring's stiffness, from three samplers that are checked against a formula.

A spring is stretched by known masses, and its length is measured with a known error. A random walk
and Hamiltonian Monte Carlo, both by hand, and NumPyro's NUTS draw its length at rest and its
stretch. You will see their samples around the exact ellipse, and how far their means are from the
formula in units of the error that the effective sample size predicts.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib", "numpyro"]
# ///

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import numpyro
import numpyro.distributions as dist
from jax.scipy.stats import norm
from numpyro.diagnostics import effective_sample_size, split_gelman_rubin
from numpyro.infer import MCMC, NUTS

DRAWS, CHAINS = 1000, 4  # the random walk draws ten times as many
ERROR = 0.2  # of a measured length, in cm

mass = np.array([0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0])  # kg
length = np.array([19.6, 21.6, 24.3, 26.4, 29.3, 31.9, 34.0, 36.6])  # cm
prior_mean, prior_std = np.array([12.2, 25.0]), np.array([0.2, 2.0])  # cm, cm/kg


def log_density(params):
    """Add up the logarithms of prior and likelihood of a length at rest and a stretch, (2,).

    >>> bool(log_density(jnp.array([12.1, 24.4])) > log_density(jnp.array([12.5, 24.4])))
    True
    """
    rest, stretch = params
    prior = norm.logpdf(params, prior_mean, prior_std).sum()
    return prior + norm.logpdf(length, rest + stretch * mass, ERROR).sum()


def formula():
    """Return the exact mean, (2,), and covariance, (2, 2), of the posterior."""
    design = np.stack([np.ones(len(mass)), mass], axis=1)
    covariance = np.linalg.inv(np.diag(prior_std**-2) + design.T @ design / ERROR**2)
    return covariance @ (prior_mean / prior_std**2 + design.T @ length / ERROR**2), covariance


def random_walk(key, log_density, start, draws, size):
    """Draw samples, (draws, n), by the Metropolis algorithm, from a start of shape (n,).

    >>> bell = lambda x: -jnp.sum(x**2) / 2
    >>> chain = random_walk(jax.random.key(0), bell, jnp.zeros(1), 5000, 2.0)
    >>> chain.shape, bool(abs(chain.mean()) < 0.2), bool(abs(chain.std() - 1) < 0.2)
    ((5000, 1), True, True)
    """

    def step(carry, key):
        params, value = carry
        key_move, key_accept = jax.random.split(key)
        proposal = params + size * jax.random.normal(key_move, params.shape)
        new = log_density(proposal)
        accept = jnp.log(jax.random.uniform(key_accept)) < new - value
        carry = jnp.where(accept, proposal, params), jnp.where(accept, new, value)
        return carry, carry[0]

    return jax.lax.scan(step, (start, log_density(start)), jax.random.split(key, draws))[1]


def hmc(key, log_density, start, draws, size, leaps):
    """Draw samples, (draws, n), by Hamiltonian Monte Carlo, from a start of shape (n,).

    Each sample takes some leapfrog steps of this size.

    >>> bell = lambda x: -jnp.sum(x**2) / 2
    >>> chain = hmc(jax.random.key(0), bell, jnp.zeros(1), 1000, 0.5, 3)
    >>> chain.shape, bool(abs(chain.mean()) < 0.2), bool(abs(chain.std() - 1) < 0.2)
    ((1000, 1), True, True)
    """
    gradient = jax.grad(log_density)

    def leap(_, state):
        params, momentum, force = state
        momentum = momentum + size / 2 * force
        params = params + size * momentum
        force = gradient(params)
        return params, momentum + size / 2 * force, force

    def step(params, key):
        key_momentum, key_accept = jax.random.split(key)
        momentum = jax.random.normal(key_momentum, params.shape)
        state = params, momentum, gradient(params)
        proposal, end, _ = jax.lax.fori_loop(0, leaps, leap, state)
        gain = log_density(proposal) - log_density(params)
        gain += jnp.sum(momentum**2 - end**2) / 2  # minus the change of the energy
        accept = jnp.log(jax.random.uniform(key_accept)) < gain
        params = jnp.where(accept, proposal, params)
        return params, params

    return jax.lax.scan(step, start, jax.random.split(key, draws))[1]


def by_hand(sampler, draws, *options):
    """Draw chains, each from a draw from the prior, and discard a fifth: (4, 0.8 draws, 2)."""
    key_start, key_chains = jax.random.split(jax.random.key(0))
    starts = prior_mean + prior_std * jax.random.normal(key_start, (CHAINS, 2))
    chains = jax.vmap(lambda key, start: sampler(key, log_density, start, draws, *options))
    return np.asarray(jax.jit(chains)(jax.random.split(key_chains, CHAINS), starts))[
        :, draws // 5 :
    ]


def spring(mass, length=None):
    """The same model for NumPyro; without lengths, they are drawn as well."""
    rest = numpyro.sample("rest", dist.Normal(prior_mean[0], prior_std[0]))
    stretch = numpyro.sample("stretch", dist.Normal(prior_mean[1], prior_std[1]))
    numpyro.sample("length", dist.Normal(rest + stretch * mass, ERROR), obs=length)


def nuts(draws):
    """Draw chains with NumPyro: (4, draws, 2)."""
    chains = {"num_chains": CHAINS, "chain_method": "vectorized", "progress_bar": False}
    mcmc = MCMC(NUTS(spring, dense_mass=True), num_warmup=500, num_samples=draws, **chains)
    mcmc.run(jax.random.key(0), mass, length)
    samples = mcmc.get_samples(group_by_chain=True)
    return np.stack([samples["rest"], samples["stretch"]], axis=-1)


def main():
    """Print mean, error, effective sample size and R-hat of each sampler, and draw the samples."""
    mean, covariance = formula()
    std = np.sqrt(np.diag(covariance))
    chains = {
        "random walk": by_hand(random_walk, 10 * DRAWS, 0.1),
        "HMC": by_hand(hmc, DRAWS, 0.08, 5),
        "NUTS": nuts(DRAWS),
    }
    angle = np.linspace(0, 2 * np.pi, 100)
    circle = np.stack([np.cos(angle), np.sin(angle)])
    ellipse = mean[:, None] + 2 * np.linalg.cholesky(covariance) @ circle
    print("sampler        rest  stretch  error / expected   n_eff  r_hat")
    print(f"{'formula':12}{mean[0]:7.2f}{mean[1]:9.2f}")
    _, panels = plt.subplots(1, 3, sharey=True, figsize=(9, 3), layout="constrained")
    for ax, (name, samples) in zip(panels, chains.items(), strict=True):
        n_eff, center = effective_sample_size(samples), samples.mean((0, 1))
        ratio = np.abs((center - mean) / std * np.sqrt(n_eff)).max()
        worst = split_gelman_rubin(samples).max()
        print(f"{name:12}{center[0]:7.2f}{center[1]:9.2f}", end="")
        print(f"{ratio:18.1f}{n_eff.min():8.0f}{worst:7.3f}")
        ax.plot(*samples[:, :500].reshape(-1, 2).T, ".", ms=2, alpha=0.4)
        ax.plot(*ellipse, color="#b3430f")
        ax.set(title=name, xlabel="rest / cm")
    panels[0].set_ylabel("stretch / (cm/kg)")
    stiffness = 981 / chains["NUTS"][..., 1]
    print(f"stiffness {stiffness.mean():.1f} ± {stiffness.std():.1f} N/m")
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("bayes.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
