"""How often jit compiles for arrays of changing length, with exact lengths and with buckets.

Every new shape makes ``jax.jit`` trace and compile again. This script sends arrays of random
lengths through a jitted standard deviation, once as they are, once padded to the next power of two,
and once padded to the longest, and prints the compilations, the share of padding and the time of
each. The padding is masked, so all three give the same numbers, which NumPy checks.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import functools
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, save, whole_number
from matplotlib.figure import Figure

Rows = list[tuple[int, float]]


def counted(function: Callable[..., Any], **options: Any) -> tuple[Callable[..., Any], list[str]]:
    """Compile a function with jit; each trace adds its tracers and static values to the list.

    >>> power, traces = counted(lambda x, n: x**n, static_argnums=1)
    >>> [float(power(2.0, n)) for n in (3, 3, 4)], len(traces), traces[0].split()[-1]
    ([8.0, 8.0, 16.0], 2, '3')
    """
    traces = []

    @functools.wraps(function)
    def entered(*arguments: Any) -> Any:
        traces.append(" ".join(map(str, jax.tree.leaves(arguments))))
        return function(*arguments)

    return jax.jit(entered, **options), traces


def masked_std(x: jax.Array, n: int | jax.Array) -> jax.Array:
    """Compute the standard deviation of the first n entries of an array; n may be traced.

    >>> float(masked_std(jnp.array([1.0, 3.0, 99.0, 99.0]), 2))
    1.0
    """
    valid = jnp.arange(x.size) < n
    mean = jnp.sum(x, where=valid) / n
    return jnp.sqrt(jnp.sum((x - mean) ** 2, where=valid) / n)


def bucket(n: int) -> int:
    """Round a length of at least 1 up to a power of two.

    >>> [bucket(n) for n in (1, 2, 3, 4, 5, 128, 129)]
    [1, 2, 4, 4, 8, 128, 256]
    """
    return 1 << (n - 1).bit_length()


def pad(x: np.ndarray, size: int) -> np.ndarray:
    """Append zeros with NumPy, because a jnp function would be compiled for each length."""
    padded = np.zeros(size, x.dtype)
    padded[: len(x)] = x
    return padded


def process_all(arrays: Sequence[np.ndarray], size_of: Callable[[int], int]) -> Rows:
    """Send float32 arrays of shape (n,), padded, through a jitted ``masked_std``.

    The result has for each array the number of traces and the seconds so far.

    >>> arrays = [np.ones(n, np.float32) for n in (5, 6, 7, 9)]
    >>> [traces for traces, seconds in process_all(arrays, bucket)]
    [1, 1, 1, 2]
    """
    jitted, traces = counted(masked_std)
    rows: Rows = []
    begin = time.perf_counter()
    for x in arrays:
        result = jitted(pad(x, size_of(len(x))), len(x)).block_until_ready()
        np.testing.assert_allclose(result, x.std(), rtol=1e-4, atol=1e-5)
        rows.append((len(traces), time.perf_counter() - begin))
    return rows


def draw(results: Mapping[str, Rows]) -> Figure:
    """Draw compilations and time over the number of arrays, from the rows of ``process_all``."""
    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.subplots(2, sharex=True)
    colours = ("#b3430f", "#0b5fa5", "#2e7d32")
    for (name, rows), colour in zip(results.items(), colours, strict=True):
        counts, times = np.array(rows).T
        k = np.arange(1, len(rows) + 1)
        axes[0].step(k, counts, where="post", lw=2, color=colour, label=name)
        axes[1].step(k, 1e3 * times, where="post", lw=2, color=colour)
    axes[0].set_ylabel("len(traces)")
    axes[1].set(xlabel="$k$", ylabel="ms")
    axes[0].legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print compilations, padding and time of the three ways."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--arrays", type=whole_number(1, 1000), default=40, help=DEFAULT)
    add("--longest", type=whole_number(1, 10**6), default=500, help=f"their length; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw compilations and time into FILE")
    options = parser.parse_args(arguments)

    rng = np.random.default_rng(0)
    sizes = rng.integers(1, options.longest + 1, options.arrays).tolist()
    arrays = [rng.normal(size=n).astype(np.float32) for n in sizes]
    ways: dict[str, Callable[[int], int]] = {
        "n": lambda n: n,
        "bucket(n)": bucket,
        "longest": lambda n: options.longest,
    }
    results = {}
    print("length     compilations  padding  seconds")
    for name, size_of in ways.items():
        results[name] = process_all(arrays, size_of)
        padding = 1 - sum(sizes) / sum(map(size_of, sizes))
        traces, seconds = results[name][-1]
        print(f"{name:<9}{traces:14d}{padding:9.0%}{seconds:9.2f}", flush=True)
    if options.plot:
        save(draw(results), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
