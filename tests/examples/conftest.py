"""What tests of the examples share: their modules, and refused command lines."""

import importlib.util
import sys
from collections.abc import Callable
from types import ModuleType

import pytest

from docs._guide.options import ROOT

Refused = Callable[..., str]


def example(path: str) -> ModuleType:
    """Import an example from its file, such as `tools/errors.py`."""
    file = ROOT / "examples" / path
    spec = importlib.util.spec_from_file_location(f"example_{file.stem}", file)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


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
