"""A call of JAX returns before its result exists.

You will see, for products of matrices of several sizes, how long the call takes, and how long it
takes until its result is there. Who times the call alone times nothing.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import time

import jax
import jax.numpy as jnp
import matplotlib.pyplot as plt
import numpy as np

SIZES = (64, 128, 256, 512, 1024, 2048)  # rows and columns of the matrices
REPEATS = 10  # of which the fastest counts

product = jax.jit(jnp.matmul)


def call_and_result(x):
    """Time the product of x, shape (n, n), with itself: until the call returns, until it is ready.

    Returns:
        Both times in seconds, from the start of the call.

    >>> returned, ready = call_and_result(jnp.ones((512, 512)))
    >>> 0 < returned <= ready
    True
    """
    start = time.perf_counter()
    result = product(x, x)
    returned = time.perf_counter() - start
    result.block_until_ready()
    return returned, time.perf_counter() - start


def main():
    """Print and draw both times for each size."""
    rows = []
    for n in SIZES:
        x = jax.device_put(np.random.default_rng(0).normal(size=(n, n)).astype("float32"))
        call_and_result(x)  # compiles
        rows.append(np.min([call_and_result(x) for _ in range(REPEATS)], axis=0) * 1e3)
        print(f"n = {n:5}: the call {rows[-1][0]:.3f} ms, the result {rows[-1][1]:8.3f} ms")
    returned, ready = np.array(rows).T
    plt.loglog(SIZES, ready, "o-", label="until the result is there")
    plt.loglog(SIZES, returned, "s--", label="until the call returns")
    plt.xscale("log", base=2)
    plt.xlabel("rows and columns")
    plt.ylabel("time / ms")
    plt.legend()
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("async_dispatch.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
