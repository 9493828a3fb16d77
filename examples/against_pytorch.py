"""One small network in PyTorch and in JAX: the same weights, the same steps, and the time.

Both train a convolutional network on scikit-learn's digits, from the same weights and with the
same batches. The first table has the largest difference from the losses of JAX, the second one the
time. PyTorch uses the GPU if JAX does, else one thread; on Linux, `taskset -c 0` in front limits
JAX to one, too. Without PyTorch (`pip install torch`), only JAX's side is run.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "flax", "optax", "scikit-learn", "matplotlib"]
# ///

import copy
import importlib.util
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from flax import nnx
from matplotlib.figure import Figure
from sklearn.datasets import load_digits

torch: Any = importlib.import_module("torch") if importlib.util.find_spec("torch") else None
F: Any = torch and torch.nn.functional


class CNN(nnx.Module):
    """Classify images (n, 8, 8, 1); return logits (n, 10)."""

    def __init__(self, *, rngs: nnx.Rngs) -> None:
        self.conv = nnx.Conv(1, 16, kernel_size=(5, 5), rngs=rngs)
        self.hidden = nnx.Linear(4 * 4 * 16, 1024, rngs=rngs)
        self.logits = nnx.Linear(1024, 10, rngs=rngs)

    def __call__(self, images: Any) -> Any:
        """Return logits."""
        maps = nnx.relu(self.conv(images))
        maps = nnx.max_pool(maps, (2, 2), strides=(2, 2))
        hidden = nnx.relu(self.hidden(maps.reshape(len(images), -1)))
        return self.logits(hidden)


graphdef, _ = nnx.split(nnx.eval_shape(lambda: CNN(rngs=nnx.Rngs(0))))
optimizer = optax.adam(1e-3)
init = jax.jit(optimizer.init)

if torch:

    class TorchCNN(torch.nn.Module):  # type: ignore[misc]
        """Classify images (n, 1, 8, 8); return logits (n, 10)."""

        def __init__(self) -> None:
            super().__init__()
            self.conv = torch.nn.Conv2d(1, 16, 5, padding=2)
            self.hidden = torch.nn.Linear(16 * 4 * 4, 1024)
            self.logits = torch.nn.Linear(1024, 10)

        def forward(self, images: Any) -> Any:
            """Return logits."""
            maps = F.max_pool2d(F.relu(self.conv(images)), 2)
            hidden = F.relu(self.hidden(maps.flatten(1)))
            return self.logits(hidden)


def from_torch(tensors: Any) -> Any:
    """Convert a ``state_dict()`` of TorchCNN, or gradients of the same names, for ``nnx.merge``."""
    arrays = {name: t.detach().cpu().numpy() for name, t in tensors.items()}
    rows = arrays["hidden.weight"].reshape(-1, 16, 4, 4).transpose(2, 3, 1, 0)
    kernels = {
        "conv": arrays["conv.weight"].transpose(2, 3, 1, 0),
        "hidden": rows.reshape(4 * 4 * 16, -1),
        "logits": arrays["logits.weight"].T,
    }
    params = {
        name: {"kernel": kernel, "bias": arrays[f"{name}.bias"]} for name, kernel in kernels.items()
    }
    return jax.tree.map(jnp.array, params)


def loss(params: Any, images: Any, labels: Any) -> Any:
    """Return the mean cross-entropy."""
    logits = nnx.merge(graphdef, params)(images)
    losses = optax.softmax_cross_entropy_with_integer_labels(logits, labels)
    return losses.mean()


@jax.jit
def train_step(params: Any, opt_state: Any, images: Any, labels: Any) -> Any:
    """Take one step; return the parameters, the optimizer's state and the loss before it."""
    value, grads = jax.value_and_grad(loss)(params, images, labels)
    updates, opt_state = optimizer.update(grads, opt_state, params)
    return optax.apply_updates(params, updates), opt_state, value


def run(params: Any, batches: Any) -> Any:
    """Take a step for each batch; return the parameters and the losses."""
    opt_state, losses = init(params), []
    for batch in batches:
        params, opt_state, value = train_step(params, opt_state, *batch)
        losses.append(value)
    return params, np.array(jax.device_get(losses))


def torch_loss(net: Any, images: Any, labels: Any) -> Any:
    """Return the mean cross-entropy in PyTorch."""
    return F.cross_entropy(net(images), labels)


def torch_run(net: Any, batches: Any, loss: Any = torch_loss, fused: Any = None) -> Any:
    """Train a copy in PyTorch, a step for each batch; return the copy and the losses."""
    net, losses = copy.deepcopy(net), []
    adam = torch.optim.Adam(net.parameters(), lr=1e-3, fused=fused)
    for images, labels in batches:
        adam.zero_grad()
        value = loss(net, images, labels)
        value.backward()
        adam.step()
        losses.append(value.detach())
    return net, torch.stack(losses).cpu().numpy()


def race(calls: dict[str, Callable[[], Any]], rounds: int = 5) -> dict[str, Any]:
    """Call functions alternately; return the median seconds of each."""
    times = {name: [] for name in calls}  # type: ignore[var-annotated]
    for name, call in list(calls.items()) * rounds:
        start = time.perf_counter()
        call()
        times[name].append(time.perf_counter() - start)
    return {name: np.median(values) for name, values in times.items()}


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare the libraries, and print differences and times."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--steps", type=whole_number(1, 2000), default=40, metavar="N", help=DEFAULT)
    add("--batch", type=whole_number(1, 1797), default=32, metavar="N", help=DEFAULT)
    add("--only", choices=["differences", "times"], help="print this table only")
    add("--plot", type=picture_file, metavar="FILE", help="draw the differences into FILE")
    options = parser.parse_args(arguments)

    jax.config.update("jax_default_matmul_precision", "highest")  # type: ignore[no-untyped-call]
    digits, rng = load_digits(), np.random.default_rng(0)
    images, labels = np.array(digits.images[..., None] / 16, np.float32), digits.target
    steps = range(options.steps)
    rows = np.stack([rng.choice(len(labels), options.batch, replace=False) for _ in steps])
    batches = [(jnp.array(images[row]), jnp.array(labels[row])) for row in rows]
    reversed_batches = [(jnp.array(images[r]), jnp.array(labels[r])) for r in rows[:, ::-1]]
    create = nnx.jit(lambda key: CNN(rngs=nnx.Rngs(key)))
    params = nnx.to_pure_dict(nnx.state(create(jax.random.key(0))))
    calls: dict[str, Callable[[], Any]] = {
        "JAX": lambda: run(params, batches),
        "JAX, reversed": lambda: run(params, reversed_batches),
    }
    if torch:
        torch.backends.cudnn.allow_tf32 = False
        torch.set_num_threads(1)
        torch.manual_seed(0)
        device = "cuda" if torch.cuda.is_available() and jax.default_backend() == "gpu" else "cpu"
        net, torch_y = TorchCNN().to(device), torch.tensor(labels, device=device)
        torch_x = torch.tensor(np.moveaxis(images, 3, 1).copy(), device=device)
        torch_batches = [(torch_x[row], torch_y[row]) for row in rows]
        params, compiled = from_torch(net.state_dict()), torch.compile(torch_loss, dynamic=False)
        calls["PyTorch, eager"] = lambda: torch_run(net, torch_batches)
        calls["PyTorch, fused Adam"] = lambda: torch_run(net, torch_batches, fused=True)
        if options.only != "differences":
            calls["PyTorch, torch.compile"] = lambda: torch_run(net, torch_batches, compiled, True)
    else:
        print("PyTorch is not installed, so its side is not run: pip install torch adds it")
    losses, drift = run(params, batches)[1], {}
    for name, call in calls.items():
        try:
            drift[name] = abs(losses - call()[1])
        except Exception as error:  # for example, there is no C++ compiler for torch.compile
            print(f"{name}: not run, {type(error).__name__}")
    if options.only != "times":
        print("largest difference of two losses")
        for name, values in drift.items():
            print(f"{name:26}{values.max():8.0e}")
    if options.plot:
        figure = Figure(figsize=(6, 3.2), layout="constrained")
        ax = figure.subplots(subplot_kw={"xlabel": "step", "ylabel": "difference of two losses"})
        for name in drift.keys() & {"JAX, reversed", "PyTorch, eager"}:
            ax.semilogy(np.maximum(drift[name], 1e-8), label=name)
        ax.legend(frameon=False)
        save(figure, options.plot, parser)
    if options.only != "differences":
        times = race({name: calls[name] for name in drift if name != "JAX, reversed"})
        print("relative time")
        for name, seconds in times.items():
            print(f"{name:26}{seconds / times['JAX']:8.2f}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
