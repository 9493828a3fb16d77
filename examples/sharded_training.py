"""One network trained in data parallel, fully sharded and tensor parallel form.

A small classifier of handwritten digits is trained on eight simulated CPU devices, in each form
from the same parameters and with the same batches. The table shows the largest difference of the
losses from those of one device, the bytes that a device holds, and the numbers that the compiled
step delivers to it with each kind of collective. The code of the network and of the step is the
same for all forms; only the mesh and the placement of the parameters differ.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "optax", "scikit-learn"]
# ///

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import command_line, picture_file, save, whole_number
from jax import P
from matplotlib.figure import Figure
from sharding import simulate
from sklearn.datasets import load_digits

Params = dict[str, Any]
Batch = tuple[np.ndarray, np.ndarray]

DEVICES = 8
COLLECTIVE = r"= (\S.*?) (all-reduce|all-gather|reduce-scatter|all-to-all)(?:-start)?\("
spec: Any = P  # it has no types

# For each form the lengths of the mesh axes data and model, and the spec of each parameter.
WHOLE = {"w1": spec(), "b1": spec(), "w2": spec(), "b2": spec()}
FORMS = {
    "data": ((DEVICES, 1), WHOLE),
    "fsdp": ((DEVICES, 1), WHOLE | {"w1": spec("data"), "w2": spec("data")}),
    "tensor": (
        (1, DEVICES),
        WHOLE | {"w1": spec(None, "model"), "b1": spec("model"), "w2": spec("model")},
    ),
}


def new_params() -> Params:
    """Draw the parameters of a network with one hidden layer, 64 inputs and 10 outputs.

    >>> {name: value.shape for name, value in new_params().items()}
    {'w1': (64, 512), 'b1': (512,), 'w2': (512, 10), 'b2': (10,)}
    """
    random = np.random.default_rng(0)
    w1 = random.normal(size=(64, 512)) / 64**0.5
    w2 = random.normal(size=(512, 10)) / 512**0.5
    params = {"w1": w1, "b1": np.zeros(512), "w2": w2, "b2": np.zeros(10)}
    return {name: value.astype("float32") for name, value in params.items()}


def predict(params: Params, x: jax.Array) -> jax.Array:
    """Give ten scores for each row of x, cut along the axis ``data`` of the current mesh."""
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return jnp.matmul(hidden, params["w2"], out_sharding=P("data")) + params["b2"]  # type: ignore[no-any-return, no-untyped-call]


def loss(params: Params, x: jax.Array, y: jax.Array) -> jax.Array:
    """Average the cross-entropy over the examples; y is one-hot."""
    return optax.softmax_cross_entropy(predict(params, x), y).mean()  # type: ignore[no-any-return]


optimizer = optax.adam(1e-3)


@jax.jit
def train_step(
    params: Params, state: Any, x: jax.Array, y: jax.Array
) -> tuple[Params, Any, jax.Array]:
    """Take one step of Adam; return the parameters, Adam's averages and the loss before it."""
    value, gradient = jax.value_and_grad(loss)(params, x, y)
    updates, state = optimizer.update(gradient, state)
    return optax.apply_updates(params, updates), state, value


def train(mesh: jax.sharding.Mesh, specs: Params, batches: Sequence[Batch]) -> tuple[Any, ...]:
    """Train new parameters, one step for each batch.

    Args:
        mesh: Devices with the axes ``data`` and ``model``.
        specs: A PartitionSpec for each parameter.
        batches: Inputs (n, 64) and one-hot targets (n, 10), n a multiple of the length of
            ``data``.

    Returns:
        The parameters, Adam's averages, and the losses as floats.

    >>> one = jax.make_mesh((1, 1), ("data", "model"), devices=jax.devices()[:1])
    >>> batch = np.ones((2, 64), np.float32), np.eye(2, 10, dtype=np.float32)
    >>> params, state, losses = train(one, WHOLE, [batch] * 3)
    >>> losses[0] > losses[1] > losses[2], held(state) == 2 * held(params) + 4
    (True, True)
    >>> exchanged(one, params, state, batch)
    {}
    """
    losses = []
    with jax.set_mesh(mesh):
        params = jax.tree.map(jax.device_put, new_params(), specs)
        state = jax.jit(optimizer.init)(params)
        for batch in batches:
            x, y = jax.device_put(batch, P("data"))  # type: ignore[no-untyped-call]
            params, state, value = train_step(params, state, x, y)
            losses.append(float(value))
    return params, state, losses


def held(tree: Any) -> int:
    """Add up the bytes of a pytree's pieces on the first of its devices."""
    pieces = [leaf.addressable_shards[0].data for leaf in jax.tree.leaves(tree)]
    return sum(piece.nbytes for piece in pieces)


def exchanged(mesh: jax.sharding.Mesh, params: Params, state: Any, batch: Batch) -> dict[str, int]:
    """Count the numbers that each kind of collective delivers to a device in one step.

    Source:
        The names are those of XLA, https://openxla.org/xla/operation_semantics
    """
    with jax.set_mesh(mesh):
        arguments = params, state, *jax.device_put(batch, P("data"))  # type: ignore[no-untyped-call]
        program = train_step.lower(*arguments).compile().as_text()
    counts = Counter()  # type: ignore[var-annotated]
    for shapes, kind in re.findall(COLLECTIVE, program):  # type: ignore[arg-type]
        for sizes in re.findall(r"\[([\d,]*)\]", shapes):
            counts[kind] += math.prod(map(int, filter(None, sizes.split(","))))
    return dict(counts)


def draw(memory: dict[str, tuple[int, int]]) -> Figure:
    """Draw the bytes of the parameters and of Adam's averages on a device, for each form."""
    figure = Figure(figsize=(5, 3.2), layout="constrained")
    ax = figure.subplots()
    parameters, averages = zip(*memory.values(), strict=True)
    ax.bar(list(memory), parameters, color="#0b5fa5", label="parameters")
    ax.bar(list(memory), averages, bottom=parameters, color="#b3430f", label="averages")
    ax.set_ylabel("bytes on a device")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Train in the chosen forms and print the table."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    forms = f"any of {', '.join(FORMS)}; default: all"
    add("--forms", nargs="+", choices=list(FORMS), default=list(FORMS), metavar="FORM", help=forms)
    add("--steps", type=whole_number(1, 10_000), default=30, help="default: %(default)s")
    batch_help = "examples in a batch, a multiple of 8; default: %(default)s"
    add("--batch", type=whole_number(8, 1792), default=256, metavar="N", help=batch_help)
    add("--plot", type=picture_file, metavar="FILE", help="draw the bytes on a device into FILE")
    options = parser.parse_args(arguments)
    if options.batch % DEVICES:
        parser.error(f"--batch {options.batch}: give a multiple of {DEVICES}")
    if not simulate(DEVICES):
        parser.error(f"JAX has started with {len(jax.devices())} devices: use a new process")

    images, labels = load_digits(return_X_y=True)
    images, targets = images.astype("float32") / 16, np.eye(10, dtype="float32")[labels]
    starts = range(0, len(images) - options.batch + 1, options.batch)
    parts = [slice(start, start + options.batch) for start in starts]
    order = [parts[step % len(parts)] for step in range(options.steps)]
    batches = [(images[part], targets[part]) for part in order]

    one = jax.make_mesh((1, 1), ("data", "model"), devices=jax.devices()[:1])
    expected = np.array(train(one, WHOLE, batches)[2])
    print(f"one device: loss {expected[0]:.3f} to {expected[-1]:.3f} in {len(expected)} steps")
    print("form    difference  parameters  averages  numbers exchanged in a step")
    memory = {}
    for form in options.forms:
        lengths, specs = FORMS[form]
        mesh = jax.make_mesh(lengths, ("data", "model"))
        params, state, losses = train(mesh, specs, batches)
        memory[form] = held(params), held(state)
        apart = abs(np.array(losses) - expected).max()
        counts = exchanged(mesh, params, state, batches[0])
        print(f"{form:8}{apart:10.0e}{memory[form][0]:12}{memory[form][1]:10}  {counts}")
    if options.plot:
        save(draw(memory), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
