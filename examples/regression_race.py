"""Fit a line with gradient descent in JAX, NumPy and PyTorch, and compare the times.

The first table gives for each form of the loop the time of the first call, which may compile, the
shortest time of a later call, its ratio to one compiled loop in JAX, and the distance of the line
from least squares. A form that is slow takes fewer epochs, and its ratio is scaled up. The second
table gives the time of an epoch for more and more points.

PyTorch is optional (``pip install torch``). ``--torch-compile`` adds ``torch.compile``, which needs
a C++ compiler and up to a minute. All libraries run on one core, where the system allows that.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import importlib.util
import os
import shutil
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

torch: Any = importlib.import_module("torch") if importlib.util.find_spec("torch") else None

RATE, FASTEST = 0.01, "jit(fori_fit)"
Params = dict[str, Any]
Forms = dict[str, Callable[[int], Any]]


def create_dataset(a: float, b: float, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw n points near the line y = a x + b; x and y have shape (n,) and dtype float32.

    >>> x, y = create_dataset(3, 2, 200, seed=0)
    >>> x.shape, y.shape, y.dtype
    ((200,), (200,), dtype('float32'))
    """
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=n)
    y = a * x + b + 0.5 * rng.normal(size=n)
    return x.astype(np.float32), y.astype(np.float32)


def loss(params: Params, x: Any, y: Any) -> Any:
    """Return the mean squared error of the line, in any of the three libraries."""
    return ((params["a"] * x + params["b"] - y) ** 2).mean()


def update(params: Params, x: Any, y: Any) -> Any:
    """Take one step of gradient descent in JAX.

    >>> after = update({"a": 1.0, "b": 0.0}, jnp.array([0.0]), jnp.array([1.0]))
    >>> round(float(after["b"]), 6)
    0.02
    """
    grads = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, g: p - RATE * g, params, grads)


def fori_fit(params: Params, x: Any, y: Any, epochs: Any) -> Any:
    """Run all steps in ``fori_loop``. Without jit, each call compiles the new ``body``."""

    def body(i: Any, params: Params) -> Any:
        return update(params, x, y)

    return jax.lax.fori_loop(0, epochs, body, params)


def scan_fit(params: Params, x: Any, y: Any, epochs: int) -> Any:
    """Run all steps in ``scan``; under jit, ``epochs`` must be static."""

    def body(params: Params, _: None) -> tuple[Params, None]:
        return update(params, x, y), None

    return jax.lax.scan(body, params, length=epochs)[0]


def python_fit(step: Callable[..., Any], params: Params, x: Any, y: Any, calls: int) -> Any:
    """Call a step in a Python loop."""
    for _ in range(calls):
        params = step(params, x, y)
    return params


def hand_update(params: Params, x: Any, y: Any) -> Params:
    """Take one step with the gradient by hand, in any of the three libraries."""
    residual = params["a"] * x + params["b"] - y
    grads = {"a": (residual * x).sum(), "b": residual.sum()}
    return {name: params[name] - 2 * RATE / len(x) * grads[name] for name in params}


def fifty_updates(params: Params, x: Any, y: Any) -> Any:
    """Take 50 steps, for a compiler."""
    return python_fit(hand_update, params, x, y, 50)


def numpy_fit(x: np.ndarray, y: np.ndarray, epochs: int) -> Params:
    """Take all steps in NumPy, in place; float32."""
    X, residual = np.stack([x, np.ones_like(x)]), np.empty_like(x)
    scaled = np.float32(-2 * RATE / len(x)) * X
    params, change = np.array([1, 0], x.dtype), np.zeros(2, x.dtype)
    for _ in range(epochs):
        np.dot(params, X, out=residual)
        np.subtract(residual, y, out=residual)
        np.dot(scaled, residual, out=change)
        np.add(params, change, out=params)
    return dict(zip("ab", params, strict=True))


def torch_fit(loss: Callable[..., Any], x: Any, y: Any, epochs: int) -> Params:
    """Take all steps in PyTorch's usual loop with autograd."""
    params = {name: torch.tensor(v, requires_grad=True) for name, v in (("a", 1.0), ("b", 0.0))}
    for _ in range(epochs):
        loss(params, x, y).backward()
        with torch.no_grad():
            for p in params.values():
                p -= RATE * p.grad
                p.grad = None
    return {name: p.detach() for name, p in params.items()}


def torch_in_place_fit(x: Any, y: Any, epochs: int) -> Params:
    """Take all steps in PyTorch without autograd, in place."""
    X, residual = torch.stack([x, torch.ones_like(x)]), torch.empty_like(x)
    XT, params = X.T.contiguous(), torch.tensor([1.0, 0.0])
    for _ in range(epochs):
        torch.addmv(y, XT, params, beta=-1, out=residual)
        params.addmv_(X, residual, alpha=-2 * RATE / len(x))
    return dict(zip("ab", params, strict=True))


def line(params: Params) -> np.ndarray:
    """Return slope and intercept, shape (2,)."""
    return np.array([float(params["a"]), float(params["b"])])


def seconds(run: Callable[..., Any], *arguments: Any) -> float:
    """Time one call until its result is ready."""
    start = time.perf_counter()
    jax.block_until_ready(run(*arguments))  # type: ignore[no-untyped-call]
    return time.perf_counter() - start


jit_step, jit_fori = jax.jit(update), jax.jit(fori_fit)
jit_scan = jax.jit(scan_fit, static_argnames="epochs")


def all_forms(x: np.ndarray, y: np.ndarray, compile_torch: bool) -> Forms:
    """Return each form as a function of the number of epochs."""
    arrays = {"a": jnp.array(1.0), "b": jnp.array(0.0)}, jnp.array(x), jnp.array(y)
    forms: Forms = {
        "jit(fori_fit)": lambda n: jit_fori(*arrays, n),
        "jit(scan_fit)": lambda n: jit_scan(*arrays, epochs=n),
        "fori_fit": lambda n: fori_fit(*arrays, n),
        "python_fit(jit(step))": lambda n: python_fit(jit_step, *arrays, n),
        "python_fit(step)": lambda n: python_fit(update, *arrays, n),
        "numpy_fit": lambda n: numpy_fit(x, y, n),
    }
    if torch:
        tensors = torch.tensor(x), torch.tensor(y)
        forms["torch_fit"] = lambda n: torch_fit(loss, *tensors, n)
        forms["torch_in_place_fit"] = lambda n: torch_in_place_fit(*tensors, n)
    if torch and compile_torch:
        start = {"a": torch.tensor(1.0), "b": torch.tensor(0.0)}
        one, fifty = (torch.compile(f, dynamic=False) for f in (hand_update, fifty_updates))
        forms["torch.compile(1)"] = lambda n: python_fit(one, start, *tensors, n)
        forms["torch.compile(50)"] = lambda n: python_fit(fifty, start, *tensors, n // 50)
    return forms


def draw(ratios: dict[str, float]) -> Figure:
    """Draw the ratios as bars on a logarithmic axis."""
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    names = sorted(ratios, key=lambda name: -ratios[name])
    ax.barh(names, [ratios[name] for name in names], color="#0b5fa5")
    ax.set(xscale="log", xlabel="ratio")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print both tables."""
    parser = command_line(__doc__)
    add = parser.add_argument
    points, epochs, rounds = (whole_number(*w) for w in ((2, 10**6), (1, 10**5), (1, 100)))
    add("--points", type=points, default=100, metavar="N", help=DEFAULT)
    add("--epochs", type=epochs, default=10_000, metavar="N", help=DEFAULT)
    add("--rounds", type=rounds, default=3, metavar="N", help=DEFAULT)
    add("--sizes", type=points, nargs="+", default=[100, 10_000], metavar="N", help="second table")
    add("--torch-compile", action="store_true", help="add torch.compile; needs a C++ compiler")
    add("--plot", type=picture_file, metavar="FILE", help="draw the ratios into FILE")
    options = parser.parse_args(arguments)
    if options.torch_compile and not (torch and (shutil.which("g++") or shutil.which("clang++"))):
        parser.error("--torch-compile: install PyTorch (pip install torch) and g++ or clang++")
    if options.torch_compile and options.epochs % 50:
        parser.error("--torch-compile: give --epochs a multiple of 50")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if torch:
        torch.set_num_threads(1)

    x, y = create_dataset(3, 2, options.points, seed=0)
    best = np.polyfit(np.float64(x), np.float64(y), 1)
    epoch: dict[str, float] = {}
    print(f"{'':22}{'epochs':>7}{'first [ms]':>12}{'later [ms]':>12}{'ratio':>9}{'distance':>10}")
    for name, form in all_forms(x, y, options.torch_compile).items():
        n = 20 if name == "python_fit(step)" else options.epochs
        first, *later = (1000 * seconds(form, n) for _ in range(options.rounds + 1))
        epoch[name] = min(later) / n
        row = f"{name:22}{n:7}{first:12.1f}{min(later):12.2f}"
        print(f"{row}{epoch[name] / epoch[FASTEST]:9.1f}{abs(line(form(n)) - best).max():10.1e}")
    print("" if torch else "PyTorch is not installed: pip install torch\n")
    print(f"{'time of an epoch [µs]':22}", *(f"{n:>9}" for n in options.sizes))
    sizes = [all_forms(*create_dataset(3, 2, n, seed=0), False) for n in options.sizes]
    for name in [FASTEST, "numpy_fit", "torch_in_place_fit"][: 3 if torch else 2]:
        values = [min(seconds(forms[name], 200) for _ in range(4)) / 2e-4 for forms in sizes]
        print(f"{name:22}", *(f"{value:9.1f}" for value in values))
    if options.plot:
        save(draw({k: v / epoch[FASTEST] for k, v in epoch.items()}), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
