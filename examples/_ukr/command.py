"""The command line of `examples/ukr.py`: its options, its messages and its files."""

import argparse
import os
import sys
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

SETTINGS = {"bandwidth", "learning_rate", "regularization", "compact", "leave_one_out"}
# A resumed run has these in its file.
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
    "float64": False,
}


def make_parser(documentation: str | None, methods: tuple[str, ...]) -> argparse.ArgumentParser:
    """Return the parser of the command line.

    Args:
        documentation: The script's docstring.
        methods: The methods of ``fit``.

    Returns:
        The parser; options in DEFAULTS are None where they are not given.
    """
    parser = command_line(documentation)
    add = parser.add_argument
    text = {name: f"default: {value}" for name, value in DEFAULTS.items()}
    count, few, epochs = (whole_number(*limits) for limits in ((2, 10**6), (1, 3), (1, 10**6)))
    positive, penalty = real_number(1e-6, 1e6), real_number(0, 1e6)
    penalty_help = f"factor of the penalty; {text['regularization']}"
    rate_help = "default: a hundredth of the number of points"
    add("--data", metavar="NAME", help=f"saddle, digits, FILE.npz or FILE.csv; {text['data']}")
    add("--points", type=count, metavar="N", help=f"of the saddle; {text['points']}")
    add("--dimensions", type=few, metavar="L", help=f"of the latent space; {text['dimensions']}")
    add("--method", choices=(*methods, *RIVALS), default="auto", help="default: %(default)s")
    add("--epochs", type=epochs, default=200, metavar="N", help="default: %(default)s")
    add("--bandwidth", type=positive, metavar="SIGMA", help=f"of the kernel; {text['bandwidth']}")
    add("--learning-rate", type=positive, metavar="RATE", help=rate_help)
    add("--regularization", type=penalty, metavar="LAMBDA", help=penalty_help)
    flag: dict[str, Any] = {"action": "store_true", "default": None}
    add("--unbounded", help="do not clip the latent space to [-1, 1]", **flag)
    add("--leave-one-out", help="no point has a part in its own estimate", **flag)
    add("--seed", type=whole_number(0, 2**32 - 1), metavar="N", help=text["seed"])
    add("--float64", help="compute with 64 bits", **flag)
    devices = whole_number(1, 64)
    add("--devices", type=devices, default=1, metavar="N", help="that share the points")
    add("--processes", type=devices, default=1, metavar="N", help="that share the points")
    add("--join", nargs=3, type=int, help=argparse.SUPPRESS)
    add("--resume", type=Path, metavar="FILE", help="continue the run in FILE.npz from --save")
    run_file, film = (lambda text: writable(text, ".npz")), (lambda text: writable(text, ".gif"))
    add("--save", type=run_file, metavar="FILE", help="write the run, to be resumed, into FILE.npz")
    add("--plot", type=picture_file, metavar="FILE", help="draw the result into FILE")
    add("--animate", type=film, metavar="FILE", help="animate Z into FILE.gif")
    return parser


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


def check_options(options: argparse.Namespace) -> None:
    """Refuse options that do not go together.

    Args:
        options: The command line.

    Raises:
        ValueError: If two of them contradict each other; the message says what to leave out.
    """
    for name in DEFAULTS:
        if options.resume and getattr(options, name) is not None:
            option = name.replace("_", "-")
            raise ValueError(f"--resume: leave --{option} out; the run has its own in its file")
    if options.save and options.data and options.save.resolve() == Path(options.data).resolve():
        raise ValueError(f"--save {options.save}: it holds the data; name another file")
    if options.method in RIVALS:
        if options.devices * options.processes > 1 or options.leave_one_out:
            method = f"--method {options.method}"
            raise ValueError(f"{method}: leave out --devices, --processes and --leave-one-out")
        if missing(options.method):
            raise ValueError(f"--method {options.method}: install {missing(options.method)}")


def new_run(options: argparse.Namespace) -> Run:
    """Return a run of no epochs from the command line.

    Args:
        options: The command line.

    Returns:
        The run, with data (N, D); its start (N, L) is 0.1 σ N(0, 1), from which a surface unfolds.

    Raises:
        ValueError: If the data cannot be read.
    """
    chosen = {name: getattr(options, name) or value for name, value in DEFAULTS.items()}
    data = load(chosen["data"], chosen["points"], chosen["seed"])
    dtype = np.float64 if chosen["float64"] else np.float32
    noise = np.random.default_rng(chosen["seed"]).normal(size=(len(data.X), chosen["dimensions"]))
    start = (0.1 * chosen["bandwidth"] * noise).astype(dtype)
    settings = {
        "bandwidth": chosen["bandwidth"],
        "learning_rate": chosen["learning_rate"] or 0.01 * len(data.X),
        "regularization": chosen["regularization"],
        "compact": not chosen["unbounded"],
        "leave_one_out": chosen["leave_one_out"],
    }
    history, losses = np.zeros((0, *start.shape), dtype), np.zeros(0, dtype)
    name = Path(chosen["data"]).name
    return Run(data.X.astype(dtype), data.colors, start, history, losses, settings, name)


def resumed_run(path: Path) -> Run:
    """Read a run and check that ``fit`` can continue it.

    Args:
        path: A file that ``--save`` wrote.

    Returns:
        The run.

    Raises:
        ValueError: If it is damaged or no run.
    """
    run = load_run(path)
    if set(run.settings) != SETTINGS:
        raise ValueError(f"{path}: its settings are not those of this version; start anew")
    return run


def show_progress(epoch: int, goal: int, loss: float) -> None:
    """Print how far a run is, on a terminal only; the next line overwrites it."""
    if sys.stderr.isatty():
        end = "\n" if epoch == goal else "\r"
        print(f"epoch {epoch} of {goal}  E = {loss:.6f}", end=end, file=sys.stderr, flush=True)


def print_result(run: Run, method: str, goal: int) -> None:
    """Print the shape of the data, the last loss, and what went wrong.

    Args:
        run: The run.
        method: The method that was used.
        goal: The number of epochs that it should have.
    """
    points, columns = run.X.shape
    epochs = len(run.objective)
    print(f"{run.name}  N = {points}  D = {columns}  L = {run.start.shape[1]}  {method}")
    if epochs < goal:
        print(f"stopped after {epochs} of {goal} epochs", file=sys.stderr)
    if epochs:
        print(f"epoch {epochs}  E = {run.objective[-1]:.6f}  (1 is the variance of the data)")
        message = trouble(run.objective, run.start, run.positions, run.settings["bandwidth"])
        if message:
            print(f"note: {message.replace('learning_rate', '--learning-rate')}", file=sys.stderr)


def write_files(run: Run, options: argparse.Namespace) -> bool:
    """Write the files of --save, --plot and --animate.

    Args:
        run: The run.
        options: The command line.

    Returns:
        Whether all of them could be written; if not, a line on stderr names the others.
    """
    writers = {
        "save": save,
        "plot": lambda run, path: draw(run).savefig(path),
        "animate": animate,
    }
    complete = True
    for name, write in writers.items():
        path = getattr(options, name)
        if path is None or (name != "save" and not len(run.objective)):
            continue
        try:
            write(run, path)
        except OSError as error:
            print(f"--{name} {path}: {error.strerror or error}", file=sys.stderr)
            complete = False
    return complete
