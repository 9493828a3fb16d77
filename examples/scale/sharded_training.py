"""One network trained in data parallel, fully sharded and tensor parallel form.

The code of the network and of the step is the same for all forms; only the mesh and the placement
of the parameters differ. You will see, on eight simulated CPU devices, that the losses agree, how
many bytes a device holds, and what the compiled step exchanges in each form.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib", "optax", "scikit-learn"]
# ///

import math
import re
from collections import Counter
from functools import partial

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np
import optax
from jax import P
from sklearn.datasets import load_digits

DEVICES, STEPS, BATCH = 8, 30, 256
COLLECTIVE = r"= (\S.*?) (all-reduce|all-gather|reduce-scatter|all-to-all)(?:-start)?\("

# For each form the lengths of the mesh axes data and model, and where each parameter is cut.
WHOLE = {"w1": P(), "b1": P(), "w2": P(), "b2": P()}
FORMS = {
    "data": ((DEVICES, 1), WHOLE),
    "fsdp": ((DEVICES, 1), WHOLE | {"w1": P("data"), "w2": P("data")}),
    "tensor": ((1, DEVICES), WHOLE | {"w1": P(None, "model"), "b1": P("model"), "w2": P("model")}),
}


def new_params():
    """Draw the parameters of a network with one hidden layer, 64 inputs and 10 outputs.

    >>> {name: value.shape for name, value in new_params().items()}
    {'w1': (64, 512), 'b1': (512,), 'w2': (512, 10), 'b2': (10,)}
    """
    random = np.random.default_rng(0)
    w1 = random.normal(size=(64, 512)) / 64**0.5
    w2 = random.normal(size=(512, 10)) / 512**0.5
    params = {"w1": w1, "b1": np.zeros(512), "w2": w2, "b2": np.zeros(10)}
    return {name: value.astype(np.float32) for name, value in params.items()}


def predict(params, x):
    """Give ten scores for each row of x, which is cut along the axis data of the current mesh."""
    hidden = jax.nn.relu(x @ params["w1"] + params["b1"])
    return jnp.matmul(hidden, params["w2"], out_sharding=P("data")) + params["b2"]


optimizer = optax.adam(1e-3)


@partial(jax.jit, donate_argnums=(0, 1))
def train_step(params, state, x, y):
    """Take one step of Adam; y is one-hot. The last result is the loss before it.

    The new parameters and averages take the place of the old ones, which are donated.
    """

    def loss(params):
        return optax.softmax_cross_entropy(predict(params, x), y).mean()

    value, gradient = jax.value_and_grad(loss)(params)
    updates, state = optimizer.update(gradient, state)
    return optax.apply_updates(params, updates), state, value


def train(mesh, specs, batches):
    """Train new parameters, one step for each batch.

    Args:
        mesh: Devices with the axes data and model.
        specs: A PartitionSpec for each parameter.
        batches: Inputs (n, 64) and one-hot targets (n, 10), n a multiple of the length of data.

    Returns:
        The parameters, Adam's averages, the losses, and the text of the compiled step.

    >>> one = jax.make_mesh((1, 1), ("data", "model"), devices=jax.devices()[:1])
    >>> batch = np.ones((2, 64), np.float32), np.eye(2, 10, dtype=np.float32)
    >>> params, state, losses, program = train(one, WHOLE, [batch] * 3)
    >>> losses[0] > losses[1] > losses[2], held(state) == 2 * held(params) + 4
    (True, True)
    >>> exchanged(program)
    {}
    """
    losses = []
    with jax.set_mesh(mesh):
        params = jax.tree.map(jax.device_put, new_params(), specs)
        state = jax.jit(optimizer.init)(params)
        for batch in batches:
            x, y = jax.device_put(batch, P("data"))
            params, state, value = train_step(params, state, x, y)
            losses.append(float(value))
        program = train_step.lower(params, state, x, y).compile().as_text()
    return params, state, losses, program


def held(tree):
    """Add up the bytes of a pytree's pieces on the first of its devices."""
    return sum(leaf.addressable_shards[0].data.nbytes for leaf in jax.tree.leaves(tree))


def exchanged(program):
    """Count the numbers that each kind of collective of a compiled program delivers to a device.

    The names are those of XLA, https://openxla.org/xla/operation_semantics

    >>> exchanged("x = f32[8,2]{1,0} all-gather(y)\\ny = (f32[], f32[3]) all-reduce(z)")
    {'all-gather': 16, 'all-reduce': 4}
    """
    counts = Counter()
    for shapes, kind in re.findall(COLLECTIVE, program):
        for sizes in re.findall(r"\[([\d,]*)\]", shapes):
            counts[kind] += math.prod(map(int, filter(None, sizes.split(","))))
    return dict(counts)


def main():
    """Train in all forms, print the table, and draw what a device holds."""
    jax.config.update("jax_platforms", "cpu")
    jax.config.update("jax_num_cpu_devices", DEVICES)
    images, labels = load_digits(return_X_y=True)
    images, targets = (images / 16).astype(np.float32), np.eye(10, dtype=np.float32)[labels]
    rows = np.random.default_rng(1).integers(len(labels), size=(STEPS, BATCH))
    batches = [(images[row], targets[row]) for row in rows]

    one = jax.make_mesh((1, 1), ("data", "model"), devices=jax.devices()[:1])
    expected = np.array(train(one, WHOLE, batches)[2])
    print(f"one device: loss {expected[0]:.3f} to {expected[-1]:.3f} in {STEPS} steps")
    plt.figure(layout="constrained")
    print("form    difference  parameters  averages  numbers exchanged in a step")
    for form, (lengths, specs) in FORMS.items():
        params, state, losses, program = train(
            jax.make_mesh(lengths, ("data", "model")), specs, batches
        )
        difference = abs(np.array(losses) - expected).max()
        assert difference < 1e-4
        sizes = held(params), held(state)
        print(f"{form:8}{difference:10.0e}{sizes[0]:12}{sizes[1]:10}  {exchanged(program)}")
        plt.bar(form, sizes[0], color="#0b5fa5", label="parameters")
        plt.bar(form, sizes[1], bottom=sizes[0], color="#b3430f", label="Adam's averages")
    plt.ylabel("bytes on a device")
    plt.legend(*(column[:2] for column in plt.gca().get_legend_handles_labels()))
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("sharded_training.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
