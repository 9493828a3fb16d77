# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///
"""How close to the limit of this machine is a program? Measure the limit, and three programs.

    python examples/limits.py               # a CPU takes about ten seconds
    python examples/limits.py --megabytes 512

The bandwidth is that of a large addition, the rate that of a large product in float32. The page
docs/measure/limits.md explains both.
"""

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import DEFAULT, command_line, whole_number

on_cpu = jax.default_backend() == "cpu"


def best_seconds(function: Callable[..., Any], *arguments: Any, rounds: int = 7) -> float:
    """Return the shortest time of several calls in seconds, without the compilation.

    >>> 0 < best_seconds(jax.jit(jnp.sin), jnp.ones(3)) < 1
    True
    """
    jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call] # compile first
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
        times.append(time.perf_counter() - start)
    return min(times)


def product_rate(dtype: Any, precision: str | None = "highest") -> float:
    """Operations a second of a product of two large matrices."""
    n = 1024 if on_cpu else 8192
    a = jax.random.normal(jax.random.key(0), (n, n), dtype)
    product = jax.jit(partial(jnp.matmul, precision=precision))
    return 2 * n**3 / best_seconds(product, a, a)


def gelu(x: jax.Array) -> jax.Array:
    """The activation function GELU, approximately.

    >>> jnp.round(gelu(jnp.array([-3.0, 0.0, 3.0])), 2).tolist()
    [-0.0, 0.0, 3.0]
    """
    return 0.5 * x * (1 + jnp.tanh(0.8 * (x + 0.045 * x**3)))


@jax.jit
def regression(w: jax.Array, x: jax.Array, y: jax.Array) -> jax.Array:
    """Fit y = x w by a thousand steps of gradient descent, from w."""

    def update(_: Any, w: jax.Array) -> jax.Array:
        return w - 0.1 * x.T @ (x @ w - y) / len(y)

    return jax.lax.fori_loop(0, 1000, update, w)  # type: ignore[no-any-return]


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, and print a row for each program."""
    parser = command_line(__doc__)
    parser.add_argument(
        "--megabytes",
        type=whole_number(1, 16_384),
        default=128 if on_cpu else 4096,
        help=f"size of the array that measures the bandwidth ({DEFAULT})",
    )
    options: argparse.Namespace = parser.parse_args(arguments)
    large = jnp.ones(options.megabytes * 2**18)
    bandwidth = 2 * large.nbytes / best_seconds(jax.jit(lambda x: x + 1), large)
    rate = product_rate(jnp.float32)
    print(f"{bandwidth / 1e9:.0f} GB/s, {rate / 1e9:.0f} billion operations/s in float32")
    x = jax.random.normal(jax.random.key(5), (100, 2))
    programs = (
        ("GELU without jit", gelu, (large,), 10 * large.size),
        ("GELU with jit", jax.jit(gelu), (large,), 10 * large.size),
        ("regression", regression, (jnp.zeros(2), x, x @ jnp.ones(2)), 4000 * x.size),
    )
    for name, function, inputs, operations in programs:
        arrays = (*inputs, jax.eval_shape(function, *inputs))
        size = sum(array.size * array.dtype.itemsize for array in arrays)
        shortest = max(operations / rate, size / bandwidth)
        print(f"{name:18}{shortest / best_seconds(function, *inputs):7.1%} of the limit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
