"""A profiler trace, recorded and read in Python.

A training loop runs twice under ``jax.profiler.trace``: once it waits for each step before it loads
the next batch, once it loads while the device works. For both, the script prints where the time of
the steps goes, and which share of the device's work happens during loading. Then it adds up the
time of each ``jax.named_scope`` in a compiled function, before and after its slow part is replaced.
With ``--keep FOLDER`` a trace of the second loop stays there for Perfetto or XProf.
"""

# /// script
# requires-python = ">=3.11"
# dependencies = ["jax", "matplotlib"]
# ///

import collections
import functools
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import command_line, folder, whole_number

Event = tuple[str, float, float]
Span = tuple[float, float]


def train(weights: jax.Array, batch: jax.Array) -> jax.Array:
    """Stand in for a step of training: four products of an (m, n) and an (n, n) matrix."""
    for _ in range(4):
        batch = jnp.tanh(batch @ weights)
    return batch


def seconds(function: Callable[..., Any], *arguments: Any) -> float:
    """Time one call, until its result exists."""
    begin = time.perf_counter()
    jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    return time.perf_counter() - begin


def record(run: Callable[[], Any]) -> list[Event]:
    """Record what happens while something runs.

    Returns:
        Name, start and end of each event, in milliseconds of the trace's own clock.

    Raises:
        RuntimeError: If a trace is being recorded already.

    Source:
        https://docs.jax.dev/en/latest/jax.profiler.html

    >>> def nap():
    ...     with jax.profiler.TraceAnnotation("nap"):
    ...         time.sleep(0.01)
    >>> total(spans(record(nap), "nap")) > 9
    True
    """
    with tempfile.TemporaryDirectory() as folder:
        with jax.profiler.trace(folder):
            run()
        [path] = Path(folder).rglob("*.xplane.pb")
        data = jax.profiler.ProfileData.from_file(str(path))
    lines = [line for plane in data.planes for line in plane.lines]
    events = [event for line in lines for event in line.events]
    return [(e.name, e.start_ns / 1e6, e.end_ns / 1e6) for e in events]


def spans(events: Sequence[Event], name: str) -> list[Span]:
    """Return the starts and ends of the events of a name, in milliseconds."""
    return [(start, end) for event, start, end in events if event == name]


def total(spans: Sequence[Span]) -> float:
    """Add up the durations of spans."""
    return sum(end - start for start, end in spans)


def instructions(compiled: Any) -> dict[str, str]:
    """Map each instruction of a compiled program to its operation, with the scopes in front.

    >>> def double(x):
    ...     with jax.named_scope("doubling"):
    ...         return 2 * x
    >>> set(instructions(jax.jit(double).lower(jnp.ones(3)).compile()).values())
    {'jit(double)/doubling/mul'}
    """
    pattern = r'%?([\w.-]+) = .*?op_name="([^"]*/[^"]*)"'
    return dict(re.findall(pattern, compiled.as_text()))


def device_events(compiled: Any, events: Sequence[Event]) -> list[Event]:
    """Choose the events that are named after an instruction of a compiled program."""
    names = instructions(compiled)
    own = [event for event in events if event[0] in names]
    if not own:
        print("No event has the name of an instruction.")
    return own


def scope_times(compiled: Any, events: Sequence[Event]) -> collections.Counter[str]:
    """Add up the milliseconds of a compiled function for each of its named scopes.

    An instruction that was fused from several scopes counts for one of them.

    Source:
        https://docs.jax.dev/en/latest/_autosummary/jax.named_scope.html
    """
    scopes, times = instructions(compiled), collections.Counter()  # type: ignore[var-annotated]
    for name, start, end in device_events(compiled, events):
        times[scopes[name].split("/")[1]] += end - start  # type: ignore[assignment]
    return times


def neighbours(x: jax.Array, squared_distances: Callable[[jax.Array], jax.Array]) -> jax.Array:
    """Average the distance to the nearest other point, for points of shape (N, D).

    >>> points = jnp.array([[0.0], [1.0], [3.0]])
    >>> [round(float(neighbours(points, way)), 3) for way in (by_differences, by_product)]
    [1.333, 1.333]
    """
    with jax.named_scope("distances"):
        d = squared_distances(x) + jnp.diag(jnp.full(len(x), jnp.inf))
    with jax.named_scope("choose"):
        nearest = jnp.argmin(d, axis=1)
    with jax.named_scope("mean"):
        return jnp.mean(jnp.sum((x - x[nearest]) ** 2, axis=1) ** 0.5)


def by_differences(x: jax.Array) -> jax.Array:
    """Compute all squared distances, shape (N, N), by their definition."""
    return jnp.sum((x[:, None] - x) ** 2, axis=-1)


def by_product(x: jax.Array) -> jax.Array:
    """Compute them by a product of matrices; far from the origin, the squares lose digits."""
    squares = jnp.sum(x**2, axis=1)
    return squares[:, None] + squares - 2 * x @ x.T


def training_loop(step: Any, weights: jax.Array, pause: float, steps: int, overlap: bool) -> None:
    """Start each step, and wait for it before or after ``pause`` seconds of loading."""
    annotate = jax.profiler.TraceAnnotation
    for number in range(steps):
        with jax.profiler.StepTraceAnnotation("step", step_num=number):
            result = step(weights, weights)
            if not overlap:
                with annotate("wait"):
                    result.block_until_ready()
            with annotate("load"):
                time.sleep(pause)
            if overlap:
                with annotate("wait"):
                    result.block_until_ready()


def main(arguments: Sequence[str] | None = None) -> int:
    """Record both loops and both functions, and print what their traces show."""
    parser = command_line(__doc__)
    add: Any = parser.add_argument
    default = "default: %(default)s"
    add("--size", type=whole_number(1, 16384), default=512, metavar="N", help=default)
    add("--steps", type=whole_number(1, 1000), default=4, metavar="N", help=default)
    pause_help = f"loading takes this many times as long as a step; {default}"
    add("--pause", type=whole_number(0, 100), default=2, metavar="N", help=pause_help)
    add("--points", type=whole_number(2, 20_000), default=1000, metavar="N", help=default)
    add("--keep", type=folder, metavar="FOLDER", help="keep a trace of the second loop in FOLDER")
    options = parser.parse_args(arguments)

    weights = jax.random.normal(jax.random.key(0), (options.size,) * 2) / options.size**0.5
    step: Any = jax.jit(train).lower(weights, weights).compile()
    pause = options.pause * min(seconds(step, weights, weights) for _ in range(6))
    print("loop         ms/step  device's work during load")
    for name, overlap in (("waiting", False), ("overlapping", True)):
        loop = functools.partial(training_loop, step, weights, pause, options.steps, overlap)
        events = record(loop)
        work = [(start, end) for _, start, end in device_events(step, events)]
        loads = spans(events, "load")
        inside = sum(max(0, min(end, b) - max(start, a)) for start, end in work for a, b in loads)
        share = inside / total(work) if work else float("nan")
        print(f"{name:12}{total(spans(events, 'step')) / options.steps:8.2f}{share:27.0%}")

    points = jax.random.normal(jax.random.key(1), (options.points, 256))
    print("distances           ms  scopes")
    for way in (by_differences, by_product):
        function = functools.partial(neighbours, squared_distances=way)
        compiled: Any = jax.jit(function).lower(points).compile()
        milliseconds = 1e3 * min(seconds(compiled, points) for _ in range(4))
        times = scope_times(compiled, record(functools.partial(seconds, compiled, points)))
        whole = max(sum(times.values()), 1e-9)
        scopes = "  ".join(f"{scope} {ms / whole:.2f}" for scope, ms in times.most_common())
        print(f"{way.__name__:14}{milliseconds:8.2f}  {scopes}")

    if options.keep:
        with jax.profiler.trace(options.keep, create_perfetto_trace=True):
            training_loop(step, weights, pause, options.steps, overlap=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
