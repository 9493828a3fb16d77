"""The command line of `examples/ukr.py`: its options, and the run from chunk to chunk."""

import argparse
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _command_line import command_line, file_to_write, picture_file, real_number, whole_number
from _ukr.checks import trouble
from _ukr.data import load
from _ukr.pictures import animate, draw
from _ukr.rivalry import RIVALS, missing
from _ukr.runs import Run, save
from _ukr.runs import load as load_run

Advance = Callable[[Run, int], tuple[np.ndarray, np.ndarray]]

SETTINGS = ("bandwidth", "learning_rate", "regularization", "compact", "leave_one_out")
CHUNK_S = 1.0  # how long one call may take: Ctrl-C waits for its end
# What a run is made of; a resumed one has it in its file.
DEFAULTS: dict[str, Any] = {
    "data": "saddle",
    "points": 200,
    "dimensions": 2,
    "bandwidth": 0.3,
    "learning_rate": None,
    "regularization": 0.0,
    "unbounded": False,
    "leave_one_out": False,
    "seed": 0,
}


def run_file(text: str) -> Path:
    """Read the name of a run's file for argparse.

    >>> run_file("run.npz").name
    'run.npz'
    >>> run_file("run.gif")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'run.gif': end the name in .npz
    """
    return writable(text, ".npz")


def animation_file(text: str) -> Path:
    """Read the name of an animation's file for argparse.

    >>> animation_file("film.gif").name
    'film.gif'
    """
    return writable(text, ".gif")


def writable(text: str, suffix: str) -> Path:
    """Refuse a file that could not be written at the end of a long run.

    >>> writable("no/such/folder/run.npz", ".npz")
    Traceback (most recent call last):
    argparse.ArgumentTypeError: 'no/such/folder/run.npz': create the folder no/such/folder first
    """
    path = file_to_write(text, suffix)
    if not os.access(path if path.exists() else path.parent, os.W_OK) or path.is_dir():
        raise argparse.ArgumentTypeError(f"{text!r}: it cannot be written; name another file")
    return path


def make_parser(documentation: str | None, methods: tuple[str, ...]) -> argparse.ArgumentParser:
    """Describe the command line.

    Args:
        documentation: The script's docstring.
        methods: The methods of ``fit``.

    Returns:
        The parser; options that a resumed run has in its file are None where they are not given.
    """
    parser = command_line(documentation)
    add = parser.add_argument
    text = {name: f"default: {value}" for name, value in DEFAULTS.items()}
    add("--data", metavar="NAME", help=f"saddle, digits, FILE.npz or FILE.csv; {text['data']}")
    count = whole_number(2, 1_000_000)
    add("--points", type=count, metavar="N", help=f"of the saddle; {text['points']}")
    few = whole_number(1, 3)
    add("--dimensions", type=few, metavar="L", help=f"of the latent space; {text['dimensions']}")
    add("--method", choices=(*methods, *RIVALS), default="auto", help="default: %(default)s")
    epochs = whole_number(1, 1_000_000)
    add("--epochs", type=epochs, default=200, metavar="N", help="default: %(default)s")
    small = real_number(1e-6, 1e6)
    add("--bandwidth", type=small, metavar="SIGMA", help=f"of the kernel; {text['bandwidth']}")
    rate_help = "default: a hundredth of the number of points"
    add("--learning-rate", type=small, metavar="RATE", help=rate_help)
    penalty = real_number(0, 1e6)
    penalty_help = f"factor of the penalty; {text['regularization']}"
    add("--regularization", type=penalty, metavar="LAMBDA", help=penalty_help)
    free_help = "do not clip the latent space to [-1, 1]"
    add("--unbounded", action="store_true", default=None, help=free_help)
    apart_help = "no point has a part in its own estimate"
    add("--leave-one-out", action="store_true", default=None, help=apart_help)
    add("--seed", type=whole_number(0, 2**32 - 1), metavar="N", help=text["seed"])
    add("--float64", action="store_true", help="compute with 64 bits")
    one_or_more = whole_number(1, 64)
    add("--devices", type=one_or_more, default=1, metavar="N", help="that share the points")
    add("--processes", type=one_or_more, default=1, metavar="N", help="that share the points")
    add("--join", nargs=3, type=int, help=argparse.SUPPRESS)
    add("--resume", type=Path, metavar="FILE", help="continue the run that --save kept")
    add("--save", type=run_file, metavar="FILE", help="keep the run, to be resumed, in FILE.npz")
    add("--plot", type=picture_file, metavar="FILE", help="draw the result into FILE")
    add("--animate", type=animation_file, metavar="FILE", help="animate Z into FILE.gif")
    return parser


def new_run(options: argparse.Namespace) -> Run:
    """Make a run of no epochs from the command line.

    Args:
        options: The command line.

    Returns:
        The run; its start is 0.1 σ N(0, 1): a surface unfolds from nearly one place.

    Raises:
        ValueError: If the data cannot be read.
    """
    given = {name: getattr(options, name) for name in DEFAULTS}
    chosen = {name: DEFAULTS[name] if value is None else value for name, value in given.items()}
    data = load(chosen["data"], chosen["points"], chosen["seed"])
    dtype = np.float64 if options.float64 else np.float32
    n = len(data.X)
    draw = np.random.default_rng(chosen["seed"]).normal(size=(n, chosen["dimensions"]))
    start = (0.1 * chosen["bandwidth"] * draw).astype(dtype)
    rate = chosen["learning_rate"] or 0.01 * n
    settings = {
        "bandwidth": chosen["bandwidth"],
        "learning_rate": rate,
        "regularization": chosen["regularization"],
        "compact": not chosen["unbounded"],
        "leave_one_out": chosen["leave_one_out"],
    }
    history = np.zeros((0, *start.shape), dtype)
    name = Path(chosen["data"]).name
    return Run(
        data.X.astype(dtype), data.colors, start, history, np.zeros(0, dtype), settings, name
    )


def check_options(options: argparse.Namespace) -> None:
    """Refuse options that do not go together.

    Args:
        options: The command line.

    Raises:
        ValueError: If two of them contradict each other; the message says what to leave out.
    """
    if options.resume:
        own = [name for name in DEFAULTS if getattr(options, name) is not None]
        own += ["float64"] if options.float64 else []
        if own:
            option = own[0].replace("_", "-")
            raise ValueError(f"--resume: leave --{option} out; the run has its own in its file")
    if options.save and options.data and options.save.resolve() == Path(options.data).resolve():
        raise ValueError(f"--save {options.save}: it holds the data; name another file")
    if options.method in RIVALS:
        if options.devices * options.processes > 1 or options.leave_one_out:
            method = f"--method {options.method}"
            raise ValueError(f"{method}: leave out --devices, --processes and --leave-one-out")
        if missing(options.method):
            raise ValueError(f"--method {options.method}: install {missing(options.method)}")


def resumed(path: Path) -> Run:
    """Read a run and check that ``fit`` can continue it.

    Args:
        path: A file that ``--save`` wrote.

    Returns:
        The run.

    Raises:
        ValueError: If it is damaged or no run.
    """
    run = load_run(path)
    if not set(run.settings) == {*SETTINGS}:
        raise ValueError(f"{path}: its settings are not those of this version; start anew")
    return run


def advanced(run: Run, epochs: int, advance: Advance, adaptive: bool = True) -> Iterator[Run]:
    """Continue a run in chunks that take about a second.

    The lengths of the chunks are powers of ten, so that few programs are compiled.

    Args:
        run: Where to begin.
        epochs: How many more epochs.
        advance: Runs some epochs and returns their history and losses.
        adaptive: Whether the chunks follow the time; several processes have to agree on them.

    Yields:
        The run after each chunk.

    >>> run = Run(*[np.zeros((2, 1))] * 3, np.zeros((0, 2, 1)), np.zeros(0), {}, "")
    >>> step = lambda run, epochs: (np.zeros((epochs, 2, 1)), np.zeros(epochs))
    >>> [len(run.objective) for run in advanced(run, 12, step, adaptive=False)]
    [1, 2, 12]
    """
    goal = len(run.objective) + epochs
    chunk, calls = 1, 0
    while len(run.objective) < goal:
        left = goal - len(run.objective)
        while chunk > left:
            chunk, calls = chunk // 10, 2
        begin = time.perf_counter()
        run = run.extended(*advance(run, chunk))
        calls += 1
        yield run
        # The first call of a chunk compiles, the second one tells how long it takes.
        quick = 10 * (time.perf_counter() - begin) < CHUNK_S if adaptive else chunk < 10
        if calls == 2 and quick:
            chunk, calls = 10 * chunk, 0


def show_progress(run: Run, goal: int) -> None:
    """Print how far a run is, on a terminal only.

    Args:
        run: The run.
        goal: How many epochs it will have.
    """
    if sys.stderr.isatty():
        line = f"epoch {len(run.objective)} of {goal}  E = {run.objective[-1]:.6f}"
        print(f"\r{line}", end="", file=sys.stderr, flush=True)


def report(run: Run, method: str, goal: int) -> None:
    """Print what was run and how it went.

    Args:
        run: The run.
        method: The one that was used.
        goal: How many epochs it should have.
    """
    if sys.stderr.isatty():
        print(file=sys.stderr)
    points, columns = run.X.shape
    print(f"{run.name}  N = {points}  D = {columns}  L = {run.start.shape[1]}  {method}")
    done = len(run.objective)
    if done < goal:
        print(f"stopped after {done} of {goal} epochs", file=sys.stderr)
    if done:
        print(f"epoch {done}  E = {run.objective[-1]:.6f}  (1 is the variance of the data)")
        said = trouble(run.objective, run.start, run.positions, run.settings["bandwidth"])
        if said:
            print(f"note: {said.replace('learning_rate', '--learning-rate')}", file=sys.stderr)


def keep(run: Run, options: argparse.Namespace) -> bool:
    """Write the files that were asked for.

    Args:
        run: The run.
        options: The command line.

    Returns:
        Whether all of them could be written; if not, a line on stderr says which could not.
    """
    writers: dict[str, Callable[[Path], object]] = {"save": lambda path: save(run, path)}
    if len(run.objective):
        writers["plot"] = lambda path: draw(run).savefig(path)
        writers["animate"] = lambda path: animate(run, path)
    complete = True
    for name, write in writers.items():
        path = getattr(options, name)
        try:
            if path:
                write(path)
        except OSError as error:
            print(f"--{name} {path}: {error.strerror or error}", file=sys.stderr)
            complete = False
    return complete
