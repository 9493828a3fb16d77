"""The tool for installations that do not work: it needs nothing, and survives what it examines."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from docs._guide.options import ROOT


@pytest.fixture
def examine(tmp_path: Path) -> "Examine":
    return Examine(tmp_path)


class Examine:
    """A copy of the tool in an empty folder, run by a Python with or without packages."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        shutil.copy(ROOT / "examples" / "tools" / "installing.py", folder)

    def __call__(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "installing.py", *arguments]
        environment = os.environ | {"JAX_PLATFORMS": "cpu"} | variables
        return subprocess.run(
            command, cwd=self.folder, env=environment, capture_output=True, encoding="utf-8"
        )


def test_it_lists_what_this_machine_has(examine: Examine) -> None:
    printed = examine("--require", "cpu")
    assert printed.returncode == 0, printed.stderr
    lines = dict(line.split(maxsplit=1) for line in printed.stdout.splitlines())
    assert {"python", "jax", "jaxlib", "driver", "what"} <= lines.keys()
    assert lines["devices"].startswith("cpu ")
    refused = examine("--require", "gpu")
    assert refused.returncode == 1
    assert refused.stderr == "JAX does not use the GPU: see the last line\n"


def test_a_jax_that_does_not_start_is_described(examine: Examine) -> None:
    (examine.folder / "jax.py").write_text("raise RuntimeError('no such device')", encoding="utf-8")
    printed = examine(PYTHONPATH=str(examine.folder))
    assert printed.returncode == 0, printed.stderr
    assert "RuntimeError: no such device" in printed.stdout
    assert printed.stdout.splitlines()[-1].startswith("what to do")
