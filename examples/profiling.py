"""A profiler trace, recorded and read in Python.

Two training loops run under ``jax.profiler.trace``: one waits for each step before it loads the
next batch, the other loads while the device works. For both the script prints where the time of
the steps goes and which share of the device's work falls into each part. Then it sums the time of
a compiled function for each ``jax.named_scope``, before and after its slow part is replaced. With
``--keep FOLDER`` a trace of the second loop stays there for Perfetto or XProf.
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
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
from _command_line import command_line, folder, picture_file, save, whole_number
from matplotlib.figure import Figure

Event = tuple[str, float, float]
Span = tuple[float, float]


def train(weights: jax.Array, batch: jax.Array) -> jax.Array:
    """Stand in for a step of training: four products of matrices.

    Args:
        weights: Matrix, shape (n, n).
        batch: Matrix, shape (m, n).

    Returns:
        Matrix, shape (m, n).

    >>> train(jnp.zeros((3, 3)), jnp.ones((2, 3))).shape
    (2, 3)
    """
    for _ in range(4):
        batch = jnp.tanh(batch @ weights)
    return batch


def seconds(function: Callable[..., Any], *arguments: Any) -> float:
    """Time one call, until its result is ready.

    Args:
        function: What to call.
        *arguments: What to call it with.

    Returns:
        Seconds.

    >>> 0.01 <= seconds(time.sleep, 0.01) < 1
    True
    """
    begin = time.perf_counter()
    jax.block_until_ready(function(*arguments))  # type: ignore[no-untyped-call]
    return time.perf_counter() - begin


def record(run: Callable[[], Any]) -> list[Event]:
    """Record what happens while something runs.

    Args:
        run: What to call; its result is dropped.

    Returns:
        Name, start and end of each event, in milliseconds of the trace's own clock.

    Raises:
        RuntimeError: If a trace is being recorded already.

    Source:
        https://docs.jax.dev/en/latest/jax.profiler.html

    >>> def nap():
    ...     with jax.profiler.TraceAnnotation("nap"):
    ...         time.sleep(0.01)
    >>> [(start, end)] = spans_of(record(nap), ["nap"])
    >>> end - start > 9
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


def total_of(events: Sequence[Event], name: str) -> float:
    """Add up the durations of the events of one name.

    Args:
        events: Events, from ``record``.
        name: Their name.

    Returns:
        Milliseconds.

    >>> total_of([("load", 1.0, 3.0), ("wait", 3.0, 9.0), ("load", 9.0, 10.0)], "load")
    3.0
    """
    return sum(end - start for event, start, end in events if event == name)


def instructions(compiled: Any) -> dict[str, str]:
    """List the instructions of a compiled program.

    Args:
        compiled: What ``compile()`` returns.

    Returns:
        For each instruction the name of the operation it came from, with the scopes in front.

    >>> def double(x):
    ...     with jax.named_scope("doubling"):
    ...         return 2 * x
    >>> compiled = jax.jit(double).trace(jnp.ones(3)).lower().compile()
    >>> set(instructions(compiled).values())
    {'jit(double)/doubling/mul'}
    """
    pattern = r'%?([\w.-]+) = .*?op_name="([^"]*/[^"]*)"'
    return dict(re.findall(pattern, compiled.as_text()))


def spans_of(events: Sequence[Event], names: Collection[str]) -> list[Span]:
    """Choose events by their names.

    Args:
        events: Events, from ``record``.
        names: The names.

    Returns:
        Start and end of each such event in milliseconds, in the order of the starts.

    >>> spans_of([("b", 5.0, 6.0), ("a", 1.0, 2.0), ("c", 3.0, 4.0)], ["a", "b"])
    [(1.0, 2.0), (5.0, 6.0)]
    """
    return sorted((start, end) for name, start, end in events if name in names)


def covered(spans: Sequence[Span], others: Sequence[Span]) -> float:
    """Measure the time that some spans share with others.

    Args:
        spans: Start and end, in the order of the starts; they may overlap one another.
        others: Start and end; these do not overlap one another.

    Returns:
        The shared time, in the unit of the spans; no moment counts twice.

    >>> covered([(0.0, 4.0), (2.0, 5.0)], [(3.0, 10.0)])
    2.0
    """
    seen, last = 0.0, -1.0
    for start, end in spans:
        start = max(start, last)
        seen += sum(max(0, min(end, b) - max(start, a)) for a, b in others)
        last = max(last, end)
    return seen


def neighbours(x: jax.Array, squared_distances: Callable[[jax.Array], jax.Array]) -> jax.Array:
    """Average the distance to the nearest other point.

    Args:
        x: Points, shape (N, D).
        squared_distances: Takes the points, returns the squared distances, shape (N, N).

    Returns:
        The mean distance, shape ().

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
    """Compute squared distances by their definition.

    Args:
        x: Points, shape (N, D).

    Returns:
        The squared distance of each pair, shape (N, N).

    >>> by_differences(jnp.array([[0.0], [2.0]])).tolist()
    [[0.0, 4.0], [4.0, 0.0]]
    """
    return jnp.sum((x[:, None] - x) ** 2, axis=-1)


def by_product(x: jax.Array) -> jax.Array:
    """Compute squared distances by a product of matrices.

    Args:
        x: Points, shape (N, D); close to the origin, or the squares lose digits.

    Returns:
        The squared distance of each pair, shape (N, N).

    >>> by_product(jnp.array([[0.0], [2.0]])).tolist()
    [[0.0, 4.0], [4.0, 0.0]]
    """
    squares = jnp.sum(x**2, axis=1)
    return squares[:, None] + squares - 2 * x @ x.T


def device_events(compiled: Any, events: Sequence[Event]) -> list[Event]:
    """Choose the events of a compiled function.

    Args:
        compiled: What ``compile()`` returned.
        events: Events of a run of it, from ``record``.

    Returns:
        The events that are named after an instruction of the compiled program.

    >>> compiled = jax.jit(jnp.sin).trace(jnp.ones(3)).lower().compile()
    >>> name, *_ = instructions(compiled)
    >>> device_events(compiled, [(name, 1.0, 2.0), ("load", 1.0, 9.0)]) == [(name, 1.0, 2.0)]
    True
    """
    names = instructions(compiled)
    found = [event for event in events if event[0] in names]
    if not found:
        print("No event has the name of an instruction.")
    return found


def scope_times(compiled: Any, events: Sequence[Event]) -> collections.Counter[str]:
    """Add up the time of a compiled function for each of its named scopes.

    An instruction that was fused from several scopes counts for one of them.

    Args:
        compiled: What ``compile()`` returned for a function with ``jax.named_scope``.
        events: Events of a run of it, from ``record``.

    Returns:
        Milliseconds for each scope.

    Source:
        https://docs.jax.dev/en/latest/_autosummary/jax.named_scope.html

    >>> def double(x):
    ...     with jax.named_scope("doubling"):
    ...         return 2 * x
    >>> compiled = jax.jit(double).trace(jnp.ones(3)).lower().compile()
    >>> name, *_ = instructions(compiled)
    >>> scope_times(compiled, [(name, 1.0, 2.0), ("other", 1.0, 9.0), (name, 3.0, 5.0)])
    Counter({'doubling': 3.0})
    """
    scopes, times = instructions(compiled), collections.Counter()  # type: ignore[var-annotated]
    for name, start, end in device_events(compiled, events):
        times[scopes[name].split("/")[1]] += end - start  # type: ignore[assignment]
    return times


class Loops:
    """Two loops over the same steps.

    Args:
        size: Rows and columns of the matrices.
        pause_steps: How many times longer loading takes than a step.

    >>> loops = Loops(8, 2)
    >>> spans_of(record(lambda: loops.waiting(3)), ["load"]) != []
    True
    """

    def __init__(self, size: int, pause_steps: int) -> None:
        self.weights = jax.random.normal(jax.random.key(0), (size, size)) / size**0.5
        self.step: Any = jax.jit(train).trace(self.weights, self.weights).lower().compile()
        seconds(self.step, self.weights, self.weights)
        shortest = min(seconds(self.step, self.weights, self.weights) for _ in range(5))
        self.pause = pause_steps * shortest

    def load(self) -> jax.Array:
        """Stand in for reading a batch: pause, and return a matrix."""
        time.sleep(self.pause)
        return self.weights  # type: ignore[no-any-return]

    def waiting(self, steps: int) -> None:
        """Load a batch, start the step, wait for its result."""
        for number in range(steps):
            with jax.profiler.StepTraceAnnotation("step", step_num=number):
                with jax.profiler.TraceAnnotation("load"):
                    batch = self.load()
                with jax.profiler.TraceAnnotation("wait"):
                    self.step(self.weights, batch).block_until_ready()

    def overlapping(self, steps: int) -> None:
        """Start the step, load the next batch meanwhile, wait for the result."""
        with jax.profiler.TraceAnnotation("load"):
            batch = self.load()
        for number in range(steps):
            with jax.profiler.StepTraceAnnotation("step", step_num=number):
                result = self.step(self.weights, batch)
                if number + 1 < steps:
                    with jax.profiler.TraceAnnotation("load"):
                        batch = self.load()
                with jax.profiler.TraceAnnotation("wait"):
                    result.block_until_ready()


def draw(recorded: Mapping[str, Sequence[Event]], names: Collection[str]) -> Figure:
    """Draw the timelines of recorded loops, one above the other.

    Args:
        recorded: Events of each loop, with "step", "load" and "wait" among them.
        names: Names of the events of the device.

    Returns:
        A graph for each loop, over the milliseconds since it began.

    >>> events = [("step", 0.0, 3.0), ("load", 0.0, 2.0), ("wait", 2.0, 3.0), ("dot", 2.1, 2.9)]
    >>> len(draw({"waiting": events, "overlapping": events}, ["dot"]).axes)
    2
    """
    colors = {"load": "#b3430f", "wait": "#0b5fa5", "device": "#2e7d32"}
    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots(len(recorded), sharex=True)
    for ax, events in zip(axes, recorded.values(), strict=True):
        begin = spans_of(events, ["load", "step"])[0][0]
        rows = {"load": ["load"], "wait": ["wait"], "device": names}
        for y, (row, chosen) in enumerate(rows.items()):
            bars = [(start - begin, end - start) for start, end in spans_of(events, chosen)]
            ax.broken_barh(bars, (y - 0.4, 0.8), color=colors[row])
        ax.set(yticks=range(3), yticklabels=rows, ylim=(2.6, -0.6))
    axes[-1].set_xlabel("ms")
    return figure


def main(arguments: Sequence[str] | None = None) -> int:
    """Record both loops and both functions, and print what their traces say.

    Args:
        arguments: Command-line arguments; those of the process by default.

    Returns:
        The exit status: 0.

    Raises:
        SystemExit: With status 2 after one line on stderr, if an argument is not usable.

    >>> main(["--size", "8", "--steps", "2", "--points", "9"])  # doctest: +ELLIPSIS
    loop         ms/step  load  wait  device in load  device in wait
    waiting ...
    overlapping ...
    distances           ms  scopes
    by_differences ...
    by_product ...
    0
    """
    parser = command_line(__doc__)
    add = parser.add_argument
    size_help = "rows and columns of the matrices; default: %(default)s"
    add("--size", type=whole_number(1, 16384), default=512, metavar="N", help=size_help)
    steps_help = "steps of each loop; default: %(default)s"
    add("--steps", type=whole_number(1, 1000), default=4, metavar="N", help=steps_help)
    pause_help = "loading takes this many times as long as a step; default: %(default)s"
    add("--pause", type=whole_number(0, 100), default=6, metavar="N", help=pause_help)
    points_help = "points whose neighbours are looked for; default: %(default)s"
    add("--points", type=whole_number(2, 20_000), default=1000, metavar="N", help=points_help)
    keep_help = "keep a trace of the second loop in FOLDER"
    add("--keep", type=folder, metavar="FOLDER", help=keep_help)
    add("--plot", type=picture_file, metavar="FILE", help="draw both timelines into FILE")
    options = parser.parse_args(arguments)

    loops = Loops(options.size, options.pause)
    names = instructions(loops.step)
    recorded = {}
    print("loop         ms/step  load  wait  device in load  device in wait")
    for name, loop in (("waiting", loops.waiting), ("overlapping", loops.overlapping)):
        events = recorded[name] = record(functools.partial(loop, options.steps))
        ours = spans_of(events, ["load", "step"])
        elapsed = max(end for _, end in ours) - ours[0][0]
        parts = [total_of(events, part) / elapsed for part in ("load", "wait")]
        device = spans_of(events, names)
        work = max(covered(device, [(0, float("inf"))]), 1e-9)
        shares = [covered(device, spans_of(events, [part])) / work for part in ("load", "wait")]
        columns = "{:8.2f}{:6.2f}{:6.2f}{:16.2f}{:16.2f}"
        print(f"{name:12}{columns.format(elapsed / options.steps, *parts, *shares)}", flush=True)

    points = jax.random.normal(jax.random.key(1), (options.points, 256))
    print("distances           ms  scopes")
    for way in (by_differences, by_product):
        function = jax.jit(functools.partial(neighbours, squared_distances=way))
        compiled: Any = function.trace(points).lower().compile()
        seconds(compiled, points)
        milliseconds = 1e3 * min(seconds(compiled, points) for _ in range(3))
        times = scope_times(compiled, record(functools.partial(seconds, compiled, points)))
        whole = max(sum(times.values()), 1e-9)
        listed = "  ".join(f"{scope} {ms / whole:.2f}" for scope, ms in times.most_common())
        print(f"{way.__name__:14}{milliseconds:8.2f}  {listed}", flush=True)

    if options.keep:
        with jax.profiler.trace(options.keep, create_perfetto_trace=True):
            loops.overlapping(options.steps)
    if options.plot:
        save(draw(recorded, names), options.plot, parser)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
