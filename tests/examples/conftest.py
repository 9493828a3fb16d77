"""Fixtures of several examples: random data, refused command lines, Ctrl-C."""

import signal
from collections.abc import Callable, Iterator

import jax
import numpy as np
import pytest

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
