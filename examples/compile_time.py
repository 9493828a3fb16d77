"""Where a first call spends its time: trace, lower, compile, run.

The stages of ``jax.jit`` are called one by one and timed, for a loop that is unrolled by Python
and for the same loop with ``jax.lax.scan``. With ``--cache FOLDER`` the compiled programs are
stored: run the script twice with the same folder, and the second run reads them from there.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import command_line, folder, picture_file, save, whole_number
from matplotlib.figure import Figure

State = tuple[jax.Array, jax.Array]

LONGEST_LOOP = 10_000  # an unrolled loop of this length takes minutes to compile on a CPU


def swing(state: State) -> State:
    """Move pendulums by a time step of 0.01.

    Args:
        state: Angles (radians) and speeds (radians per time unit), arrays of the same shape.

    Returns:
        The new angles and speeds (semi-implicit Euler, in units where gravity and length are 1).

    >>> angle, speed = swing((jnp.array(0.0), jnp.array(1.0)))
    >>> round(float(angle), 4), float(speed)
    (0.01, 1.0)
    """
    angle, speed = state
    speed = speed - 0.01 * jnp.sin(angle)
    return angle + 0.01 * speed, speed


def unrolled(state: State, steps: int) -> State:
    """Move pendulums by a Python loop; under ``jit`` the program contains every step.

    >>> str(jax.make_jaxpr(unrolled, static_argnums=1)((1.0, 0.0), 7)).count(" sin ")
    7
    """
    for _ in range(steps):
        state = swing(state)
    return state


def scanned(state: State, steps: int) -> State:
    """Move pendulums by ``jax.lax.scan``; the program contains one step.

    >>> str(jax.make_jaxpr(scanned, static_argnums=1)((1.0, 0.0), 7)).count(" sin ")
    1
    """

    def body(state: State, _: None) -> tuple[State, None]:
        return swing(state), None

    return jax.lax.scan(body, state, length=steps)[0]


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Return the seconds of a call, until its result exists, and the result."""
    begin = time.perf_counter()
    result = jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    return time.perf_counter() - begin, result


def stage_seconds(function: Callable[..., Any], *arguments: Any) -> dict[str, float]:
    """Time each stage of ``jit``, and a run of the compiled program.

    The function is wrapped anew, so nothing is found in the cache of an earlier call.

    Args:
        function: What to compile; it takes and returns pytrees of arrays.
        *arguments: What to compile it for and run it with.

    Returns:
        Seconds of "trace", "lower", "compile", and of the fastest of five runs, "run".

    Source:
        https://docs.jax.dev/en/latest/jax.stages.html

    >>> list(stage_seconds(jnp.sin, jnp.ones(3)))
    ['trace', 'lower', 'compile', 'run']
    """
    fresh = jax.jit(lambda *values: function(*values))
    seconds = {}
    seconds["trace"], traced = timed(fresh.trace, *arguments)
    seconds["lower"], lowered = timed(traced.lower)
    seconds["compile"], compiled = timed(lowered.compile)
    seconds["run"] = min(timed(compiled, *arguments)[0] for _ in range(5))
    return seconds


def preparation(seconds: Mapping[str, float]) -> float:
    """Add up all that comes before the first run."""
    return seconds["trace"] + seconds["lower"] + seconds["compile"]


def draw(steps: Sequence[int], grown: Mapping[str, Sequence[float]]) -> Figure:
    """Draw the seconds of preparation of each loop over the number of steps."""
    figure = Figure(figsize=(6, 3.2), layout="constrained")
    ax = figure.subplots()
    for (name, values), style in zip(grown.items(), ("o-", "s-"), strict=True):
        color = "#b3430f" if name == "for" else "#0b5fa5"
        ax.loglog(steps, [1e3 * v for v in values], style, color=color, lw=2, label=name)
    ax.set_xscale("log", base=2)
    ax.set(xlabel="$n$", ylabel="ms")
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the stages of both loops for each number of steps."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    steps_help, default = "lengths of the loop; default: 8 32 128 512", "default: %(default)s"
    steps_type, number_type = whole_number(1, LONGEST_LOOP), whole_number(1, 10**7)
    add("--steps", type=steps_type, nargs="+", default=[8, 32, 128, 512], help=steps_help)
    add("--pendulums", type=number_type, default=1000, metavar="N", help=default)
    add("--cache", type=folder, metavar="FOLDER", help="store compiled programs in FOLDER")
    add("--plot", type=picture_file, metavar="FILE", help="draw the preparation into FILE")
    options = parser.parse_args(arguments)

    config: Any = jax.config
    if options.cache:
        config.update("jax_compilation_cache_dir", str(options.cache))
        config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
    state = jnp.linspace(0.1, 3.0, options.pendulums), jnp.zeros(options.pendulums)
    loops: dict[str, Any] = {"for": unrolled, "scan": scanned}
    lengths = sorted(set(options.steps))
    grown: dict[str, list[float]] = {name: [] for name in loops}
    stage_seconds(swing, state)  # the first use of each stage is slower
    print(" steps  loop  trace ms  lower ms  compile ms    run ms")
    for steps in lengths:
        for name, loop in loops.items():
            seconds = stage_seconds(lambda s, loop=loop, n=steps: loop(s, n), state)
            row = "{:10.2f}{:10.2f}{:12.2f}{:10.3f}".format(*(1e3 * s for s in seconds.values()))
            print(f"{steps:6}{name:>6}{row}", flush=True)
            grown[name].append(preparation(seconds))
    if options.plot:
        save(draw(lengths, grown), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
