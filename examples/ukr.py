"""Unsupervised Kernel Regression: points in a latent space, moved until they explain the data.

UKR gives each data point a position in a space of one or two dimensions. The data are estimated
from the positions by kernel smoothing, and gradient descent moves the positions until the
estimates are good. The descent is one compiled program, whatever the number of epochs, and it
returns its history.

    python examples/ukr.py --data saddle --epochs 200 --plot saddle.png

Sources: Meinicke, Klanke, Memisevic, Ritter (2005), Principal surfaces from unsupervised kernel
regression, IEEE TPAMI 27 (9); keeping the learning history with scan is the subject of an article
in a Japanese laboratory's Advent calendar. The parts are in `examples/_ukr/`.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "scikit-learn"]
# ///

import functools
import operator
import sys
import warnings
from collections.abc import Callable, Sequence
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from _ukr import rivalry, together
from _ukr.blocks import blocked, sharded
from _ukr.checks import check_numbers, checked_arrays, trouble
from _ukr.command import (
    check_options,
    make_parser,
    new_run,
    print_result,
    resumed_run,
    show_progress,
    write_files,
)
from _ukr.dense import dense
from _ukr.descent import Form, chunk, make_step, penalized
from _ukr.expansion import expansion, harmonics
from _ukr.fused import CPU_OPTIONS, fused
from _ukr.model import autodiff
from _ukr.products import products
from _ukr.rivalry import RIVALS
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
CHUNK = 100  # epochs in one call of the compiled program, at most
CHUNK_PAIRS = 200_000_000  # pairs of points in one call: about a second at most


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
    on_chunk: Callable[[np.ndarray, np.ndarray], object] = lambda history, losses: None,
) -> Fit:
    """Move latent positions by gradient descent until they explain the data.

    The loss is E = 1/N Σ|y_i - x_i|² + λ Σ|z_i|², where y_i is the mean of the data weighted by
    exp(-|z_i - z_j|² / 2 σ²). With float64 data under ``jax_enable_x64`` all is float64, else
    float32. One program is compiled for each shape and method. It runs a chunk of up to 100
    epochs; X and Z stay on the device between the chunks.

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
            differentiated by JAX; it, "products" and "dense" need N × N numbers, "fused" and
            "blocks" some rows of N; "expansion" needs time and memory that grow with N, only for
            a compact latent space without leave-one-out.
        mesh: Devices that share the points, of this process or of several; the form is then
            "blocks".
        on_chunk: Called after each chunk with its history, shape (steps, N, L), and its losses,
            shape (steps,).

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
    Z = start
    if mesh:
        replicated = NamedSharding(mesh, P())  # type: ignore[no-untyped-call]
        data, Z = jax.device_put((data, Z), replicated)
    form = sharded(mesh) if mesh else form_of(method, data.dtype, bandwidth)
    length = max(1, min(CHUNK, CHUNK_PAIRS // len(start) ** 2))
    program = compiled(form, length, bool(compact), bool(leave_one_out))
    numbers = np.array([bandwidth, learning_rate, regularization], data.dtype)

    parts = [(np.zeros((0, *start.shape), data.dtype), np.zeros(0, data.dtype))]
    for first in range(0, operator.index(epochs), length):
        steps = min(length, epochs - first)
        Z, history, losses = program(data, Z, *numbers, steps)
        parts.append((np.asarray(history)[:steps], np.asarray(losses)[:steps]))
        on_chunk(*parts[-1])
    history, losses = map(np.concatenate, zip(*parts, strict=True))
    message = trouble(losses, start, history[-1], bandwidth) if epochs else ""
    if message:
        warnings.warn(message, stacklevel=2)
    return Fit(jax.device_put(history), jax.device_put(losses), method)


@functools.cache
def compiled(form: Form, length: int, compact: bool, leave_one_out: bool) -> jax.stages.Wrapped:
    """Return the program of a descent; it is compiled when it is first called.

    Args:
        form: Gives the loss and its gradient.
        length: The length of the history; the number of steps may be smaller.
        compact: Whether the positions are clipped to [-1, 1].
        leave_one_out: Whether a point has no part in its own estimate.

    Returns:
        A jitted function of X (N, D), Z (N, L), bandwidth, learning rate, regularization and the
        number of steps, which is no reason to compile again. It returns the last Z (N, L), the
        history (length, N, L) and the losses (length,), with zeros after the last step.
    """

    def descend(
        X: jax.Array,
        Z: jax.Array,
        bandwidth: jax.Array,
        learning_rate: jax.Array,
        regularization: jax.Array,
        steps: int | jax.Array = length,
    ) -> tuple[jax.Array, jax.Array, jax.Array]:
        # The estimates move with the data. Around 0 they are more exact.
        X = X - X.mean(axis=0)

        def gradient(Z: jax.Array) -> tuple[jax.Array, jax.Array]:
            return form(Z, X, bandwidth, leave_one_out)

        step = make_step(penalized(gradient, regularization), learning_rate, compact)
        # Some accelerators would else round the factors of a product to fewer bits.
        with jax.default_matmul_precision("float32"):
            return chunk(step, Z, length, steps)

    options = CPU_OPTIONS if jax.default_backend() == "cpu" else None
    return jax.jit(descend, compiler_options=options)


def form_of(method: str, dtype: np.dtype, bandwidth: float) -> Form:
    """Return the form of a method: a function of Z, X, bandwidth and leave_one_out.

    Args:
        method: One of METHODS but "auto".
        dtype: Of the computation.
        bandwidth: The kernel's standard deviation, for which an expansion is made.

    Returns:
        A function that returns the loss, shape (), and its gradient, shape (N, L).

    >>> form_of("dense", np.dtype("float32"), 0.2).__name__
    'dense'
    """
    if method == "expansion":
        return expansion(float(bandwidth), tolerance(dtype))
    return FORMS[method]


def tolerance(dtype: np.dtype) -> float:
    """Return the error that an expansion may have: a tenth of the precision of the dtype.

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
    if expandable and in_square(Z) and n > 4 * (1 + 2 * count) ** dimensions:
        return "expansion"
    if X.shape[1] >= WIDE and n <= LARGE:
        return "dense"
    return "fused" if X.shape[1] < WIDE else "blocks"


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
        valid = ", ".join(METHODS[:-1]) + " or " + METHODS[-1]
        raise ValueError(f"method {method!r}: give {valid}")
    if method == "expansion" and (leave_one_out or not compact):
        raise ValueError("method 'expansion': it needs compact=True and no leave_one_out")
    if method == "expansion" and not in_square(Z):
        raise ValueError("method 'expansion': give Z0 within [-1, 1]")


def in_square(Z: jax.Array) -> bool:
    """Return whether all positions, shape (N, L), are within [-1, 1]."""
    return bool(jnp.abs(Z).max() <= 1)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run UKR from the command line.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0; 130 after Ctrl-C, when the finished chunks have been saved; 1 if a
        process failed or a file could not be written.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument or a file is not usable.

    >>> main(["--points", "50", "--epochs", "20"])  # doctest: +ELLIPSIS
    saddle  N = 50  D = 3  L = 2  fused
    epoch 20  E = ...  (1 is the variance of the data)
    0
    """
    parser = make_parser(__doc__, METHODS)
    options = parser.parse_args(arguments)
    parts: list[tuple[np.ndarray, np.ndarray]] = []
    method, status = options.method, 0
    try:
        check_options(options)
        if options.processes > 1 and not options.join:
            return together.start(options.processes, arguments or sys.argv[1:])
        mesh = together.mesh(options)
        run = resumed_run(options.resume) if options.resume else new_run(options)
        goal = len(run.objective) + options.epochs
        settings = run.settings | {"epochs": options.epochs}

        def on_chunk(history: np.ndarray, losses: np.ndarray) -> None:
            parts.append((history, losses))
            finished = len(run.objective) + sum(len(losses) for _, losses in parts)
            show_progress(finished, goal, losses[-1])

        try:
            with jax.enable_x64(run.start.dtype == np.float64):
                if method in RIVALS:
                    del settings["leave_one_out"]
                    on_chunk(*rivalry.descend(method, run.X, run.positions, **settings))
                else:
                    settings |= {"method": method, "mesh": mesh, "on_chunk": on_chunk}
                    with warnings.catch_warnings(action="ignore"):  # print_result prints them
                        method = fit(run.X, run.positions, **settings).method
        except KeyboardInterrupt:
            status = 130
    except ValueError as error:
        parser.error(str(error))
    if jax.process_index() > 0:
        return status
    run = run.extended(parts)
    print_result(run, method, goal)
    return status if write_files(run, options) else 1


if __name__ == "__main__":
    raise SystemExit(main())
