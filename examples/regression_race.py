"""The race of 2022, run again: a line fitted by PyTorch, NumPy, and seven ways to write it in JAX.

A line y = a x + b is fitted to noisy points by gradient descent, always from (1, 0) and with the
learning rate 0.01. The first table gives, for each way, the time of the first call, which compiles
where there is something to compile, the time of a later call, and the distance to least squares.
The second table gives the time of one epoch for more and more points.

PyTorch is optional (``pip install torch``). Without it, its rows say "not run". ``--torch-compile``
adds ``torch.compile`` with its usual backend, which needs a C++ compiler and up to a minute or two.

Usage: ``python examples/regression_race.py --points 100 --epochs 10000 --plot race.svg``. Where the
system allows that, the process keeps one core, so that each library has the same.

Source:
    A Japanese article of 2022 that compares PyTorch with JAX on a GPU: the problem, the learning
    rate, the start and the number of epochs. The line y = 3 x + 2 is chosen here.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import importlib
import importlib.util
import os
import shutil
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

torch: Any = importlib.import_module("torch") if importlib.util.find_spec("torch") else None

RATE = 0.01
NO_TORCH = "PyTorch is not installed: pip install torch"
MAX_POINTS = 1_000_000
MAX_EPOCHS = 100_000

Params = dict[str, Any]
Step = Callable[[Params, Any, Any], Params]


def create_dataset(a: float, b: float, n: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw n points near the line y = a x + b, all of them from n.

    Args:
        a: Slope.
        b: Intercept.
        n: How many points.
        seed: Seed of the generator.

    Returns:
        x, shape (n,), uniform on [0, 1), and y = a x + b + 0.5 N(0, 1), shape (n,); float32.

    >>> x, y = create_dataset(3, 2, 200, seed=0)
    >>> x.shape, y.shape, y.dtype
    ((200,), (200,), dtype('float32'))
    """
    rng = np.random.default_rng(seed)
    x = rng.uniform(size=n)
    y = a * x + b + 0.5 * rng.normal(size=n)
    return x.astype(np.float32), y.astype(np.float32)


def start() -> dict[str, jax.Array]:
    """Give the parameters of the article's start.

    Returns:
        {"a": 1, "b": 0}, each of shape ().

    >>> {name: float(value) for name, value in start().items()}
    {'a': 1.0, 'b': 0.0}
    """
    return {"a": jnp.array(1.0), "b": jnp.array(0.0)}


def loss(params: Params, x: Any, y: Any) -> Any:
    """Give the mean squared error of the line a x + b, in any of the three libraries.

    Args:
        params: {"a": slope, "b": intercept}, each of shape ().
        x: Inputs, shape (n,).
        y: Targets, shape (n,).

    Returns:
        The mean of (a x + b - y)², shape ().

    >>> loss({"a": 3.0, "b": 2.0}, np.array([0.0, 1.0]), np.array([2.0, 7.0])).item()
    2.0
    """
    return ((params["a"] * x + params["b"] - y) ** 2).mean()


def update(params: Params, x: Any, y: Any) -> Any:
    """Take one step of gradient descent in JAX.

    Args:
        params: {"a": slope, "b": intercept}, each of shape ().
        x: Inputs, shape (n,).
        y: Targets, shape (n,).

    Returns:
        The parameters after the step.

    >>> after = update(start(), jnp.array([0.0]), jnp.array([1.0]))
    >>> round(float(after["b"]), 6)
    0.02
    """
    slopes = jax.grad(loss)(params, x, y)
    return jax.tree.map(lambda p, slope: p - RATE * slope, params, slopes)


def python_fit(step: Step, x: Any, y: Any, epochs: int) -> Params:
    """Run the descent in a Python loop.

    Args:
        step: ``update`` or ``jax.jit(update)``.
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        epochs: How many steps.

    Returns:
        The parameters after the last step.

    >>> after = python_fit(update, jnp.array([0.0]), jnp.array([1.0]), 2)
    >>> round(float(after["b"]), 6)
    0.0396
    """
    params = start()
    for _ in range(epochs):
        params = step(params, x, y)
    return params


def fori_fit(x: Any, y: Any, epochs: int | jax.Array) -> Any:
    """Run the descent in ``jax.lax.fori_loop``, as the article writes it: the body is a closure.

    Args:
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        epochs: How many steps.

    Returns:
        The parameters after the last step.

    Without jit, each call makes a new body, and each call compiles again:

    >>> x, y = map(jnp.array, create_dataset(3, 2, 10, seed=0))
    >>> [compilations(lambda: fori_fit(x, y, 5)) > 0 for _ in range(3)]
    [True, True, True]
    """

    def body(i: Any, params: Params) -> Any:
        return update(params, x, y)

    return jax.lax.fori_loop(0, epochs, body, start())


def while_fit(x: Any, y: Any, epochs: int | jax.Array) -> Params:
    """Run the descent in ``jax.lax.while_loop``.

    Args:
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        epochs: How many steps.

    Returns:
        The parameters after the last step.

    >>> after = while_fit(jnp.array([0.0]), jnp.array([1.0]), 2)
    >>> round(float(after["b"]), 6)
    0.0396
    """

    def body(carry: tuple[Any, Params]) -> tuple[Any, Params]:
        return carry[0] + 1, update(carry[1], x, y)

    return jax.lax.while_loop(lambda carry: carry[0] < epochs, body, (0, start()))[1]


def scan_fit(x: Any, y: Any, epochs: int) -> tuple[Params, jax.Array]:
    """Run the descent in ``jax.lax.scan`` and keep the history of the loss.

    Args:
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        epochs: How many steps; static under ``jax.jit``.

    Returns:
        The parameters after the last step, and the loss before each step, shape (epochs,).

    >>> _, losses = scan_fit(jnp.array([0.0]), jnp.array([1.0]), 3)
    >>> losses.shape, float(losses[0])
    ((3,), 1.0)
    """

    def body(params: Params, _: None) -> tuple[Params, jax.Array]:
        return update(params, x, y), loss(params, x, y)

    return jax.lax.scan(body, start(), length=epochs)


def named_body(i: Any, carry: tuple[Params, Any, Any]) -> tuple[Params, Any, Any]:
    """Take one step with the data in the carry, so that no closure is needed.

    Args:
        i: Number of the step; not used.
        carry: The parameters, x of shape (n,), and y of shape (n,).

    Returns:
        The parameters after the step, and the same data.
    """
    params, x, y = carry
    return update(params, x, y), x, y


def named_fit(x: Any, y: Any, epochs: int) -> Any:
    """Run the descent in ``jax.lax.fori_loop`` with a body that is always the same function.

    Args:
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        epochs: How many steps.

    Returns:
        The parameters after the last step.

    Without jit, JAX still recognizes the body and compiles once:

    >>> x, y = map(jnp.array, create_dataset(3, 2, 11, seed=0))
    >>> [compilations(lambda: named_fit(x, y, 5)) > 0 for _ in range(3)]
    [True, False, False]
    """
    return jax.lax.fori_loop(0, epochs, named_body, (start(), x, y))[0]


def numpy_fit(x: np.ndarray, y: np.ndarray, epochs: int) -> Params:
    """Run the descent in NumPy, with the gradient written by hand.

    Args:
        x: Inputs, shape (n,).
        y: Targets, shape (n,), of the same dtype.
        epochs: How many steps.

    Returns:
        {"a": slope, "b": intercept} after the last step, scalars of the data's dtype.

    >>> after = numpy_fit(np.array([0.0]), np.array([1.0]), 2)
    >>> round(float(after["b"]), 6)
    0.0396
    """
    a, b = x.dtype.type(1), x.dtype.type(0)
    for _ in range(epochs):
        rest = a * x + b - y
        a, b = a - 2 * RATE * (rest * x).mean(), b - 2 * RATE * rest.mean()
    return {"a": a, "b": b}


def torch_fit(loss: Callable[[Params, Any, Any], Any], x: Any, y: Any, epochs: int) -> Params:
    """Run the descent in PyTorch's usual loop.

    Args:
        loss: The function ``loss``, or what ``torch.compile`` makes of it.
        x: Inputs, a tensor of shape (n,).
        y: Targets, a tensor of shape (n,).
        epochs: How many steps.

    Returns:
        {"a": slope, "b": intercept} after the last step, tensors of the data's dtype.
    """
    values = {"a": 1.0, "b": 0.0}
    params = {k: torch.tensor(v, dtype=x.dtype, requires_grad=True) for k, v in values.items()}
    for _ in range(epochs):
        loss(params, x, y).backward()
        with torch.no_grad():
            for p in params.values():
                p -= RATE * p.grad
                p.grad = None
    return {k: p.detach() for k, p in params.items()}


def as_array(params: Params) -> np.ndarray:
    """Take parameters out of their library.

    >>> as_array(start()).tolist()
    [1.0, 0.0]
    """
    return np.array([float(params["a"]), float(params["b"])])


def least_squares(x: Any, y: Any) -> np.ndarray:
    """Solve the regression in closed form, in float64.

    Args:
        x: Inputs, shape (n,), not all equal.
        y: Targets, shape (n,).

    Returns:
        Slope and intercept, shape (2,).

    >>> least_squares([0.0, 1.0, 2.0], [2.0, 5.0, 8.0]).round(6).tolist()
    [3.0, 2.0]
    """
    return np.array(np.polyfit(np.float64(x), np.float64(y), 1))


def remaining(x: Any, y: Any, epochs: int) -> np.ndarray:
    """Say what gradient descent still lacks after some epochs, without running it.

    The loss is quadratic, so each step multiplies the distance to least squares by one matrix.

    Args:
        x: Inputs, shape (n,), not all equal.
        y: Targets, shape (n,).
        epochs: How many steps.

    Returns:
        The parameters after the descent minus those of least squares, shape (2,), float64.

    >>> x, y = create_dataset(3, 2, 100, seed=0)
    >>> float(abs(remaining(x, y, 0) - ([1, 0] - least_squares(x, y))).max())
    0.0
    """
    x, y = np.float64(x), np.float64(y)
    moments = np.array([[np.mean(x * x), np.mean(x)], [np.mean(x), 1]])
    power = np.linalg.matrix_power(np.eye(2) - 2 * RATE * moments, epochs)
    return np.array(power @ ([1, 0] - least_squares(x, y)))


def seconds(run: Callable[[], Any]) -> float:
    """Time one call until its result is ready.

    >>> 0.01 < seconds(lambda: time.sleep(0.02)) < 1
    True
    """
    begin = time.perf_counter()
    jax.block_until_ready(run())  # type: ignore[no-untyped-call]
    return time.perf_counter() - begin


def race(runs: dict[str, Callable[[], Any]], rounds: int) -> dict[str, tuple[float, float]]:
    """Time functions alternately.

    Args:
        runs: Functions without arguments.
        rounds: How often each is timed after its first call, at least 1.

    Returns:
        For each function, the time of its first call and the least of its later times, in seconds.

    >>> list(race({"nothing": lambda: None}, rounds=1))
    ['nothing']
    """
    rows = [[seconds(run) for run in runs.values()] for _ in range(1 + rounds)]
    return dict(zip(runs, zip(rows[0], np.min(rows[1:], axis=0), strict=True), strict=True))


def compilations(run: Callable[[], Any]) -> int:
    """Count how often JAX compiles during one call.

    Args:
        run: A function without arguments.

    Returns:
        The number of programs that were compiled.

    >>> double = jax.jit(lambda value: 2 * value)
    >>> compilations(lambda: double(1.0)), compilations(lambda: double(2.0))
    (1, 0)
    """
    events = list[str]()

    def listen(event: str, duration_secs: float, **details: Any) -> None:
        events.append(event)

    jax.monitoring.register_event_duration_secs_listener(listen)
    jax.block_until_ready(run())  # type: ignore[no-untyped-call]
    jax.monitoring.unregister_event_duration_listener(listen)
    return sum("backend_compile" in event for event in events)


def per_epoch(n: int, rounds: int) -> dict[str, float]:
    """Time one epoch for n points in JAX, NumPy and PyTorch.

    Args:
        n: How many points, at least 2.
        rounds: As for ``race``.

    Returns:
        The time of one epoch for each way, in seconds; PyTorch only where it is installed.

    >>> list(per_epoch(50, rounds=1))[:3]
    ['jit(fori_loop)', 'for: jit(step)', 'NumPy']
    """
    x, y = create_dataset(3, 2, n, seed=0)
    arrays, long = (jnp.array(x), jnp.array(y)), max(10, 10**6 // n)
    short = min(500, long)
    runs = {
        "jit(fori_loop)": lambda: jit_fori(*arrays, long),
        "for: jit(step)": lambda: python_fit(jit_update, *arrays, short),
        "NumPy": lambda: numpy_fit(x, y, short),
    }
    if torch:
        tensors = torch.tensor(x), torch.tensor(y)
        runs["PyTorch"] = lambda: torch_fit(loss, *tensors, short)
    later = {name: times[1] for name, times in race(runs, rounds).items()}
    return {name: later[name] / (long if "fori" in name else short) for name in runs}


jit_update = jax.jit(update)
jit_fori = jax.jit(fori_fit)
jit_while = jax.jit(while_fit)
jit_scan = jax.jit(scan_fit, static_argnums=2)


def cpp_compiler() -> str | None:
    """Find the C++ compiler that ``torch.compile`` would need."""
    names = [os.environ.get("CXX", ""), "g++", "clang++", "cl"]
    return next((name for name in names if name and shutil.which(name)), None)


def forms(
    x: np.ndarray, y: np.ndarray, epochs: int, few: int, compile_torch: bool
) -> dict[str, tuple[int, Callable[[], Any] | str]]:
    """Prepare every way to run the descent.

    Args:
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        epochs: How many steps.
        few: How many steps JAX takes without jit in a Python loop.
        compile_torch: Whether ``torch.compile`` takes part, too.

    Returns:
        For each way, its number of steps, and a function that runs it, or why it is not run.

    >>> ways = forms(*create_dataset(3, 2, 10, seed=0), 5, 2, False)
    >>> ways["for: step"][0], ways["torch.compile"][1].startswith("not run")
    (2, True)
    """
    arrays = jnp.array(x), jnp.array(y)
    ways: dict[str, tuple[int, Callable[[], Any] | str]] = {
        "jit(fori_loop)": (epochs, lambda: jit_fori(*arrays, epochs)),
        "jit(while_loop)": (epochs, lambda: jit_while(*arrays, epochs)),
        "jit(scan)": (epochs, lambda: jit_scan(*arrays, epochs)[0]),
        "fori_loop": (epochs, lambda: fori_fit(*arrays, epochs)),
        "fori_loop, named": (epochs, lambda: named_fit(*arrays, epochs)),
        "for: jit(step)": (epochs, lambda: python_fit(jit_update, *arrays, epochs)),
        "for: step": (few, lambda: python_fit(update, *arrays, few)),
        "NumPy": (epochs, lambda: numpy_fit(x, y, epochs)),
        "PyTorch": (epochs, f"not run: {NO_TORCH}"),
        "torch.compile": (epochs, f"not run: {NO_TORCH}"),
    }
    if torch:
        tensors = torch.tensor(x), torch.tensor(y)
        ways["PyTorch"] = epochs, lambda: torch_fit(loss, *tensors, epochs)
        if not compile_torch:
            ways["torch.compile"] = epochs, "not run: add --torch-compile"
        elif not cpp_compiler():
            ways["torch.compile"] = epochs, "not run: no C++ compiler found, install g++ or clang++"
        else:
            compiled = torch.compile(loss)
            ways["torch.compile"] = epochs, lambda: torch_fit(compiled, *tensors, epochs)
    return ways


def show_race(x: np.ndarray, y: np.ndarray, options: Any) -> None:
    """Run the race and print its table.

    Args:
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        options: What the command line read.
    """
    few = min(options.epochs, 20)
    ways = forms(x, y, options.epochs, few, options.torch_compile)
    runs = {name: run for name, (_, run) in ways.items() if not isinstance(run, str)}
    times = race(runs, options.rounds)
    best = least_squares(x, y)
    print(f"{'':16} {'epochs':>7} {'first [ms]':>11} {'later [ms]':>11} {'gap':>8}")
    for name, (epochs, run) in ways.items():
        if isinstance(run, str):
            print(f"{name:16} {run}")
            continue
        first, later = (1000 * value for value in times[name])
        gap = abs(as_array(run()) - best).max()
        print(f"{name:16} {epochs:7} {first:11.1f} {later:11.2f} {gap:8.1e}")
        if epochs < options.epochs:
            scaled = later / epochs * options.epochs
            print(f"{'':16} {options.epochs:7} {'(estimate)':>11} {scaled:11.0f}")


def draw(
    x: np.ndarray, y: np.ndarray, losses: jax.Array, growth: dict[str, list[float]], sizes: Any
) -> Figure:
    """Draw the fitted line, the loss, and the time over the number of points.

    Args:
        x: Inputs, shape (n,).
        y: Targets, shape (n,).
        losses: The loss before each epoch, shape (epochs,).
        growth: For each way, the time of one epoch for each size, in seconds.
        sizes: Numbers of points.

    Returns:
        Three graphs, one above the other.
    """
    figure = Figure(figsize=(6, 10), layout="constrained")
    line, history, times = figure.subplots(3)
    ends = np.array([0.0, 1.0])
    line.plot(x, y, ".", color="0.6")
    line.plot(ends, np.polyval(least_squares(x, y), ends), lw=2)
    line.set(xlabel="$x$", ylabel="$y$")
    history.loglog(range(1, len(losses) + 1), losses, lw=2)
    history.set(xlabel="$t$", ylabel="$L$")
    for name, values in growth.items():
        times.loglog(sizes, 1e6 * np.array(values), "o-", label=name)
    times.set(xlabel="$N$", ylabel="µs")
    times.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the race, and print both tables."""
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    points = whole_number(2, MAX_POINTS)
    add("--points", type=points, default=100, metavar="N", help=default)
    add("--epochs", type=whole_number(1, MAX_EPOCHS), default=10_000, metavar="N", help=default)
    add("--rounds", type=whole_number(1, 100), default=3, metavar="N", help=default)
    add("--seed", type=whole_number(0, 2**32 - 1), default=0, metavar="N", help=default)
    sizes = [10**k for k in range(2, 7)]
    add("--sizes", type=points, nargs="+", default=sizes, metavar="N", help="for the second table")
    add("--torch-compile", action="store_true", help="add torch.compile; needs a C++ compiler")
    add("--plot", type=picture_file, metavar="FILE", help="draw three graphs into FILE")
    options = parser.parse_args(arguments)

    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    if torch:
        torch.set_num_threads(1)  # it counted the cores when it was imported
    jax.config.update("jax_platforms", "cpu")  # type: ignore[no-untyped-call]
    x, y = create_dataset(3, 2, options.points, options.seed)
    show_race(x, y, options)
    print(f"\n{'µs / epoch':14}", *(f"{n:>10}" for n in options.sizes))
    rows = [per_epoch(n, options.rounds) for n in options.sizes]
    growth = {name: [row[name] for row in rows] for name in rows[0]}
    for name, values in growth.items():
        print(f"{name:14}", *(f"{1e6 * value:10.1f}" for value in values))
    if not torch:
        print(f"{'PyTorch':14} not run: {NO_TORCH}")
    if options.plot:
        losses = scan_fit(jnp.array(x), jnp.array(y), options.epochs)[1]
        save(draw(x, y, losses, growth, options.sizes), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
