"""How much memory the gradient of a deep network needs, with and without jax.checkpoint.

Reverse mode keeps values of every layer for the backward pass. ``jax.checkpoint`` keeps less and
computes it again. This script compiles the gradient of a network in four ways and prints the memory
of its temporary arrays. Nothing is run, so a network may be measured that would not fit.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import functools
import math
from collections.abc import Callable, Sequence

import jax
import jax.numpy as jnp
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

Layer = Callable[[jax.Array, jax.Array], jax.Array]
Network = Callable[[jax.Array, jax.Array], jax.Array]


def layer(x: jax.Array, w: jax.Array) -> jax.Array:
    """Apply one layer with a skip connection to x (batch, width), with w (width, width)."""
    return x + jax.nn.gelu(x @ w) / 8


def through(layer: Layer, x: jax.Array, weights: jax.Array) -> jax.Array:
    """Apply a layer many times, in one scan.

    The layer takes x and its own weights, and returns the next x. The weights of all layers are
    stacked: they have shape (depth, width, width).

    >>> float(through(lambda x, w: x + w, jnp.zeros(()), jnp.arange(4.0)))
    6.0
    """
    return jax.lax.scan(lambda x, w: (layer(x, w), None), x, weights)[0]


def segments(x: jax.Array, weights: jax.Array) -> jax.Array:
    """Apply ``layer`` many times, with checkpoints around segments and around layers.

    Source:
        Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016: the square root.

    >>> x, weights = jnp.ones((5, 3)), jnp.ones((4, 3, 3))
    >>> bool(jnp.allclose(segments(x, weights), through(layer, x, weights)))
    True
    """
    side = round(len(weights) ** 0.5)
    segment = jax.checkpoint(functools.partial(through, jax.checkpoint(layer)))
    return through(segment, x, weights.reshape(side, side, *weights.shape[1:]))


dots_saveable = jax.checkpoint(layer, policy=jax.checkpoint_policies.dots_saveable)
NETWORKS: dict[str, Network] = {
    "layer": functools.partial(through, layer),
    "dots_saveable": functools.partial(through, dots_saveable),
    "checkpoint": functools.partial(through, jax.checkpoint(layer)),
    "segments": segments,
}


def measure(network: Network, depth: int, batch: int, width: int) -> tuple[int, int]:
    """Compile the gradient of a network of inputs (batch, width) and weights, without a run.

    Returns:
        The memory of temporary arrays in bytes, and the number of matrix products for each
        layer in the forward and backward pass.

    >>> plain, products = measure(NETWORKS["layer"], 64, 256, 8)
    >>> less, more_products = measure(NETWORKS["checkpoint"], 64, 256, 8)
    >>> less < plain / 2, products, more_products
    (True, 3, 4)
    """
    x = jax.ShapeDtypeStruct((batch, width), jnp.float32)  # type: ignore[no-untyped-call]
    shape = (depth, width, width)
    weights = jax.ShapeDtypeStruct(shape, jnp.float32)  # type: ignore[no-untyped-call]

    def loss(weights: jax.Array, x: jax.Array) -> jax.Array:
        return jnp.sum(network(x, weights) ** 2)

    compiled = jax.jit(jax.grad(loss)).lower(weights, x).compile()
    # A scan contains its body once, so these are products for each layer.
    products = str(jax.make_jaxpr(jax.grad(loss))(weights, x)).count("dot_general[")
    memory = compiled.memory_analysis()
    assert memory is not None  # every backend of JAX 0.10 or newer reports it
    return memory.temp_size_in_bytes, products


def draw(depth: int, batch: int, width: int) -> Figure:
    """Draw the memory of the four ways, for the powers of four up to the depth."""
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    depths = [4**n for n in range(1, 7) if 4**n <= depth]
    ax.set_prop_cycle(color=["#b3430f", "0.4", "#0b5fa5", "#2e7d32"])
    for (name, network), marker in zip(NETWORKS.items(), "sDo^", strict=True):
        memory = [measure(network, layers, batch, width)[0] / 1e6 for layers in depths]
        ax.loglog(depths, memory, f"{marker}-", lw=2, label=name)
    ax.set_xscale("log", base=2)
    ax.set(xlabel="$d$", ylabel="MB")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the memory and the matrix products of the gradient, in four ways.

    >>> main(["--depth", "16", "--batch", "64", "--width", "8"])  # doctest: +ELLIPSIS
    layer          ... MB   3 products a layer
    dots_saveable  ... MB   3 products a layer
    checkpoint     ... MB   4 products a layer
    segments       ... MB   5 products a layer
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    add("--depth", type=whole_number(4, 4096), default=64, help=f"a square number; {DEFAULT}")
    add("--batch", type=whole_number(1, 1_000_000), default=4096, help=DEFAULT)
    add("--width", type=whole_number(1, 16384), default=256, help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw memory over depth into FILE")
    options = parser.parse_args(arguments)
    side = math.isqrt(options.depth)
    if side**2 != options.depth:
        parser.error(f"--depth {options.depth}: give a square number, such as {side**2}")

    shape = options.batch, options.width
    needs = {name: measure(network, options.depth, *shape) for name, network in NETWORKS.items()}
    if options.plot:
        save(draw(options.depth, *shape), options.plot, parser)
    for name, (memory, products) in needs.items():
        print(f"{name:<13}{memory / 1e6:12,.1f} MB   {products} products a layer")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
