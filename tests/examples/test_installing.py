"""The tool for installations that do not work: it needs nothing, and survives what it examines."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from docs._guide.options import ROOT


def examine(folder: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
    """Run a copy of the tool in a folder."""
    shutil.copy(ROOT / "examples" / "tools" / "installing.py", folder)
    return subprocess.run(
        [sys.executable, "installing.py", *arguments],
        cwd=folder,
        env=os.environ | {"JAX_PLATFORMS": "cpu"} | variables,
        capture_output=True,
        encoding="utf-8",
    )


def test_it_lists_what_this_machine_has(tmp_path: Path) -> None:
    printed = examine(tmp_path, "--require", "cpu")
    assert printed.returncode == 0, printed.stderr
    lines = dict(line.split(maxsplit=1) for line in printed.stdout.splitlines())
    assert {"python", "jax", "jaxlib", "driver", "what"} <= lines.keys()
    assert lines["devices"].startswith("cpu ")
    refused = examine(tmp_path, "--require", "gpu")
    assert refused.returncode == 1
    assert refused.stderr == "JAX does not use the GPU: see the last line\n"


def test_a_jax_that_does_not_start_is_described(tmp_path: Path) -> None:
    (tmp_path / "jax.py").write_text("raise RuntimeError('no such device')", encoding="utf-8")
    printed = examine(tmp_path, PYTHONPATH=str(tmp_path))
    assert printed.returncode == 0, printed.stderr
    assert "RuntimeError: no such device" in printed.stdout
    assert "JAX does not start" in printed.stdout.splitlines()[-1]
