"""Fixtures of several examples: random data, refused command lines, a trained network."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import jax
import numpy as np
import pytest
from _digits import checkpoints
from _digits.data import small_digits
from _digits.runs import Run, Settings, advance, begin

Refused = Callable[..., str]


@pytest.fixture
def random() -> np.random.Generator:
    return np.random.default_rng(2026)


@pytest.fixture
def double() -> Iterator[None]:
    """Compute in float64."""
    with jax.enable_x64(True):
        yield


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Refused:
    """Run a command line that must end with status 2; return the last line on stderr."""

    def run(main: Callable[[list[str]], int], *arguments: object) -> str:
        capsys.readouterr()
        with pytest.raises(SystemExit) as stopped:
            main([str(argument) for argument in arguments])
        assert stopped.value.code == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        return printed.err.splitlines()[-1]

    return run


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Python's own handling of Ctrl-C, which a process in the background does not have."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def trained_digits(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """A folder with the checkpoints of epochs 2 to 4, and the run after epoch 4."""
    folder = tmp_path_factory.mktemp("digits")
    run = begin(Settings(epochs=4), small_digits())
    for advanced in advance(run):
        checkpoints.save(advanced, folder)
    return folder, run
