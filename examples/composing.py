"""Hundreds of training runs in one compiled program: jit, vmap, scan and grad around each other.

A small network learns a curve from 50 points with a gap. Its training, one scan around a gradient,
is written for one network and one learning rate. ``jax.vmap`` makes an ensemble of it, and trains
every network with every learning rate. ``jax.grad`` around the training measures how much each
label moves the prediction in the gap.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

Number = float | jax.Array
Params = dict[str, jax.Array]
Gradient = Callable[[Params, jax.Array, jax.Array], Params]

PLACE = 0.2  # in the gap of the data


def truth(x: np.ndarray) -> np.ndarray:
    """Evaluate the curve that the networks learn, in float64."""
    return np.sin(3 * x)  # type: ignore[no-any-return]


def make_data() -> tuple[jax.Array, jax.Array]:
    """Make 50 points of the curve with noise of 0.1 and a gap."""
    x = np.concatenate([np.linspace(-1, -0.1, 30), np.linspace(0.5, 1, 20)])
    y = truth(x) + 0.1 * np.random.default_rng(0).normal(size=50)
    return jnp.array(x), jnp.array(y)


def start(key: jax.Array) -> Params:
    """Draw a network: weights and offsets of 16 hidden units, and weights of the output."""
    a, b, c = jax.random.normal(key, (3, 16))
    return {"a": 3 * a, "b": b, "c": c / 4}


def predict(params: Params, x: jax.typing.ArrayLike) -> jax.Array:
    """Evaluate one network at one place x, shape ()."""
    return jnp.dot(params["c"], jnp.tanh(params["a"] * x + params["b"]))


def squared_error(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    """Square the difference between a prediction and a label, shape ()."""
    return (predict(params, x) - y) ** 2


def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    """Average the squared error over all examples."""
    return jnp.mean(jax.vmap(squared_error, in_axes=(None, 0, 0))(params, x, y))


mean_gradient = jax.grad(loss)


def train(
    key: jax.Array, rate: Number, x: jax.Array, y: jax.Array, gradient: Gradient = mean_gradient
) -> tuple[Params, jax.Array]:
    """Train one network at n places x with labels y, by 500 steps of gradient descent.

    Returns:
        The trained parameters, and the loss before each step, shape (500,). A rate that is too
        large ends in NaN.

    >>> x, y = make_data()
    >>> params, losses = train(jax.random.key(0), 0.1, x, y)
    >>> losses.shape, bool(losses[-1] < losses[0] / 5)
    ((500,), True)
    """

    def step(params: Params, _: None) -> tuple[Params, jax.Array]:
        slope = gradient(params, x, y)
        new = jax.tree.map(lambda p, g: p - rate * g, params, slope)
        return new, loss(params, x, y)

    return jax.lax.scan(step, start(key), length=500)


def everywhere(networks: Params, places: jax.typing.ArrayLike) -> jax.Array:
    """Evaluate each of k networks at each of n places, shape (k, n)."""
    at_all = jax.vmap(predict, in_axes=(None, 0))
    return jax.jit(jax.vmap(at_all, in_axes=(0, None)))(networks, places)  # type: ignore[no-any-return]


def draw(
    x: jax.Array, y: jax.Array, networks: Params, rates: np.ndarray, final: np.ndarray
) -> Figure:
    """Draw the ensemble, and below it the final loss over the learning rate, a line a network."""
    figure = Figure(figsize=(6, 6), layout="constrained")
    above, below = figure.subplots(2)
    grid = np.linspace(-1, 1, 101)
    above.plot(grid, everywhere(networks, grid).T, color="#0b5fa5", lw=1)
    above.plot(x, y, "o", color="#b3430f", ms=4)
    above.plot(grid, truth(grid), "--", color="0.4", lw=2, zorder=3)
    above.set(xlabel="$x$", ylabel="$y$")
    below.loglog(rates, final.T, color="#0b5fa5", lw=1)
    # A loss on its way to infinity would hide the others.
    below.set(xlabel="$r$", ylabel="$L$", xlim=(1e-3, 1), ylim=(None, 3 * np.nanmax(final[:, 0])))
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train every network with every rate, and describe the ensemble of the best rate."""
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--networks", type=whole_number(2, 100), default=10, help=DEFAULT)
    add("--rates", type=whole_number(2, 100), default=60, help=f"from 0.001 to 1; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw ensemble and losses into FILE")
    options = parser.parse_args(arguments)

    x, y = make_data()
    keys = jax.random.split(jax.random.key(0), options.networks)
    rates = np.geomspace(0.001, 1, options.rates)

    def final_loss(key: jax.Array, rate: jax.Array) -> jax.Array:
        return train(key, rate, x, y)[1][-1]

    over_rates = jax.vmap(final_loss, in_axes=(None, 0))
    final = np.asarray(jax.jit(jax.vmap(over_rates, in_axes=(0, None)))(keys, rates))
    mean = np.where(np.isfinite(final), final, np.inf).mean(axis=0)
    best = float(rates[np.argmin(mean)])

    def prediction(y: jax.Array, key: jax.Array) -> tuple[jax.Array, Params]:
        params, _ = train(key, best, x, y)
        return predict(params, PLACE), params

    by_label = jax.jit(jax.vmap(jax.grad(prediction, has_aux=True), in_axes=(None, 0)))
    influence, networks = by_label(y, keys)
    most = np.asarray(x)[np.argsort(-np.abs(influence.mean(axis=0)))[:2]]
    if options.plot:
        save(draw(x, y, networks, rates, final), options.plot, parser)

    at_data = everywhere(networks, x)
    distance = np.sqrt(np.mean((at_data - truth(np.asarray(x))) ** 2))
    gap = everywhere(networks, np.linspace(0.1, 0.3, 21)).std(axis=0).mean()
    finite = np.isfinite(final).sum()
    size = f"{options.networks} networks x {options.rates} rates"
    print(f"training runs    {size}, {finite} of them finite")
    print(f"best rate        {best:.3g}, mean final loss {mean.min():.4f}")
    print(f"distance         {distance:.3f} from the true curve at the data")
    print(f"spread           {at_data.std(axis=0).mean():.3f} at the data, {gap:.3f} in the gap")
    print(f"influence        most at x = {most[0]:.2f} and {most[1]:.2f}, on x = {PLACE}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
