"""Where a first call spends its time: trace, lower, compile, run.

The stages of ``jax.jit`` are called one by one and timed, for a loop that is unrolled by Python
and for the same loop with ``jax.lax.scan``, at several numbers of steps. From the times follows
the number of calls from which ``jit`` pays off. With ``--cache FOLDER`` the compiled programs are
kept: run the script twice with the same folder, and the second run finds them there. The subject
comes from Japanese slides of 2022 that describe ``jit`` as compiling in advance.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import logging
import math
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from logging.handlers import BufferingHandler
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import command_line, folder, picture_file, save, whole_number
from matplotlib.figure import Figure

State = tuple[jax.Array, jax.Array]
Loop = Callable[[State, int], State]

# An unrolled loop of this length takes minutes to compile on a CPU.
LONGEST_LOOP = 10_000


def swing(state: State) -> State:
    """Move pendulums by one step of 0.01 time units.

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
    """Move pendulums by a Python loop; under ``jit`` the program holds every step.

    Args:
        state: Angles and speeds, arrays of the same shape.
        steps: How many steps.

    Returns:
        Angles and speeds after the last step.

    >>> str(jax.make_jaxpr(unrolled, static_argnums=1)((1.0, 0.0), 7)).count(" sin ")
    7
    """
    for _ in range(steps):
        state = swing(state)
    return state


def scanned(state: State, steps: int) -> State:
    """Move pendulums by ``jax.lax.scan``; the program holds one step.

    Args:
        state: Angles and speeds, float arrays of the same shape.
        steps: How many steps.

    Returns:
        Angles and speeds after the last step.

    >>> state = jnp.array([0.1, 3.0]), jnp.zeros(2)
    >>> bool(jnp.allclose(scanned(state, 7)[0], unrolled(state, 7)[0]))
    True
    >>> str(jax.make_jaxpr(scanned, static_argnums=1)((1.0, 0.0), 7)).count(" sin ")
    1
    """

    def body(state: State, _: None) -> tuple[State, None]:
        return swing(state), None

    return jax.lax.scan(body, state, length=steps)[0]


def compile_log(run: Callable[[], Any]) -> list[str]:
    """Collect what JAX reports about compilation while something runs.

    Args:
        run: What to call; its result is dropped.

    Returns:
        The messages of ``jax.log_compiles``, in their order.

    Source:
        https://docs.jax.dev/en/latest/_autosummary/jax.log_compiles.html

    >>> double, x = jax.jit(lambda x: 2 * x), jnp.ones(5)
    >>> sum("XLA compilation" in line for line in compile_log(lambda: double(x)))
    1
    >>> compile_log(lambda: double(x))
    []
    """
    handler, logger = BufferingHandler(10**6), logging.getLogger("jax")
    logger.addHandler(handler)
    logger.propagate = False
    with jax.log_compiles():
        run()
    logger.removeHandler(handler)
    logger.propagate = True
    return [record.getMessage() for record in handler.buffer]


def timed(function: Callable[..., Any], *arguments: Any) -> tuple[float, Any]:
    """Time one call, until its result is ready.

    Args:
        function: What to call.
        *arguments: What to call it with.

    Returns:
        Seconds, and the result.

    >>> seconds, result = timed(lambda x: x + 1, jnp.array(1))
    >>> seconds > 0, int(result)
    (True, 2)
    """
    begin = time.perf_counter()
    result = jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    return time.perf_counter() - begin, result


def stage_seconds(function: Callable[..., Any], *arguments: Any) -> dict[str, float]:
    """Time each stage of ``jit``, and two runs of the compiled program.

    The function is wrapped anew, so nothing that was done for an earlier call is found again.

    Args:
        function: What to compile; it takes and returns pytrees of arrays.
        *arguments: What to compile it for and run it with.

    Returns:
        Seconds of "trace", "lower" and "compile", of the first run "#1" and the second run "#2".

    Source:
        https://docs.jax.dev/en/latest/jax.stages.html

    >>> seconds = stage_seconds(jnp.sin, jnp.ones(3))
    >>> list(seconds)
    ['trace', 'lower', 'compile', '#1', '#2']
    >>> min(seconds.values()) > 0
    True
    """
    fresh = jax.jit(lambda *values: function(*values))
    seconds = {}
    seconds["trace"], traced = timed(fresh.trace, *arguments)
    seconds["lower"], lowered = timed(traced.lower)
    seconds["compile"], compiled = timed(lowered.compile)
    for number in ("#1", "#2"):
        seconds[number], _ = timed(compiled, *arguments)
    return seconds


def preparation(seconds: Mapping[str, float]) -> float:
    """Add up what is paid before the first run.

    Args:
        seconds: Seconds of each stage, from ``stage_seconds``.

    Returns:
        Seconds of trace, lower and compile together.

    >>> preparation({"trace": 1.0, "lower": 2.0, "compile": 4.0, "#1": 8.0, "#2": 8.0})
    7.0
    """
    return seconds["trace"] + seconds["lower"] + seconds["compile"]


def break_even(preparation: float, plain: float, compiled: float) -> float:
    """Count the calls from which compiling is worth its time.

    Args:
        preparation: Seconds that are paid once.
        plain: Seconds of a call without ``jit``.
        compiled: Seconds of a call of the compiled program.

    Returns:
        The least whole number of calls, or infinity if the compiled program is not faster.

    >>> break_even(1.0, plain=0.3, compiled=0.1)
    5
    >>> break_even(1.0, plain=0.1, compiled=0.1)
    inf
    """
    return math.ceil(preparation / (plain - compiled)) if plain > compiled else math.inf


def stages_of_loop(loop: Loop, state: State, steps: int) -> tuple[dict[str, float], int]:
    """Time the stages of a loop, and count programs from the persistent compilation cache.

    Args:
        loop: ``unrolled`` or ``scanned``.
        state: Angles and speeds, arrays of the same shape.
        steps: How many steps.

    Returns:
        Seconds of each stage as ``stage_seconds`` gives them, and how many programs the log
        reports as found in the folder of the cache.

    Source:
        https://docs.jax.dev/en/latest/501/compilation-cache.html

    >>> seconds, found = stages_of_loop(scanned, (jnp.ones(2), jnp.zeros(2)), 3)
    >>> preparation(seconds) > 0, found
    (True, 0)
    """
    seconds: dict[str, float] = {}

    def run() -> None:
        seconds.update(stage_seconds(lambda state: loop(state, steps), state))

    return seconds, sum("cache hit" in line for line in compile_log(run))


def draw(rows: Mapping[str, Sequence[tuple[int, float]]]) -> Figure:
    """Draw the preparation over the number of steps.

    Args:
        rows: For each loop, steps and seconds of preparation.

    Returns:
        One graph on logarithmic axes, with the times in milliseconds.

    >>> figure = draw({"for": [(8, 0.01), (16, 0.02)], "scan": [(8, 0.01), (16, 0.01)]})
    >>> [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    ['for', 'scan']
    """
    figure = Figure(figsize=(6, 3.2), layout="constrained")
    ax = figure.subplots()
    for (name, values), style, color in zip(
        rows.items(), ("o-", "s-"), ("#b3430f", "#0b5fa5"), strict=True
    ):
        steps, seconds = zip(*values, strict=True)
        ax.loglog(steps, [1e3 * v for v in seconds], style, color=color, lw=2, label=name)
    highest = max(seconds for values in rows.values() for _, seconds in values)
    ax.set_xscale("log", base=2)
    ax.set(xlabel="$n$", ylabel="ms", ylim=(1, 2e3 * highest))
    ax.legend()
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the stages of both loops for each number of steps.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--steps", "2"])  # doctest: +ELLIPSIS
     steps  loop   trace ms  lower ms  compile ms  later run ms  break-even
         2   for ...
         2  scan ...
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    steps_help = "lengths of the loop; default: 8 32 128 512"
    steps_type = whole_number(1, LONGEST_LOOP)
    add("--steps", type=steps_type, nargs="+", default=[8, 32, 128, 512], help=steps_help)
    number_help = "pendulums; default: %(default)s"
    number_type = whole_number(1, 10**7)
    add("--pendulums", type=number_type, default=1000, metavar="N", help=number_help)
    cache_help = "keep compiled programs in FOLDER, and count those found there"
    add("--cache", type=folder, metavar="FOLDER", help=cache_help)
    add("--plot", type=picture_file, metavar="FILE", help="draw the preparation into FILE")
    options = parser.parse_args(arguments)

    if options.cache:
        config: Any = jax.config
        config.update("jax_compilation_cache_dir", str(options.cache))
        config.update("jax_persistent_cache_min_compile_time_secs", 0.0)
        config.update("jax_persistent_cache_min_entry_size_bytes", -1)
    state = jnp.linspace(0.1, 3.0, options.pendulums), jnp.zeros(options.pendulums)
    loops: dict[str, Loop] = {"for": unrolled, "scan": scanned}
    rows: dict[str, list[tuple[int, float]]] = {name: [] for name in loops}
    found = 0
    stages_of_loop(unrolled, state, 1)  # the first use of each stage is slower
    print(" steps  loop   trace ms  lower ms  compile ms  later run ms  break-even")
    for steps in sorted(set(options.steps)):
        timed(unrolled, state, 1)
        plain = min(timed(unrolled, state, steps)[0] for _ in range(3))
        for name, loop in loops.items():
            if sys.stderr.isatty():  # a long loop takes seconds; the row then overwrites this
                print(f"{steps:6d} {name:>5} ...", end="\r", file=sys.stderr, flush=True)
            seconds, hits = stages_of_loop(loop, state, steps)
            found += hits
            stages = [1e3 * seconds[stage] for stage in ("trace", "lower", "compile", "#2")]
            calls = break_even(preparation(seconds), plain, seconds["#2"])
            columns = "{:11.2f}{:10.2f}{:12.2f}{:14.3f}".format(*stages)
            print(f"{steps:6d} {name:>5}{columns}{calls:12g}", flush=True)
            rows[name].append((steps, preparation(seconds)))
    if options.cache:
        print(f"programs found in {options.cache}: {found}")
    if options.plot:
        save(draw(rows), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
