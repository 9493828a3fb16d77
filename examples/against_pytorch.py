"""One small network in Flax and in PyTorch: the same weights, the same steps, and the time.

The CNN is built in Flax NNX. Its weights are carried to PyTorch, where axes are ordered
differently. Then both libraries take the same steps on the same batches of scikit-learn's digits.
The first table says how far their results differ, beside the difference between two orders of the
same batch in JAX alone. The second one says how long a step takes, beside ``jax.jit``.

PyTorch is optional (``pip install torch``). Without it, only JAX's side is run.

Usage: ``python examples/against_pytorch.py --steps 50 --batch 32 --plot adam.svg``. Both libraries
use all cores that the process may use; on Linux, ``taskset -c 0`` in front gives it one.

Source:
    A Japanese talk of 2022 on JAX and Flax: the layers of the network, which it trains on MNIST.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flax", "optax", "scikit-learn", "matplotlib"]
# ///

import importlib.util
import math
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import command_line, picture_file, save, whole_number
from _digits.model import CNN, loss
from flax import nnx
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

torch: Any = importlib.import_module("torch") if importlib.util.find_spec("torch") else None

Batch = tuple[np.ndarray, np.ndarray]
Weights = dict[str, np.ndarray]

MAX_STEPS = 2000
MAX_BATCH = 1797  # that many digits there are


def torch_cnn(side: int, classes: int) -> Any:
    """Build the same network in PyTorch.

    Args:
        side: Height and width of the images, even.
        classes: How many logits.

    Returns:
        A module that maps images (N, 1, side, side) to logits (N, classes).

    >>> torch is None or torch_cnn(8, 10)(torch.ones(2, 1, 8, 8)).shape == (2, 10)
    True
    """
    nn = torch.nn
    convolution = {"conv": nn.Conv2d(1, 16, 5, padding="same"), "relu": nn.ReLU()}
    between = {"pool": nn.MaxPool2d(2), "flatten": nn.Flatten()}
    hidden = {"hidden": nn.Linear((side // 2) ** 2 * 16, 1024), "relu2": nn.ReLU()}
    logits = {"logits": nn.Linear(1024, classes)}
    return nn.Sequential(OrderedDict(convolution | between | hidden | logits))


def channels_first(kernel: np.ndarray, channels: int) -> np.ndarray:
    """Reorder the rows of a dense layer that reads flattened maps.

    Args:
        kernel: Shape (side * side * channels, outputs), rows in the order (row, column, channel).
        channels: How many.

    Returns:
        The same rows in the order (channel, row, column).

    >>> channels_first(np.arange(8)[:, None], channels=2)[:, 0].tolist()
    [0, 2, 4, 6, 1, 3, 5, 7]
    """
    side = math.isqrt(len(kernel) // channels)
    rows = kernel.reshape(side, side, channels, -1)
    return rows.transpose(2, 0, 1, 3).reshape(kernel.shape)


def parameters(model: CNN) -> Any:
    """Give the parameters of a Flax model as nested dictionaries of arrays.

    >>> sorted(parameters(CNN(8, 10, rngs=nnx.Rngs(0))))
    ['conv', 'hidden', 'logits']
    """
    return nnx.to_pure_dict(nnx.state(model, nnx.Param))


def to_torch(params: Any) -> Weights:
    """Give the parameters of the CNN, or their gradients, in PyTorch's names and layouts.

    Args:
        params: {"conv", "hidden", "logits"}, each with "kernel" and "bias".

    Returns:
        "conv.weight" (out, in, height, width), "hidden.weight" and "logits.weight" (out, in), and
        the three biases (out,).

    >>> to_torch(parameters(CNN(8, 10, rngs=nnx.Rngs(0))))["conv.weight"].shape
    (16, 1, 5, 5)
    """
    params = jax.tree.map(np.array, params)
    conv, hidden, logits = (params[name]["kernel"] for name in ("conv", "hidden", "logits"))
    dense = {"hidden": channels_first(hidden, conv.shape[-1]).T, "logits": logits.T}
    weights = {"conv": conv.transpose(3, 2, 0, 1)} | dense
    biases = {f"{name}.bias": params[name]["bias"] for name in weights}
    return {f"{name}.weight": value for name, value in weights.items()} | biases


def torch_twin(model: CNN) -> Any:
    """Build the PyTorch network that has the weights of a Flax model for images (N, 8, 8, 1).

    Returns:
        A PyTorch module in the dtype of the model.

    >>> torch is None or torch_twin(CNN(8, 10, rngs=nnx.Rngs(0))).logits.out_features == 10
    True
    """
    weights = {name: torch.from_numpy(w) for name, w in to_torch(parameters(model)).items()}
    net = torch_cnn(8, 10).to(weights["conv.bias"].dtype)
    net.load_state_dict(weights)
    return net


def tensors(images: np.ndarray, labels: np.ndarray) -> tuple[Any, Any]:
    """Give a batch to PyTorch: images (N, 1, 8, 8), and labels as int64.

    Args:
        images: Shape (N, 8, 8, 1).
        labels: Shape (N,), integers.

    >>> torch is None or tensors(np.ones((2, 8, 8, 1)), np.arange(2))[0].shape == (2, 1, 8, 8)
    True
    """
    first = np.ascontiguousarray(images.transpose(0, 3, 1, 2))
    return torch.from_numpy(first), torch.from_numpy(np.int64(labels))


# The loss, and its gradient as an NNX state.
flax_slopes = nnx.jit(nnx.value_and_grad(loss))


def torch_slopes(net: Any, batch: Batch) -> tuple[float, Weights]:
    """Give the loss of a batch and its gradient in PyTorch.

    Args:
        net: The network; the gradient also stays with its parameters.
        batch: Images (N, 8, 8, 1) and labels (N,).

    Returns:
        The loss, and the gradient in PyTorch's names.
    """
    images, labels = tensors(*batch)
    value = torch.nn.functional.cross_entropy(net(images), labels)
    value.backward()
    return value.item(), {name: p.grad.numpy() for name, p in net.named_parameters()}


def gap(ours: Weights, theirs: Weights) -> float:
    """Give the largest difference of two sets of weights.

    >>> gap({"a": np.array([1.0, 2.0])}, {"a": np.array([1.0, 2.5])})
    0.5
    """
    return max(float(abs(ours[name] - theirs[name]).max()) for name in ours)


def step(model: CNN, optimizer: nnx.Optimizer[CNN], images: Any, labels: Any) -> jax.Array:
    """Take one step of training in place.

    Args:
        model: The network, changed.
        optimizer: Its optimizer, changed.
        images: Shape (N, 8, 8, 1).
        labels: Shape (N,), integers.

    Returns:
        The loss before the step, shape ().
    """
    value, slopes = nnx.value_and_grad(loss)(model, images, labels)
    optimizer.update(model, slopes)
    return value  # type: ignore[no-any-return]


flax_step = nnx.jit(step)


def torch_step(net: Any, optimizer: Any, images: Any, labels: Any) -> Any:
    """Take the same step in PyTorch, in place.

    Args:
        net: The network, changed.
        optimizer: Its optimizer, changed.
        images: Shape (N, 1, 8, 8).
        labels: Shape (N,), int64.

    Returns:
        The loss before the step, shape ().
    """
    optimizer.zero_grad()
    value = torch.nn.functional.cross_entropy(net(images), labels)
    value.backward()
    optimizer.step()
    return value.detach()


def copied(model: CNN, dtype: Any = np.float32) -> CNN:
    """Copy a model, perhaps to another dtype.

    Args:
        model: The network.
        dtype: Of the copy; float64 needs ``jax.enable_x64``.

    >>> copied(CNN(8, 10, rngs=nnx.Rngs(0)), np.float16).conv.bias.dtype
    dtype('float16')
    """
    graph, state = nnx.split(model)
    return nnx.merge(graph, jax.tree.map(lambda array: jnp.array(array, dtype), state))


def flax_run(model: CNN, rule: Any, batches: Sequence[Batch]) -> tuple[np.ndarray, Weights]:
    """Train in Flax, one step for each batch.

    Args:
        model: The network with the weights to begin with; it is not changed.
        rule: An optimizer of Optax.
        batches: Images (N, 8, 8, 1) and labels (N,); the images' dtype is that of the run.

    Returns:
        The losses, shape (steps,), and the final weights in PyTorch's layouts.
    """
    model = copied(model, batches[0][0].dtype)
    optimizer = nnx.Optimizer(model, rule, wrt=nnx.Param)
    losses = [flax_step(model, optimizer, *batch) for batch in batches]
    return np.array(losses), to_torch(parameters(model))


def torch_run(model: CNN, rule: Any, batches: Sequence[Batch]) -> tuple[np.ndarray, Weights]:
    """Train in PyTorch from the same weights, one step for each batch.

    Args:
        model: As for ``flax_run``.
        rule: Makes an optimizer of PyTorch from parameters.
        batches: As for ``flax_run``.

    Returns:
        The losses, shape (steps,), and the final weights.
    """
    net = torch_twin(copied(model, batches[0][0].dtype))
    optimizer = rule(net.parameters())
    losses = [torch_step(net, optimizer, *tensors(*batch)).item() for batch in batches]
    return np.array(losses), {name: p.detach().numpy() for name, p in net.named_parameters()}


def make_batches(images: np.ndarray, labels: np.ndarray, steps: int, size: int) -> list[Batch]:
    """Draw random batches, always the same ones.

    Args:
        images: Shape (N, 8, 8, 1).
        labels: Shape (N,).
        steps: How many batches.
        size: Images in a batch, at most N.

    Returns:
        For each step, images (size, 8, 8, 1) and labels (size,).

    >>> len(make_batches(np.ones((9, 8, 8, 1)), np.arange(9), steps=3, size=4))
    3
    """
    rng = np.random.default_rng(1)
    rows = [rng.choice(len(images), size, replace=False) for _ in range(steps)]
    return [(images[row], labels[row]) for row in rows]


def backwards(batches: Sequence[Batch]) -> list[Batch]:
    """Reverse the order of the images in each batch.

    >>> backwards([(np.arange(3), np.arange(3))])[0][0].tolist()
    [2, 1, 0]
    """
    return [(images[::-1], labels[::-1]) for images, labels in batches]


def split_step(
    model: CNN, optimizer: nnx.Optimizer[CNN], batch: tuple[Any, Any]
) -> Callable[[], Any]:
    """Compile the step as a pure function of arrays, by ``jax.jit``.

    Args:
        model: The network; it is not changed.
        optimizer: Its optimizer; it is not changed.
        batch: Images (N, 8, 8, 1) and labels (N,).

    Returns:
        A function that takes a step from the same state in each call, and returns the next state
        and the loss.
    """
    graph, state = nnx.split((model, optimizer))

    @jax.jit
    def pure_step(state: Any, images: Any, labels: Any) -> Any:
        model, optimizer = nnx.merge(graph, state)
        value = step(model, optimizer, images, labels)
        return nnx.state((model, optimizer)), value

    return lambda: pure_step(state, *batch)


def flax_forms(model: CNN, rule: Any, batch: Batch) -> dict[str, Callable[[], Any]]:
    """Give one step on a batch in three forms.

    Args:
        model: The network with the weights to begin with; it is not changed.
        rule: An optimizer of Optax.
        batch: Images (N, 8, 8, 1) and labels (N,).

    Returns:
        For each form, a function that takes a step.
    """
    images, labels = jax.device_put(batch)
    pairs = [(copy, nnx.Optimizer(copy, rule, wrt=nnx.Param)) for copy in map(copied, [model] * 2)]
    cached = nnx.cached_partial(flax_step, *pairs[0])
    return {
        "jax.jit": split_step(*pairs[1], (images, labels)),
        "nnx.cached_partial": lambda: cached(images, labels),
        "nnx.jit": lambda: flax_step(*pairs[1], images, labels),
    }


def torch_form(model: CNN, rule: Any, batch: Batch) -> Callable[[], Any]:
    """Give one step on a batch in PyTorch.

    Args:
        model: The network with the weights to begin with; it is not changed.
        rule: Makes an optimizer of PyTorch from parameters.
        batch: Images (N, 8, 8, 1) and labels (N,).

    Returns:
        A function that takes a step.
    """
    net, (images, labels) = torch_twin(model), tensors(*batch)
    optimizer = rule(net.parameters())
    return lambda: torch_step(net, optimizer, images, labels)


def flax_part(module: nnx.Module, inputs: Any, argnums: Any) -> Callable[[], Any]:
    """Differentiate a part of the network alone.

    Args:
        module: The part.
        inputs: What the part reads.
        argnums: 0 for the gradient with respect to the parameters; (0, 1) for that of the inputs
            also.

    Returns:
        A function that computes the gradient of the sum of the squared outputs.
    """
    graph, state = nnx.split(module)

    def squared(state: Any, inputs: Any) -> Any:
        return (nnx.merge(graph, state)(inputs) ** 2).sum()

    slope = jax.jit(jax.grad(squared, argnums))
    return lambda: slope(state, inputs)


def torch_part(module: Any, inputs: Any) -> Callable[[], Any]:
    """Differentiate a part of the PyTorch network alone.

    Args:
        module: The part.
        inputs: What the part reads; its gradient is computed too if it requires one.

    Returns:
        A function that computes the gradient of the sum of the squared outputs.
    """

    def run() -> None:
        module.zero_grad()
        inputs.grad = None
        (module(inputs) ** 2).sum().backward()

    return run


def seconds(run: Callable[[], Any]) -> float:
    """Time one call until its result is ready.

    >>> 0.01 < seconds(lambda: time.sleep(0.02)) < 1
    True
    """
    begin = time.perf_counter()
    jax.block_until_ready(run())  # type: ignore[no-untyped-call]
    return time.perf_counter() - begin


def race(runs: dict[str, Callable[[], Any]], rounds: int = 15) -> dict[str, float]:
    """Time functions alternately, after two calls of each in advance.

    Args:
        runs: Functions without arguments.
        rounds: How often each is timed, at least 1.

    Returns:
        The median of each function's times, in seconds.

    >>> list(race({"nothing": lambda: None}, rounds=1))
    ['nothing']
    """
    rows = [[seconds(run) for run in runs.values()] for _ in range(rounds + 2)]
    return dict(zip(runs, np.median(rows[2:], axis=0), strict=True))


def draw(slope: np.ndarray, differences: dict[str, np.ndarray]) -> Figure:
    """Draw over the size of the gradient how far two first steps of Adam lie apart.

    Args:
        slope: Gradient, any shape.
        differences: For each comparison, how far the parameters lie apart after the step; the
            same shape.

    Returns:
        One graph with logarithmic axes: for each half decade of the gradient, the largest
        difference; and a dashed line at Adam's epsilon.
    """
    edges = np.logspace(-9, -2, 15)
    bins = np.digitize(abs(slope), edges)
    figure = Figure(figsize=(6, 3.5), layout="constrained")
    axes = figure.subplots()
    for name, y in differences.items():
        tops = [y[bins == k].max(initial=0) for k in range(1, 16)]
        axes.loglog(edges, tops, "o-", label=name)
    axes.axvline(1e-8, lw=1.5, ls="--", color="0.4")
    axes.set(xlabel="$|g|$", ylabel=r"$|\Delta\theta|$")
    axes.legend()
    return figure


def compare_first_step(model: CNN, batch: Batch) -> dict[str, list[Weights]]:
    """Compute what the first step needs and gives, in Flax, in another order, and in PyTorch.

    Args:
        model: The network; it is not changed.
        batch: Images (N, 8, 8, 1) and labels (N,).

    Returns:
        For each quantity, the values of Flax, those of Flax with the batch backwards, and those of
        PyTorch, if it is installed.
    """
    table: dict[str, list[Weights]] = {name: [] for name in FIRST}
    for order in (slice(None), slice(None, None, -1)):
        turned = batch[0][order], batch[1][order]
        value, slopes = flax_slopes(model, *turned)
        table["logits"].append({"": np.array(model(jnp.asarray(turned[0])))[order]})
        table["loss"].append({"": np.array(value)})
        table["gradient"].append(to_torch(nnx.to_pure_dict(slopes)))
        for name, rule in (("SGD step", SGD), ("Adam step", ADAM)):
            table[name].append(flax_run(model, rule, [turned])[1])
    if torch:
        net = torch_twin(model)
        table["logits"].append({"": net(tensors(*batch)[0]).detach().numpy()})
        loss_value, gradient = torch_slopes(net, batch)
        table["loss"].append({"": np.array(loss_value)})
        table["gradient"].append(gradient)
        for name, rule in (("SGD step", torch_sgd), ("Adam step", torch_adam)):
            table[name].append(torch_run(model, rule, [batch])[1])
    return table


def compare_losses(model: CNN, batches: list[Batch]) -> list[Weights]:
    """Train by Adam in Flax, in another order, and in PyTorch.

    Args:
        model: The network with the weights to begin with; it is not changed.
        batches: As for ``flax_run``.

    Returns:
        The losses of Flax, of Flax with the batches backwards, and of PyTorch, if it is installed.
    """
    runs = [flax_run(model, ADAM, turned) for turned in (batches, backwards(batches))]
    runs += [torch_run(model, torch_adam, batches)] if torch else []
    return [{"": losses} for losses, _ in runs]


def show(name: str, values: Sequence[str]) -> None:
    """Print one row of a table, with "not run" where PyTorch is missing.

    >>> show("loss", ["1.0e-07", "2.0e-07"])
    loss                   1.0e-07     2.0e-07
    """
    cells = [*values, *(["not run"] if len(values) == 1 else [])]
    print(f"{name:18}", *(f"{cell:>11}" for cell in cells))


def show_times(model: CNN, batch: Batch) -> None:
    """Race one Adam step and two parts of the network, and print the ratios.

    Args:
        model: The network; it is not changed.
        batch: Images (N, 8, 8, 1) and labels (N,).
    """
    runs = flax_forms(model, ADAM, batch)
    compiling = seconds(runs["jax.jit"])
    runs |= {"PyTorch": torch_form(model, torch_adam, batch)} if torch else {}
    times = race(runs)
    print(f"{'one step':18} {'of jax.jit':>11}")
    for name in [*list(runs)[:3], "PyTorch"]:
        ratio = f"{times[name] / times['jax.jit']:.2f}" if name in times else "not run"
        print(f"{name:18} {ratio:>11}")
    print(f"jax.jit compiles as long as it takes {compiling / times['jax.jit']:.0f} steps")

    maps = np.random.default_rng(0).normal(size=(len(batch[0]), 256)).astype(np.float32)
    dense = nnx.Sequential(model.hidden, nnx.relu, model.logits)
    runs = {"conv": flax_part(model.conv, batch[0], 0), "dense": flax_part(dense, maps, (0, 1))}
    if torch:
        net, inputs = torch_twin(model), torch.from_numpy(maps).requires_grad_()
        runs["conv in PyTorch"] = torch_part(net.conv, tensors(*batch)[0])
        runs["dense in PyTorch"] = torch_part(net[4:], inputs)
    times = race(runs)
    print(f"{'part':18} {'of JAX':>11}")
    for name in ("conv", "dense"):
        here = times.get(f"{name} in PyTorch")
        print(f"{name + ' in PyTorch':18} {f'{here / times[name]:.2f}' if here else 'not run':>11}")


FIRST = ("logits", "loss", "gradient", "SGD step", "Adam step")
SGD, ADAM = optax.sgd(0.1), optax.adam(1e-3)


def torch_sgd(params: Any) -> Any:
    """Make PyTorch's optimizer for ``SGD``."""
    return torch.optim.SGD(params, lr=0.1)


def torch_adam(params: Any) -> Any:
    """Make PyTorch's optimizer for ``ADAM``."""
    return torch.optim.Adam(params, lr=1e-3)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the libraries, and print the differences and the ratios."""
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    add("--steps", type=whole_number(1, MAX_STEPS), default=50, metavar="N", help=default)
    add("--batch", type=whole_number(1, MAX_BATCH), default=32, metavar="N", help=default)
    add("--only", choices=["differences", "times"], help="print this table only")
    add("--plot", type=picture_file, metavar="FILE", help="draw the first Adam step into FILE")
    options = parser.parse_args(arguments)

    # PyTorch computes on the CPU, too.
    jax.config.update("jax_platforms", "cpu")  # type: ignore[no-untyped-call]
    digits = load_digits()
    images = (digits.images[..., None] / 16).astype(np.float32)
    labels = digits.target.astype(np.int32)
    batches = make_batches(images, labels, options.steps, options.batch)
    model = CNN(8, 10, rngs=nnx.Rngs(1))

    if not torch:
        print("PyTorch is not installed, so its side is not run: pip install torch adds it")
    if options.plot or options.only != "times":
        first = compare_first_step(model, batches[0])
    if options.plot:
        steps = zip(("[::-1]", "torch"), first["Adam step"][1:], strict=False)
        ours, name = first["Adam step"][0], "hidden.weight"
        apart = {label: abs(theirs[name] - ours[name]) for label, theirs in steps}
        save(draw(first["gradient"][0][name], apart), options.plot, parser)
    if options.only != "times":
        show("difference", ["other order", "PyTorch"])
        for quantity, (ours, *others) in first.items():
            show(quantity, [f"{gap(ours, other):.1e}" for other in others])
        for dtype in (np.float32, np.float64):
            with jax.enable_x64(dtype is np.float64):
                typed = [(images.astype(dtype), labels) for images, labels in batches]
                ours, *others = compare_losses(model, typed)
            show(f"losses, {dtype.__name__}", [f"{gap(ours, other):.1e}" for other in others])
    if options.only != "differences":
        show_times(model, batches[0])
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
