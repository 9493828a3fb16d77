"""A run that can be saved in a file and continued."""

import json
import os
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np


class Run(NamedTuple):
    """The data of a descent, and its history so far.

    Attributes:
        X: Data, shape (N, D).
        colors: A number for each point, shape (N,).
        start: Latent positions at the start, shape (N, L).
        history: Latent positions after each step, shape (epochs, N, L).
        objective: The loss before each step, shape (epochs,).
        settings: The keyword arguments of ``fit``: bandwidth, learning rate and so on.
        name: Of the data.
    """

    X: np.ndarray
    colors: np.ndarray
    start: np.ndarray
    history: np.ndarray
    objective: np.ndarray
    settings: dict[str, Any]
    name: str

    @property
    def positions(self) -> np.ndarray:
        """The latest latent positions, shape (N, L)."""
        return self.history[-1] if len(self.history) else self.start

    def extended(self, parts: Sequence[tuple[np.ndarray, np.ndarray]]) -> "Run":
        """Return the run with more epochs.

        Args:
            parts: Each a history, shape (steps, N, L), and its losses, shape (steps,).
        """
        history = np.concatenate([self.history, *(history for history, _ in parts)])
        objective = np.concatenate([self.objective, *(losses for _, losses in parts)])
        return self._replace(history=history, objective=objective)


def save(run: Run, path: Path) -> None:
    """Write a run, whole or not at all.

    Args:
        run: The run.
        path: The file; what was there is replaced once the new one is complete.

    Raises:
        OSError: If it cannot be written.

    >>> import tempfile
    >>> points, history = np.zeros((2, 1)), np.zeros((0, 2, 1))
    >>> run = Run(points, points, points, history, np.zeros(0), {"bandwidth": 0.3}, "points")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save(run, Path(folder) / "run.npz")
    ...     load(Path(folder) / "run.npz").settings
    {'bandwidth': 0.3}
    """
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    arrays = {name: value for name, value in run._asdict().items() if name != "settings"}
    try:
        with unfinished.open("wb") as file:
            np.savez_compressed(file, **arrays, settings=json.dumps(run.settings))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def load(path: Path) -> Run:
    """Read a run.

    Args:
        path: A file from ``save``.

    Returns:
        The run.

    Raises:
        ValueError: If it is no such file, or a damaged one; the message says what to do.
    """
    advice = "give a file that --save wrote"
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = {name: file[name] for name in Run._fields}
        settings = json.loads(str(arrays.pop("settings")))
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or 'it cannot be read'}; {advice}") from None
    except (KeyError, ValueError, TypeError, EOFError, AttributeError, zipfile.BadZipFile):
        raise ValueError(f"{path}: it is damaged, or no run; {advice}") from None
    run = Run(**arrays | {"settings": settings, "name": str(arrays["name"])})
    epochs, points = len(run.objective), len(run.X)
    if run.history.shape != (epochs, *run.start.shape) or len(run.start) != points:
        raise ValueError(f"{path}: its arrays do not belong together; {advice}")
    return run
