"""jax.jit compiles a function into one program.

You will see how many times faster a polynomial of 40 operations becomes, for arrays of several
lengths: without jit every operation starts a program of its own, and reads and writes the array.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax>=0.10", "matplotlib"]
# ///

import time

import jax
import matplotlib.pyplot as plt
import numpy as np

LENGTHS = (1, 100, 10_000, 1_000_000)
REPEATS = 20  # of which the fastest counts


def polynomial(x):
    """Evaluate 19 + 18 x + ... + x¹⁸ by Horner's rule, for an array of any shape.

    >>> float(polynomial(np.float32(1.0)))
    190.0
    """
    y = 0.0
    for coefficient in range(20):
        y = y * x + coefficient
    return y


def seconds(function, x):
    """Time a call that has compiled before, until its result exists.

    >>> seconds(jax.jit(polynomial), jax.device_put(np.ones(3, np.float32))) > 0
    True
    """
    function(x).block_until_ready()
    times = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        function(x).block_until_ready()
        times.append(time.perf_counter() - start)
    return min(times)


def main():
    """Print and draw the ratio of the times for each length."""
    jitted = jax.jit(polynomial)
    ratios = []
    for n in LENGTHS:
        x = jax.device_put(np.linspace(-1, 1, n, dtype=np.float32))
        ratios.append(seconds(polynomial, x) / seconds(jitted, x))
        print(f"{n:9} numbers: {ratios[-1]:5.1f} times as fast with jit")
    plt.loglog(LENGTHS, ratios, "o-")
    plt.axhline(1, color="0.5")
    plt.xlabel("length of the array")
    plt.ylabel("time without jit / time with jit")
    if plt.get_backend().lower() == "agg":  # there is no screen
        plt.savefig("jit.png")
    else:
        plt.show()


if __name__ == "__main__":
    main()
