"""Newton's method with 10,000 unknowns and no Hessian, with jax.linearize over jax.grad.

Events are counted in each hour, and the expected number per hour is estimated from the counts.
The unknowns are its logarithms. Newton's method needs the Hessian only as products with vectors:
each is one JVP of the gradient, so no matrix is built. The script prints how fast the gradient
vanishes, how large the Hessian would have been, and what a product costs with and without it.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

from collections.abc import Callable, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from _command_line import DEFAULT, command_line, picture_file, real_number, save, whole_number
from jax.scipy.sparse.linalg import cg
from matplotlib.figure import Figure

MOST_HOURS = 1_000_000  # fits in the memory of any laptop
COUNTED_HOURS = 1024  # operations are not counted for more


def make_counts(key: jax.Array, n: int) -> tuple[jax.Array, jax.Array]:
    """Draw how many events happened in each of n hours (Poisson).

    The first result is the expected numbers exp(1 + sin t), with t from 0 to 4 pi.
    """
    rate = jnp.exp(1 + jnp.sin(jnp.linspace(0, 4 * jnp.pi, n)))
    return rate, jax.random.poisson(key, rate).astype(jnp.float32)


def energy(x: jax.Array, counts: jax.Array, weight: float) -> jax.Array:
    """Measure how badly log rates x fit the counts, and how much neighbours differ.

    The result is the negative logarithm of the Poisson probability up to a constant, plus half the
    weighted sum of squared differences.

    >>> float(energy(jnp.zeros(3), jnp.ones(3), 10.0))
    3.0
    """
    misfit = jnp.sum(jnp.exp(x) - counts * x)
    return misfit + weight * jnp.sum(jnp.diff(x) ** 2) / 2


def hessian_vector(
    function: Callable[[jax.Array], jax.Array], x: jax.Array, v: jax.Array
) -> jax.Array:
    """Multiply the Hessian of a function at x by a vector v of shape (n,), without the Hessian.

    Raises:
        TypeError: If the function does not return a scalar, or v has another dtype than x.

    >>> print(hessian_vector(lambda x: jnp.sum(x**3), jnp.array([1.0, 2.0]), jnp.ones(2)))
    [ 6. 12.]
    """
    return jax.jvp(jax.grad(function), (x,), (v,))[1]  # type: ignore[no-any-return]


def newton_cg_step(
    function: Callable[[jax.Array], jax.Array], x: jax.Array
) -> tuple[jax.Array, jax.Array]:
    """Take one step of Newton's method with conjugate gradients.

    The gradient is linearized once; each iteration of ``cg`` then multiplies one vector by the
    Hessian. The function should be convex near x.

    Returns:
        The next x, shape (n,), and the length of the gradient at the old x, shape ().

    >>> after, length = newton_cg_step(lambda x: jnp.sum((x - 3) ** 2), jnp.zeros(4))
    >>> print(after, length)  # a quadratic function needs one step
    [3. 3. 3. 3.] 12.0
    """
    slope, push = jax.linearize(jax.grad(function), x)
    move, _ = cg(push, slope, tol=1e-4, maxiter=500)  # type: ignore[no-untyped-call]
    return x - move, jnp.linalg.norm(slope)


def flops(function: Callable[..., Any], *arguments: Any) -> Any:
    """Estimate the floating-point operations of a function, before compilation.

    >>> flops(lambda x: x + x, jnp.ones(5))
    5.0
    """
    with jax.default_device("cpu"):
        return jax.jit(function).lower(*arguments).cost_analysis()["flops"]  # type: ignore[index]


def costs(n: int) -> tuple[float, float, float]:
    """Count the operations of the energy, of ``hessian_vector``, and of the matrix product.

    >>> alone, product, matrix = costs(32)  # the matrix is not built
    >>> product < 5 * alone, matrix > 32 * alone
    (True, True)
    """
    x = v = jnp.ones(n)

    def function(x: jax.Array) -> jax.Array:
        return energy(x, v, 1.0)

    product = flops(lambda x, v: hessian_vector(function, x, v), x, v)
    matrix = flops(lambda x, v: jax.hessian(function)(x) @ v, x, v)
    return flops(function, x), product, matrix


def draw(counts: jax.Array, rate: jax.Array, estimate: jax.Array) -> Figure:
    """Draw counts, true and estimated events per hour."""
    figure = Figure(figsize=(6, 3), layout="constrained")
    ax = figure.subplots()
    hours = np.arange(len(counts))
    shown = slice(None, None, max(1, len(counts) // 1000))  # more points would overlap
    ax.plot(hours[shown], counts[shown], ".", color="0.6", ms=3)
    ax.plot(hours, rate, color="#0b5fa5", lw=3)
    ax.plot(hours, estimate, color="#b3430f", lw=1.5)
    ax.set(xlabel="h", ylabel="1/h")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Estimate the rates, and print how the gradient vanishes and what was saved.

    >>> main(["--hours", "100", "--weight", "100"])  # doctest: +ELLIPSIS
    length of the gradient   2.5e+01 ...
    mean error per hour      counts 1.18, estimate 0.75
    Hessian, never built     100 x 100, 40,000 bytes
    its product with v       ... energies; through the matrix ...
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    hours, weight = whole_number(16, MOST_HOURS), real_number(1, 1e5)
    add("--hours", type=hours, default=10_000, help=f"unknowns; {DEFAULT}")
    add("--weight", type=weight, default=1000.0, help=f"of neighbours' differences; {DEFAULT}")
    add("--steps", type=whole_number(1, 50), default=6, help=f"of Newton; {DEFAULT}")
    add("--plot", type=picture_file, metavar="FILE", help="draw the estimate into FILE")
    options = parser.parse_args(arguments)

    rate, counts = make_counts(jax.random.key(0), options.hours)

    @jax.jit
    def step(x: jax.Array) -> tuple[jax.Array, jax.Array]:
        return newton_cg_step(lambda x: energy(x, counts, options.weight), x)

    x, lengths = jnp.full(counts.shape, jnp.log(counts.mean())), []
    for _ in range(options.steps):
        x, length = step(x)
        lengths.append(float(length))
    if not float(step(x)[1]) < lengths[0] / 30:  # NaN fails this comparison, too
        parser.error(f"--steps {options.steps} are too few: give more, or a larger --weight")
    if options.plot:
        save(draw(counts, rate, jnp.exp(x)), options.plot, parser)
    raw, smooth = (float(jnp.mean(jnp.abs(y - rate))) for y in (counts, jnp.exp(x)))
    n = options.hours
    alone, product, matrix = costs(min(n, COUNTED_HOURS))
    print("length of the gradient  ", *(f"{length:.1e}" for length in lengths))
    print(f"mean error per hour      counts {raw:.2f}, estimate {smooth:.2f}")
    print(f"Hessian, never built     {n} x {n}, {4 * n**2:,} bytes")
    where = "" if n <= COUNTED_HOURS else f" (for {COUNTED_HOURS} hours)"
    through = f"through the matrix {matrix / alone:.1f}"
    print(f"its product with v       {product / alone:.1f} energies; {through}{where}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
