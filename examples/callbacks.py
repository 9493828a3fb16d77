"""SciPy's Airy function within JAX, with its derivatives, and the price of calling out.

The Airy function is called by ``jax.pure_callback``, a filter by ``jax.ffi`` where there is a C++
compiler. The table compares the time of a batch in one call and in one call for each number.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib", "scipy"]
# ///

import ctypes
import pathlib
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import scipy.special  # type: ignore[import-untyped]
from _command_line import command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure

SOURCE = r"""
#include "xla/ffi/api/ffi.h"
namespace ffi = xla::ffi;

static void smooth(const float* x, float* y, int64_t n, float decay) {
  float level = 0;
  for (int64_t i = 0; i < n; i++) y[i] = level = decay * level + (1 - decay) * x[i];
}

static ffi::Error Wrapper(float decay, ffi::Buffer<ffi::F32> x,
                          ffi::ResultBuffer<ffi::F32> y) {
  int64_t n = x.dimensions().back(), total = x.element_count();
  for (int64_t i = 0; i < total; i += n)
    smooth(x.typed_data() + i, y->typed_data() + i, n, decay);
  return ffi::Error::Success();
}

XLA_FFI_DEFINE_HANDLER_SYMBOL(Smooth, Wrapper, ffi::Ffi::Bind().Attr<float>("decay")
    .Arg<ffi::Buffer<ffi::F32>>().Ret<ffi::Buffer<ffi::F32>>());
"""


def airy_on_host(x: jax.Array) -> tuple[np.ndarray, np.ndarray]:
    """Compute the Airy function and its slope with SciPy; both have the shape of x."""
    value, slope, _, _ = scipy.special.airy(np.asarray(x))
    return value, slope


@jax.custom_jvp
def airy(x: jax.Array) -> Any:
    """Compute the Airy function Ai and its slope, differentiable as often as you like.

    >>> value, slope = jax.jit(airy)(jnp.array(0.0))
    >>> round(float(value), 4), round(float(slope), 4)
    (0.355, -0.2588)
    >>> round(float(jax.grad(lambda x: airy(x)[0])(0.0)), 4)
    -0.2588
    """
    like = jax.ShapeDtypeStruct(jnp.shape(x), jnp.result_type(x))  # type: ignore[no-untyped-call]
    return jax.pure_callback(airy_on_host, (like, like), x, vmap_method="expand_dims")


@airy.defjvp
def airy_jvp(inputs: tuple[jax.Array], changes: tuple[jax.Array]) -> Any:
    """Return both results and their changes: the slope of the slope is x times the value."""
    (x,), (change,) = inputs, changes
    value, slope = airy(x)
    return (value, slope), (slope * change, x * value * change)


def mapped(method: str) -> Callable[[jax.Array], jax.Array]:
    """Compile the Airy function of a batch, with a ``vmap_method`` of your choice.

    >>> bool(jnp.array_equal(mapped("sequential")(jnp.ones(3)), mapped("expand_dims")(jnp.ones(3))))
    True
    """
    like = jax.ShapeDtypeStruct((), jnp.float32)  # type: ignore[no-untyped-call]

    def one(x: jax.Array) -> Any:
        return jax.pure_callback(airy_on_host, (like, like), x, vmap_method=method)[0]

    return jax.jit(jax.vmap(one))


def best_seconds(function: Callable[..., Any], *arguments: jax.Array, rounds: int = 5) -> float:
    """Return the shortest time of a call, after one call that may compile."""
    jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
        times.append(time.perf_counter() - start)
    return min(times)


def load_library(compiler: str, source: str) -> ctypes.CDLL:
    """Compile a C++ source that includes XLA's headers, and load the library."""
    folder = pathlib.Path(tempfile.mkdtemp())
    (folder / "smooth.cc").write_text(source)
    command = [compiler, "-O2", "-std=c++17", "-shared", "-fPIC", "-w"]
    command += ["-I", jax.ffi.include_dir(), "smooth.cc", "-o", "smooth.so"]
    subprocess.run(command, cwd=folder, check=True)
    return ctypes.cdll.LoadLibrary(str(folder / "smooth.so"))


def smooth_in_c(x: jax.Array, decay: float) -> jax.Array:
    """Smooth the last axis exponentially with the library, registered as "smooth"; float32."""
    like = jax.ShapeDtypeStruct(x.shape, x.dtype)  # type: ignore[no-untyped-call]
    call = jax.ffi.ffi_call("smooth", like, vmap_method="broadcast_all")
    return call(x, decay=np.float32(decay))


def smooth_by_scan(x: jax.Array, decay: float) -> jax.Array:
    """Smooth an array of shape (n,) exponentially.

    >>> print(smooth_by_scan(jnp.array([1.0, 0.0, 0.0]), 0.5))
    [0.5   0.25  0.125]
    """

    def body(level: jax.Array, value: jax.Array) -> tuple[jax.Array, jax.Array]:
        level = decay * level + (1 - decay) * value
        return level, level

    return jax.lax.scan(body, jnp.zeros((), x.dtype), x)[1]


def draw(x: jax.Array) -> Figure:
    """Draw the brightness near a rainbow, and its slope."""
    brightness, slope = jax.vmap(jax.value_and_grad(lambda x: airy(x)[0] ** 2))(x)
    figure = Figure(figsize=(6, 3.6), layout="constrained")
    ax = figure.subplots()
    ax.plot(x, brightness, color="#0b5fa5", lw=2, label=r"$\mathrm{Ai}^2$")
    ax.plot(x, slope, color="#b3430f", lw=2, label=r"$d\,\mathrm{Ai}^2 / dx$")
    ax.set(xlabel="$x$")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print derivatives, the price of calls, and whether the C function agrees with scan."""
    parser = command_line(__doc__)
    add = parser.add_argument
    default = "default: %(default)s"
    add("--at", type=real_number(-20, 20), default=-2.0, metavar="X", help=f"place; {default}")
    batch = f"numbers in the batch; {default}"
    add("--batch", type=whole_number(1, 100_000), default=1000, metavar="N", help=batch)
    add("--plot", type=picture_file, metavar="FILE", help="draw the brightness into FILE")
    options = parser.parse_args(arguments)

    height = jax.value_and_grad(lambda x: airy(x)[0])
    value, slope = height(jnp.array(options.at))
    curvature = jax.grad(lambda x: height(x)[1])(jnp.array(options.at))
    print(f"Ai({options.at:g}) = {value:.4f}, slope {slope:.4f}, curvature {curvature:.4f}")

    x = jnp.linspace(-12.0, 4.0, options.batch)
    for method in ("sequential", "expand_dims"):
        print(f"{method:12}{1e6 * best_seconds(mapped(method), x):10.0f} µs")

    if compiler := shutil.which("g++") or shutil.which("clang++"):
        handler = jax.ffi.pycapsule(load_library(compiler, SOURCE).Smooth)  # type: ignore[no-untyped-call]
        jax.ffi.register_ffi_target("smooth", handler, platform="cpu")
        noise = np.random.default_rng(0).normal(size=options.batch).astype("float32")
        signal = jax.device_put(noise, jax.devices("cpu")[0])
        difference = jnp.max(jnp.abs(smooth_in_c(signal, 0.9) - smooth_by_scan(signal, 0.9)))
        print(f"C and lax.scan differ by at most {difference:.1g}")
    else:
        print("no C++ compiler here: the C function was not compiled")
    if options.plot:
        save(draw(jnp.linspace(-12.0, 4.0, 300)), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
