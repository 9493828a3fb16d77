"""Unsupervised Kernel Regression: points in a latent space, moved until they explain the data.

UKR gives each data point a position in a space of one or two dimensions. The data are estimated
from the positions by kernel smoothing, and gradient descent moves the positions until the
estimates are good. The whole descent is one compiled program that keeps its history.

    python examples/ukr.py --data saddle --epochs 200 --plot saddle.png

Sources: Meinicke, Klanke, Memisevic, Ritter (2005), Principal surfaces from unsupervised kernel
regression, IEEE TPAMI 27 (9); keeping the learning history with scan is the subject of an article
in a Japanese laboratory's Advent calendar. The parts are in `examples/_ukr/`.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "scikit-learn"]
# ///

import argparse
import functools
import operator
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from _ukr import rivalry, together
from _ukr.blocks import blocked, sharded
from _ukr.checks import check_numbers, checked_arrays, trouble
from _ukr.command import (
    advanced,
    check_options,
    keep,
    make_parser,
    new_run,
    report,
    resumed,
    show_progress,
)
from _ukr.dense import dense
from _ukr.descent import Form, make_step, penalized, scan
from _ukr.expansion import expansion, harmonics
from _ukr.fused import fused
from _ukr.model import autodiff
from _ukr.products import products
from _ukr.rivalry import RIVALS
from _ukr.runs import Run
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P
from jax.typing import ArrayLike

METHODS = ("auto", "definition", "fused", "products", "dense", "blocks", "expansion")
FORMS: dict[str, Form] = {
    "definition": autodiff,
    "fused": fused,
    "products": products,
    "dense": dense,
    "blocks": blocked,
}

WIDE = 10  # columns of X from which a product with them is faster than a loop over them
LARGE = 4096  # points whose kernel takes 64 MiB as float32
CACHED = 1500  # points whose kernel stays in a processor's cache


class Fit(NamedTuple):
    """What ``fit`` returns.

    Attributes:
        history: Latent positions after each step, shape (epochs, N, L).
        objective: The loss before each step, shape (epochs,): of Z0, history[0], history[1] ...
        method: The form that was used, one of METHODS but "auto".
    """

    history: jax.Array
    objective: jax.Array
    method: str


def fit(
    X: ArrayLike,
    Z0: ArrayLike,
    *,
    epochs: int,
    bandwidth: float,
    learning_rate: float,
    regularization: float = 0.0,
    compact: bool = True,
    leave_one_out: bool = False,
    method: str = "auto",
    mesh: Mesh | None = None,
) -> Fit:
    """Move latent positions by gradient descent until they explain the data.

    The loss is E = 1/N Σ|y_i - x_i|² + λ Σ|z_i|², where y_i is the mean of the data weighted by
    exp(-|z_i - z_j|² / 2 σ²). With float64 data under ``jax_enable_x64`` all is float64, else
    float32. One program is compiled for each shape, number of epochs and method.

    Args:
        X: Data, shape (N, D), at least two points.
        Z0: Latent positions at the start, shape (N, L); 0.1 σ N(0, 1) lets a surface unfold.
        epochs: How many steps, 0 or more.
        bandwidth: σ, the kernel's standard deviation, in the unit of Z.
        learning_rate: η, the factor of the gradient; stable values grow with N.
        regularization: λ, 0 or more, in the unit of E per squared unit of Z. It is not divided
            by N: for twice the points, take half.
        compact: Whether the positions are clipped to [-1, 1] after each step; if not, their mean
            is moved to 0.
        leave_one_out: Whether a point has no part in its own estimate.
        method: One of METHODS: "auto" chooses by the shape of the data; "definition" is
            differentiated by JAX; "fused", "products" and "dense" need N × N numbers; "blocks"
            needs 256 × N; "expansion" needs time and memory that grow with N, only for a compact
            latent space without leave-one-out.
        mesh: Devices that share the points, of this process or of several; the form is then
            "blocks".

    Returns:
        The history (epochs, N, L), positions *after* each step; the objective (epochs,), the loss
        *before* it; and the method. ``fit`` from history[t] continues the run.

    Raises:
        ValueError: If a shape, a number or the method does not fit; the message says what to do.
        TypeError: If epochs is not a whole number.

    Warns:
        UserWarning: If the loss rose or is not finite, if the positions can grow without bound,
            or if they collapsed to one point.

    Source:
        Meinicke et al. (2005), see the top of this file.

    >>> X = jnp.array([[-1.0, 1.0], [0.0, 0.0], [1.0, 1.0]])
    >>> Z0 = jnp.array([[-0.1], [0.0], [0.1]])
    >>> result = fit(X, Z0, epochs=20, bandwidth=0.5, learning_rate=0.1)
    >>> result.history.shape, result.objective.shape, result.method
    ((20, 3, 1), (20,), 'fused')
    >>> bool(result.objective[-1] < 0.5 * result.objective[0])
    True

    Continuing from the middle gives the same end:

    >>> again = fit(X, result.history[9], epochs=10, bandwidth=0.5, learning_rate=0.1)
    >>> bool(jnp.allclose(again.history, result.history[10:]))
    True
    """
    data, start = checked_arrays(X, Z0)
    check_numbers(data.dtype, epochs, bandwidth, learning_rate, regularization)
    if mesh and method not in ("auto", "blocks"):
        raise ValueError(f"method {method!r}: devices share the work in blocks only")
    if method == "auto":
        method = "blocks" if mesh else choose(data, start, bandwidth, compact and not leave_one_out)
    check_method(method, start, compact, leave_one_out)
    if not (compact or leave_one_out or regularization):
        warnings.warn(
            "the loss can fall by blowing the positions up: give compact=True, "
            "leave_one_out=True or a regularization",
            stacklevel=2,
        )
    if mesh:
        whole = NamedSharding(mesh, P())  # type: ignore[no-untyped-call]
        data, start = jax.device_put((data, start), whole)
    form = sharded(mesh) if mesh else form_of(method, data.dtype, bandwidth)
    numbers = (bandwidth, learning_rate, regularization)
    run = compiled(form, operator.index(epochs), bool(compact), bool(leave_one_out))
    history, losses = run(data, start, *(jnp.asarray(number, data.dtype) for number in numbers))
    message = trouble(np.asarray(losses), start, history[-1], bandwidth) if epochs else ""
    if message:
        warnings.warn(message, stacklevel=2)
    return Fit(history, losses, method)


def form_of(method: str, dtype: np.dtype, bandwidth: float) -> Form:
    """Look a form up.

    Args:
        method: One of METHODS but "auto".
        dtype: Of the computation.
        bandwidth: The kernel's standard deviation, for which an expansion is made.

    Returns:
        The form.

    >>> form_of("dense", np.dtype("float32"), 0.2).__name__
    'dense'
    """
    if method == "expansion":
        return expansion(float(bandwidth), tolerance(dtype))
    return FORMS[method]


def tolerance(dtype: np.dtype) -> float:
    """Say what an expansion may leave out: a tenth of what the dtype resolves.

    >>> tolerance(np.dtype("float32")) < 1e-7
    True
    """
    return float(np.finfo(dtype).eps) / 10


def choose(X: jax.Array, Z: jax.Array, bandwidth: float, expandable: bool) -> str:
    """Choose the form that is fastest for data of this shape.

    Args:
        X: Data, shape (N, D).
        Z: Latent positions at the start, shape (N, L).
        bandwidth: The kernel's standard deviation.
        expandable: Whether the latent space is compact, without leave-one-out.

    Returns:
        One of METHODS.

    >>> choose(jnp.zeros((500, 3)), jnp.zeros((500, 2)), 0.2, True)
    'fused'
    >>> choose(jnp.zeros((500, 64)), jnp.zeros((500, 2)), 0.2, True)
    'dense'
    >>> choose(jnp.zeros((50_000, 3)), jnp.zeros((50_000, 2)), 0.2, True)
    'expansion'
    """
    n, dimensions = Z.shape
    _, count = harmonics(bandwidth, tolerance(X.dtype))
    if expandable and jnp.abs(Z).max() <= 1 and n > 4 * (1 + 2 * count) ** dimensions:
        return "expansion"
    if X.shape[1] >= WIDE and n <= LARGE:
        return "dense"
    return "fused" if n <= CACHED else "blocks"


def check_method(method: str, Z: jax.Array, compact: bool, leave_one_out: bool) -> None:
    """Refuse a method that is unknown or does not apply.

    Args:
        method: One of METHODS but "auto".
        Z: Latent positions at the start, shape (N, L).
        compact: Whether the positions are clipped to [-1, 1].
        leave_one_out: Whether a point has no part in its own estimate.

    Raises:
        ValueError: If it cannot be used.

    >>> check_method("magic", jnp.zeros((2, 1)), True, False)
    Traceback (most recent call last):
    ValueError: method 'magic': give auto, definition, fused, products, dense, blocks or expansion
    """
    if method not in METHODS:
        known = ", ".join(METHODS[:-1]) + " or " + METHODS[-1]
        raise ValueError(f"method {method!r}: give {known}")
    if method == "expansion" and (leave_one_out or not compact):
        raise ValueError("method 'expansion': it needs compact=True and no leave_one_out")
    if method == "expansion" and jnp.abs(Z).max() > 1:
        raise ValueError("method 'expansion': give Z0 within [-1, 1]")


@functools.cache
def compiled(form: Form, epochs: int, compact: bool, leave_one_out: bool) -> jax.stages.Wrapped:
    """Make the program of a whole descent; it is compiled when it is first called.

    Args:
        form: Gives the loss and its gradient.
        epochs: How many steps.
        compact: Whether the positions are clipped to [-1, 1].
        leave_one_out: Whether a point has no part in its own estimate.

    Returns:
        A jitted function of X, Z0, bandwidth, learning rate and regularization that returns the
        history and the losses.
    """

    def descend(
        X: jax.Array,
        Z: jax.Array,
        bandwidth: jax.Array,
        learning_rate: jax.Array,
        regularization: jax.Array,
    ) -> tuple[jax.Array, jax.Array]:
        # The estimates move with the data. Around 0 they are more exact.
        X = X - X.mean(axis=0)

        def gradient(Z: jax.Array) -> tuple[jax.Array, jax.Array]:
            return form(Z, X, bandwidth, leave_one_out)

        step = make_step(penalized(gradient, regularization), learning_rate, compact)
        # Some accelerators would else round the factors of a product to fewer bits.
        with jax.default_matmul_precision("float32"):
            return scan(step, Z, epochs)

    # XLA uses half of a CPU's widest registers if it is not told otherwise.
    on_cpu = jax.default_backend() == "cpu"
    options = {"xla_cpu_prefer_vector_width": 512} if on_cpu else None
    return jax.jit(descend, compiler_options=options)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run UKR from the command line.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0; 130 after Ctrl-C, when what is done has been kept; 1 if a process
        failed or a file could not be written.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument or a file is not usable.

    >>> main(["--points", "50", "--epochs", "20"])  # doctest: +ELLIPSIS
    saddle  N = 50  D = 3  L = 2  fused
    epoch 20  E = ...  (1 is the variance of the data)
    0
    """
    parser = make_parser(__doc__, METHODS)
    options = parser.parse_args(arguments)
    try:
        check_options(options)
        if options.processes > 1 and not options.join:
            return together.start(options.processes, arguments or sys.argv[1:])
        join(options)
        run = resumed(options.resume) if options.resume else new_run(options)
        with jax.enable_x64(run.start.dtype == np.float64):
            run, stopped = descend(run, options)
        failed = jax.process_index() == 0 and not keep(run, options)
    except ValueError as error:
        parser.error(str(error))
    return 130 if stopped else int(failed)


def join(options: argparse.Namespace) -> None:
    """Find the devices and the other processes that were asked for.

    Args:
        options: The command line.

    Raises:
        ValueError: If there are fewer devices.
    """
    try:
        if options.devices > 1:
            config: Any = jax.config  # its methods have no types
            config.update("jax_num_cpu_devices", options.devices)
        if options.join:
            port, count, number = options.join
            if number:  # Ctrl-C is for the first process
                signal.signal(signal.SIGINT, signal.SIG_IGN)
            address = f"127.0.0.1:{port}"
            jax.distributed.initialize(address, count, number, coordinator_bind_address=address)
    except RuntimeError as error:
        raise ValueError(str(error).splitlines()[0]) from None
    if jax.local_device_count() < options.devices:
        raise ValueError(f"--devices {options.devices}: there are {jax.local_device_count()}")


def descend(run: Run, options: argparse.Namespace) -> tuple[Run, bool]:
    """Continue a run, until it is done or Ctrl-C stops it.

    Args:
        run: Where to begin.
        options: The command line.

    Returns:
        The run as far as it has come, and whether it was stopped.
    """
    devices = options.devices * options.processes
    mesh = jax.make_mesh((devices,), ("points",)) if devices > 1 else None
    used = options.method

    def advance(run: Run, epochs: int) -> tuple[np.ndarray, np.ndarray]:
        nonlocal used
        settings = run.settings | {"epochs": epochs}
        if used in RIVALS:
            del settings["leave_one_out"]
            return rivalry.descend(used, run.X, run.positions, **settings)
        with warnings.catch_warnings(action="ignore"):  # said once, of the whole run
            part = fit(run.X, run.positions, method=options.method, mesh=mesh, **settings)
        used = part.method
        return np.asarray(part.history), np.asarray(part.objective)

    goal, stopped = len(run.objective) + options.epochs, False
    try:
        for longer in advanced(run, options.epochs, advance, adaptive=options.processes == 1):
            run = longer
            show_progress(run, goal)
    except KeyboardInterrupt:
        stopped = True
    if jax.process_index() == 0:
        report(run, used, goal)
    return run, stopped


if __name__ == "__main__":
    raise SystemExit(main())
