"""A small network whose parameters are a pytree: listed and trained leaf by leaf.

The parameters are a dictionary with a list of two layers and one scale. ``jax.tree`` functions
list their paths, shapes and sizes. Gradient descent fits sin(3 x + 1) in one ``jax.lax.scan``, and
the norm of the gradient of every leaf comes back as a tree of histories.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure

Params = dict[str, Any]


def make_params(key: jax.Array) -> Params:
    """Draw the parameters of a network with one input, 16 hidden units and one output.

    The arrays are of float32; the biases are 0, the scale is 1.

    >>> jax.tree.map(jnp.shape, make_params(jax.random.key(0)))["layers"][0]
    {'b': (16,), 'w': (1, 16)}
    """
    layers = []
    for k, shape in zip(jax.random.split(key), [(1, 16), (16, 1)], strict=True):
        w = jax.random.normal(k, shape) / np.sqrt(shape[0])
        layers.append({"w": w, "b": jnp.zeros(shape[1])})
    return {"layers": layers, "scale": jnp.ones(())}


def parameter_table(tree: Any) -> list[tuple[str, tuple[int, ...], int]]:
    """List for each leaf its path, written as Python code, its shape and its number of elements.

    >>> parameter_table({"b": jnp.zeros(3), "a": [jnp.zeros((2, 2))]})
    [("['a'][0]", (2, 2), 4), ("['b']", (3,), 3)]
    """
    rows = jax.tree.leaves_with_path(tree)
    return [(jax.tree_util.keystr(path), leaf.shape, leaf.size) for path, leaf in rows]


def predict(params: Params, x: jax.Array) -> jax.Array:
    """Evaluate the network for inputs of shape (n, 1)."""
    first, last = params["layers"]
    hidden = jnp.tanh(x @ first["w"] + first["b"])
    return params["scale"] * (hidden @ last["w"] + last["b"])  # type: ignore[no-any-return]


def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    """Give the mean squared error of the network, for x and y of shape (n, 1)."""
    return jnp.mean((predict(params, x) - y) ** 2)


def train(
    params: Params, x: jax.Array, y: jax.Array, rate: float, steps: int
) -> tuple[Params, Params]:
    """Train the network by gradient descent, for x and y of shape (n, 1).

    Returns:
        The parameters after the last step, and a tree of the same structure with the norm of the
        gradient of each leaf before each step, each of shape (steps,).

    >>> params = make_params(jax.random.key(0))
    >>> after, norms = train(params, jnp.ones((2, 1)), jnp.ones((2, 1)), 0.1, 3)
    >>> norms["layers"][1]["w"].shape, jax.tree.structure(after) == jax.tree.structure(params)
    ((3,), True)
    """

    def step(params: Params, _: None) -> tuple[Params, Params]:
        gradients = jax.grad(loss)(params, x, y)
        norms = jax.tree.map(lambda g: jnp.sqrt(jnp.sum(g**2)), gradients)
        return jax.tree.map(lambda p, g: p - rate * g, params, gradients), norms

    return jax.lax.scan(step, params, length=steps)


def draw(norms: Params) -> Figure:
    """Draw the norm of each leaf's gradient over the steps."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    ax = figure.subplots()
    ax.set_prop_cycle(color=["#b3430f", "#0b5fa5", "#2e7d32", "#7b3fa0", "0.4"])
    for path, norm in jax.tree.leaves_with_path(norms):
        ax.loglog(range(1, len(norm) + 1), norm, lw=2, label=jax.tree_util.keystr(path))
    ax.set_xlabel("$n$")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train the network, and print its leaves with the norms of their gradients."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--steps", type=whole_number(1, 100_000), default=1000, help=DEFAULT)
    add("--rate", type=real_number(1e-6, 100), default=0.02, help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the norms into FILE")
    options = parser.parse_args(arguments)

    x = jnp.linspace(-1, 1, 100)[:, None]
    y = jnp.sin(3 * x + 1)
    params = make_params(jax.random.key(0))
    jit_train = jax.jit(train, static_argnames="steps")
    trained, norms = jit_train(params, x, y, options.rate, options.steps)
    first, final = float(loss(params, x, y)), float(loss(trained, x, y))
    if not final <= first:  # NaN fails this comparison, too
        parser.error(f"--rate {options.rate:g} diverges: give a smaller one")
    if options.plot:
        save(draw(norms), options.plot, parser)
    table = parameter_table(params)
    print("leaf                shape    size  first gradient  last gradient")
    for (path, shape, size), norm in zip(table, jax.tree.leaves(norms), strict=True):
        print(f"{path:18}  {shape!s:7}  {size:4}        {norm[0]:.2e}       {norm[-1]:.2e}")
    print(f"all                          {sum(size for _, _, size in table):4}")
    print(f"loss  {first:.6f} before, {final:.6f} after {options.steps} steps")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
