"""Where float32 is not enough: sums that drift, and difference quotients with a step too small.

The first table adds one number again and again, in a loop of ``jax.lax.scan`` with and without
Kahan's compensation and with ``jnp.sum``, and compares with the exact sum. The second finds the
step size at which the difference quotient of the sine is most accurate, in float32 and in
float64, and prints the error of ``jax.grad`` beside it.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from matplotlib.figure import Figure

STEPS = np.geomspace(0.1, 1e-15, 57)
# In float32, 1 + h is 1 for smaller steps.
STEPS_32 = STEPS[:25]


def running_sums(values: jax.Array) -> jax.Array:
    """Sum the first 1, 2, ..., n values, one after the other, in their own dtype: shape (n,).

    In bfloat16, 256 + 1 is rounded back to 256:

    >>> print(running_sums(jnp.ones(300, jnp.bfloat16))[-1])
    256
    """

    def add(total: jax.Array, value: jax.Array) -> tuple[jax.Array, jax.Array]:
        return total + value, total + value

    return jax.lax.scan(add, jnp.zeros((), values.dtype), values)[1]


def compensated_sum(values: jax.Array) -> jax.Array:
    """Add values of shape (n,) one after the other, and carry along what rounding cut off.

    Source: W. Kahan, "Further remarks on reducing truncation errors", Comm. ACM 8 (1965), 40.

    >>> print(compensated_sum(jnp.ones(300, jnp.bfloat16)))
    300
    """

    def add(
        carry: tuple[jax.Array, jax.Array], value: jax.Array
    ) -> tuple[tuple[jax.Array, jax.Array], None]:
        total, excess = carry
        value = value - excess
        new = total + value
        return (new, (new - total) - value), None

    zero = jnp.zeros((), values.dtype)
    return jax.lax.scan(add, (zero, zero), values)[0][0]


def difference_errors(dtype: jax.typing.DTypeLike, steps: np.ndarray) -> np.ndarray:
    """Measure the error of the difference quotient of the sine at 1, for each step.

    >>> difference_errors(jnp.float32, np.array([0.5, 0.25])).round(3).tolist()
    [0.228, 0.11]
    """
    x, h = jnp.ones((), dtype), jnp.asarray(steps, dtype)
    quotients = (jnp.sin(x + h) - jnp.sin(x)) / h
    return np.abs(np.float64(quotients) - np.cos(1.0))  # type: ignore[no-any-return]


def measure() -> dict[str, tuple[np.ndarray, np.ndarray, float]]:
    """Give steps, errors and the error of ``jax.grad``, for "float32" and "float64"."""

    def of_gradient() -> float:
        return abs(float(jax.grad(jnp.sin)(1.0)) - float(np.cos(1.0)))

    in_32 = STEPS_32, difference_errors(jnp.float32, STEPS_32), of_gradient()
    with jax.enable_x64(True):
        in_64 = STEPS, difference_errors(jnp.float64, STEPS), of_gradient()
    return {"float32": in_32, "float64": in_64}


def draw(measured: dict[str, tuple[np.ndarray, np.ndarray, float]]) -> Figure:
    """Draw the errors of difference quotients; dotted is that of ``jax.grad`` in float32."""
    figure = Figure(figsize=(6, 4), layout="constrained")
    ax = figure.subplots()
    colours = {"float32": "#b3430f", "float64": "#0b5fa5"}
    for (name, (steps, errors, _)), mark in zip(measured.items(), "os", strict=True):
        ax.loglog(steps, errors, f"{mark}-", color=colours[name], ms=5, label=name)
    # An error of 0 has no place on a logarithmic axis.
    of_gradient = max(measured["float32"][2], 1e-12)
    ax.axhline(of_gradient, color="0.4", ls=":", lw=2, label="jax.grad")
    ax.set_xlabel("$h$")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of sums and the table of difference quotients.

    >>> main(["--terms", "1000"])  # doctest: +ELLIPSIS
    1000 x 0.1                      sum   relative error
    exact                    100.000001   0.0e+00
    scan                     99.999...   ...
    scan, compensated ...100...   ...
    jnp.sum ...   ...
    <BLANKLINE>
    sin at 1     best step   its error   jax.grad
    float32    ...
    float64    ...
    0
    """
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    add("--terms", type=whole_number(1, 10_000_000), default=1_000_000, help=DEFAULT)
    add("--value", type=real_number(1e-20, 1e20), default=0.1, help=DEFAULT)
    add("--plot", type=picture_file, metavar="FILE", help="draw the errors over the step size")
    options = parser.parse_args(arguments)

    measured = measure()
    if options.plot:
        save(draw(measured), options.plot, parser)

    values = jnp.full(options.terms, options.value)
    # The sum of what float32 stores, so that only the additions are judged.
    exact = options.terms * values[0].item()
    sums = {
        "exact": exact,
        "scan": running_sums(values)[-1].item(),
        "scan, compensated": compensated_sum(values).item(),
        "jnp.sum": jnp.sum(values).item(),
    }
    print(f"{f'{options.terms} x {options.value:g}':<18}  {'sum':>15}   relative error")
    for name, total in sums.items():
        print(f"{name:<18}  {total:15.9g}   {abs(total / exact - 1):.1e}")
    print("\nsin at 1     best step   its error   jax.grad")
    for name, (steps, errors, of_gradient) in measured.items():
        best = errors.argmin()
        print(f"{name}        {steps[best]:.1e}     {errors[best]:.1e}    {of_gradient:.1e}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
