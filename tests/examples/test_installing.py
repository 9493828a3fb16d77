"""The tool for installations that do not work: it needs nothing, and survives what it examines."""

import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_a_gpu_without_a_compute_capability_is_described(tmp_path: Path) -> None:
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho '580.65.06, [N/A], NVIDIA L4'\n", encoding="utf-8")
    program.chmod(0o755)
    printed = examine(tmp_path, PATH=f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    assert printed.returncode == 0, printed.stderr
    assert "580.65.06, [N/A], NVIDIA L4" in printed.stdout
    assert printed.stdout.splitlines()[-1].startswith("what to do")


@pytest.mark.parametrize(
    ("capability", "plugin", "advised"),
    [
        ("8.9", False, 'pip install -U "jax[cuda13]"'),
        ("7.0", False, 'pip install -U "jax[cuda12]"'),
        ("[N/A]", False, 'pip install -U "jax[cuda12]"'),
        ("7.0", True, 'pip install -U "jax[cuda12]"'),
        ("[N/A]", True, "end other processes on the GPU"),
    ],
)
def test_the_capability_decides_only_where_it_is_known(
    capability: str, plugin: bool, advised: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.system", lambda: "Linux")
    tool = runpy.run_path(str(ROOT / "examples" / "tools" / "installing.py"))
    facts = {"jax": "0.12.0", "jaxlib": "0.12.0", "devices": "cpu cpu"}
    facts["driver"] = f"580.65.06, {capability}, a GPU"
    if plugin:
        facts["jax-cuda13-plugin"] = "0.12.0"
    assert advised in tool["advice"](facts)
