"""Three programs with a typical fault each, slow, NaN and out of memory, and what is wrong.

The table has the time of each step, how often it compiled, whether its result is finite, and the
MiB of arrays that exist afterwards. You can copy ``check_steps`` into a program of your own.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import time
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import DEFAULT, command_line, whole_number

Row = tuple[float, int, bool, float]

compilations: list[float] = []


def listen(event: str, duration_secs: float, **details: str | int) -> None:
    """Note each compilation; a listener of ``jax.monitoring``."""
    if event.endswith("backend_compile_duration"):
        compilations.append(duration_secs)


def check_steps(step: Callable[[Any, Any], Any], state: Any, inputs: Iterable[Any]) -> list[Row]:
    """Run steps, and print and return time, compilations, finiteness and memory of each.

    Args:
        step: A function of the state and one input that returns the next state.
        state: A pytree of arrays of numbers.
        inputs: The input of each step.

    Returns:
        For each step the time in ms, the number of compilations, whether the new state is
        finite, and the MiB of all arrays that exist afterwards.

    >>> import contextlib, io
    >>> with contextlib.redirect_stdout(io.StringIO()):
    ...     rows = check_steps(lambda x, y: x / y, jnp.ones(3), [2.0, 0.0])
    >>> [finite for _, _, finite, _ in rows]
    [True, False]
    """
    rows = []
    for data in inputs:
        compilations.clear()
        begin = time.perf_counter()
        state = jax.block_until_ready(step(state, data))  # type: ignore[no-untyped-call]
        ms, compiled = 1e3 * (time.perf_counter() - begin), len(compilations)
        finite = all(bool(jnp.isfinite(leaf).all()) for leaf in jax.tree.leaves(state))
        live = sum(array.nbytes for array in jax.live_arrays()) / 2**20  # type: ignore[no-untyped-call]
        rows.append((ms, compiled, finite, live))
        print("{:7.1f} ms, compiled: {}, finite: {}, {:5.2f} MiB".format(*rows[-1]))
    return rows


def last_finite(step: Callable[[Any, Any], Any], state: Any, inputs: Iterable[Any]) -> Any:
    """Return the state before the first step whose result is not finite, or the last state.

    >>> float(last_finite(lambda x, y: x / y, jnp.ones(()), [2.0, 0.0, 5.0]))
    0.5
    """
    for data in inputs:
        after = step(state, data)
        if not all(jnp.isfinite(leaf).all() for leaf in jax.tree.leaves(after)):
            break
        state = after
    return state


def first_infinity(step: Callable[[Any, Any], Any], state: Any, data: Any) -> str:
    """Name the operation of a step that produces the first infinity, or return ""."""
    try:
        with jax.disable_jit(), jax.debug_infs(True):
            step(state, data)
    except FloatingPointError as error:
        return str(error).splitlines()[0]
    return ""


def diagnose(rows: Sequence[Row]) -> str:
    """Say in one line what is wrong with steps, or that nothing is.

    >>> diagnose([(80.0, 1, True, 1.0), (70.0, 1, True, 1.0), (70.0, 1, True, 1.0)])
    'slow: later steps compile, too; trace what varies, and keep shapes and functions'
    >>> diagnose([(80.0, 1, True, 1.0), (0.1, 0, True, 1.0), (0.1, 0, True, 1.0)])
    'nothing found: if it is slow, record a profile'
    """
    later = rows[1:]
    growth = [after[3] - before[3] for before, after in pairwise(later)]
    bad = next((number for number, row in enumerate(rows) if not row[2]), None)
    if bad is not None:
        return f"NaN or infinity in step {bad}: repeat it alone with jax.debug_infs"
    if growth and min(growth) > 0:
        return f"{min(growth):.2f} MiB more in each step: something stores old arrays"
    if any(row[1] for row in later):
        return "slow: later steps compile, too; trace what varies, and keep shapes and functions"
    return "nothing found: if it is slow, record a profile"


def programs() -> dict[str, tuple[Callable[..., Any], jax.Array, float]]:
    """Build the faulty steps, each with its first state and the input of the first step."""
    x = jax.random.normal(jax.random.key(0), (1000, 8))
    y = x @ jnp.arange(8.0)
    labels, history = (y > 0).astype(jnp.float32), []

    def descend(w: jax.Array, rate: float) -> Any:
        return w - rate * jax.grad(lambda w: jnp.mean((x @ w - y) ** 2))(w)

    def cross_entropy(w: jax.Array) -> jax.Array:
        p = jax.nn.sigmoid(x @ w)
        return -jnp.mean(labels * jnp.log(p) + (1 - labels) * jnp.log(1 - p))

    def classify(w: jax.Array, rate: float) -> Any:
        return w - rate * jax.grad(cross_entropy)(w)

    def remember(w: jax.Array, rate: float) -> jax.Array:
        history.append(w - rate)
        return history[-1]

    slow = jax.jit(descend, static_argnames="rate"), jnp.zeros(8), 0.1
    nan = jax.jit(classify), jnp.zeros(8), 20.0
    return {"slow": slow, "nan": nan, "memory": (remember, jnp.zeros((512, 512)), 0.1)}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run each program for a few steps, and print what is wrong with it."""
    parser = command_line(__doc__)
    steps = f"steps of each program; {DEFAULT}"
    parser.add_argument("--steps", type=whole_number(3, 100), default=6, metavar="N", help=steps)
    options = parser.parse_args(arguments)

    jax.monitoring.register_event_duration_secs_listener(listen)
    for name, (step, state, rate) in programs().items():
        print(f"\n{name}")
        rates = [rate * 0.99**n for n in range(options.steps)]
        print(diagnose(check_steps(step, state, rates)))
        if name == "nan":
            print(first_infinity(step, last_finite(step, state, rates), rate))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
