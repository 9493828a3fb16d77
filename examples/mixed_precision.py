"""Training in 16 bits: what each format of parameters and computation does to a classifier.

A small network learns handwritten digits in float32, in mixed precision, and entirely in bfloat16.
Then it learns in float16 from tiny gradients, those of a 50,000th of the loss: without loss
scaling, with a fixed scale, and with a dynamic one. The table shows the loss over the training
data and the accuracy on digits that the network has not seen.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "optax", "scikit-learn"]
# ///

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

Params = list[tuple[jax.Array, jax.Array]]
Batches = tuple[jax.Array, jax.Array]

# The rows of the table: the dtype of the computation and that of the stored parameters...
FORMATS: dict[str, tuple[Any, Any]] = {
    "float32": (jnp.float32, jnp.float32),
    "mixed": (jnp.bfloat16, jnp.float32),
    "all bfloat16": (jnp.bfloat16, jnp.bfloat16),
}
# ... and, in float16, the first scale of the loss and the good steps before it is doubled.
SCALES = {"no scale": (1.0, 0), "fixed scale": (2.0**15, 0), "dynamic scale": (2.0**15, 10)}

optimizer = optax.adam(1e-3)
safe = optax.apply_if_finite(optax.adam(1e-3, eps=1e-15), max_consecutive_errors=100)


def new_params(seed: int, sizes: tuple[int, ...] = (64, 128, 128, 10)) -> Params:
    """Draw the weights of each layer, with biases of 0."""
    random = np.random.default_rng(seed)
    weights = [random.normal(0, (2 / m) ** 0.5, (m, n)) for m, n in pairwise(sizes)]
    return [(jnp.float32(w), jnp.zeros(w.shape[1])) for w in weights]


def predict(params: Params, x: jax.Array) -> jax.Array:
    """Compute ten logits for each row of x, in the dtype of the parameters and of x."""
    for w, b in params[:-1]:
        x = jax.nn.relu(x @ w + b)
    w, b = params[-1]
    return x @ w + b


def cast(tree: Any, dtype: Any) -> Any:
    """Convert all arrays of a pytree."""
    return jax.tree.map(lambda leaf: leaf.astype(dtype), tree)


def loss(params: Params, x: jax.Array, y: jax.Array, dtype: Any) -> jax.Array:
    """Average the cross-entropy of x, (n, 64), and classes y, (n,), with the network in a dtype.

    >>> w, x = jnp.ones((64, 10)), jnp.ones((1, 64))
    >>> gradient = jax.grad(loss)([(w, jnp.zeros(10))], x, jnp.array([3]), jnp.bfloat16)
    >>> gradient[0][0].dtype
    dtype('float32')
    """
    logits = predict(cast(params, dtype), cast(x, dtype))
    logits = cast(logits, jnp.float32)
    return optax.softmax_cross_entropy_with_integer_labels(logits, y).mean()  # type: ignore[no-any-return]


@partial(jax.jit, static_argnames="dtype")
def train(params: Params, batches: Batches, dtype: Any) -> Any:
    """Train with Adam, one step a batch; return parameters with Adam's state, and the losses."""

    def step(carry: Any, batch: Batches) -> Any:
        params, opt_state = carry
        value, grads = jax.value_and_grad(loss)(params, *batch, dtype)
        updates, opt_state = optimizer.update(grads, opt_state, params)
        return (optax.apply_updates(params, updates), opt_state), value

    opt_state = optimizer.init(cast(params, jnp.float32))
    return jax.lax.scan(step, (params, opt_state), batches)


def products(function: Callable[..., Any], *arguments: Any) -> Counter[str]:
    """Count the matrix products of a function by the dtype of their result.

    >>> a = jnp.ones((2, 2), jnp.bfloat16)
    >>> products(lambda a: (a @ a) * np.float32(2) @ a, a)
    Counter({'bf16': 1, 'f32': 1})
    """
    program = jax.jit(function).lower(*arguments).as_text()
    return Counter(re.findall(r"dot_general.*-> tensor<(?:\d+x)*(\w+)>", program))


@partial(jax.jit, static_argnames="dtype")
def scaled_grads(params: Params, x: jax.Array, y: jax.Array, dtype: Any, scale: jax.Array) -> Any:
    """Compute the gradients of a 50,000th of the loss, with the loss scaled on the way."""

    def scaled_loss(params: Params) -> jax.Array:
        return scale * (loss(params, x, y, dtype) / 50_000)

    return jax.tree.map(lambda g: g / scale, jax.grad(scaled_loss)(params))


def adjust(scaling: dict[str, Any], finite: jax.Array, patience: jax.Array) -> dict[str, Any]:
    """Halve the scale after gradients that are not finite, double it after good steps.

    Args:
        scaling: The ``scale`` in float32, and the number of ``good`` steps since it changed.
        finite: Whether all gradients of the step were finite.
        patience: The number of good steps before the scale is doubled; never if 0.

    Source:
        P. Micikevicius et al., Mixed Precision Training, https://arxiv.org/abs/1710.03740

    >>> scaling = {"scale": jnp.float32(8), "good": 0}
    >>> print(adjust(scaling, jnp.array(False), 2)["scale"])
    4.0
    >>> print(adjust(adjust(scaling, jnp.array(True), 2), jnp.array(True), 2)["scale"])
    16.0
    """
    good = jnp.where(finite, scaling["good"] + 1, 0)
    double = finite & (good == patience)
    factor = jnp.where(finite, jnp.where(double, 2.0, 1.0), 0.5)
    scale = jnp.clip(scaling["scale"] * factor, 1.0, 2.0**60)
    return {"scale": scale, "good": jnp.where(double, 0, good)}


@jax.jit
def train_scaled(params: Params, batches: Batches, scale: Any, patience: Any) -> Any:
    """Train in float16 with ``scaled_grads``; return the state at the end and all scales."""

    def step(carry: Any, batch: Batches) -> Any:
        params, opt_state, scaling = carry
        grads = scaled_grads(params, *batch, jnp.float16, scaling["scale"])
        updates, opt_state = safe.update(grads, opt_state, params)
        scaling = adjust(scaling, opt_state.last_finite, patience)
        return (optax.apply_updates(params, updates), opt_state, scaling), scaling["scale"]

    scaling = {"scale": jnp.float32(scale), "good": 0}
    return jax.lax.scan(step, (params, safe.init(params), scaling), batches)


def new_run(seed: int, x: jax.Array, y: jax.Array, steps: int = 300) -> tuple[Params, Batches]:
    """Draw parameters, and batches of 100 rows of x and y."""
    rows = np.random.default_rng([seed, 1]).integers(len(x), size=(steps, 100))
    return new_params(seed), (x[rows], y[rows])


def draw(losses: dict[str, np.ndarray]) -> Figure:
    """Draw the loss over the step, averaged over the seeds, for each format."""
    figure = Figure(figsize=(6, 3.2), layout="constrained")
    axes = figure.subplots()
    for name, curve in losses.items():
        axes.semilogy(curve, label=name)
    axes.set(xlabel="step", ylabel="loss")
    axes.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train in each way from several seeds and print the table."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--seeds", type=whole_number(1, 100), default=3, metavar="N", help=DEFAULT)
    add("--steps", type=whole_number(1, 10_000), default=300, metavar="N", help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the losses into FILE")
    options = parser.parse_args(arguments)

    pixels, classes = map(jnp.asarray, load_digits(return_X_y=True))
    pixels = cast(pixels / 16, jnp.float32)
    x, y, x_test, y_test = pixels[:1500], classes[:1500], pixels[1500:], classes[1500:]
    runs = [new_run(seed, x, y, options.steps) for seed in range(options.seeds)]

    @jax.jit
    def score(params: Params) -> jax.Array:
        hits = predict(cast(params, jnp.float32), x_test).argmax(axis=1) == y_test
        return jnp.array([loss(params, x, y, jnp.float32), hits.mean()])

    def report(name: str, results: list[Any]) -> None:
        value, accuracy = np.mean([score(result[0][0]) for result in results], axis=0)
        print(f"{name:14}{value:9.4f}{accuracy:9.1%}")

    print("                   loss accuracy")
    curves = {}
    for name, (dtype, stored) in FORMATS.items():
        results = [train(cast(params, stored), batches, dtype) for params, batches in runs]
        report(name, results)
        curves[name] = np.mean([result[1] for result in results], axis=0)
    for name, (scale, patience) in SCALES.items():
        report(name, [train_scaled(*run, scale, patience) for run in runs])
    if options.plot:
        save(draw(curves), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
