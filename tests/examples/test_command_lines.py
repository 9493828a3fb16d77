"""Every script explains itself, and refuses bad arguments in one line with status 2."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs._make.options import ROOT

SCRIPTS = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.stem != "__init__"]


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script.relative_to(ROOT)), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_help_explains(script: Path) -> None:
    shown = run(script, "--help")
    assert shown.returncode == 0
    assert "--plot" in shown.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_dependencies_are_declared_for_uv(script: Path) -> None:
    lines = script.read_text().splitlines()
    start = lines.index("# /// script")
    block = [line[2:] for line in lines[start + 1 : lines.index("# ///", start)]]
    metadata = tomllib.loads("\n".join(block))
    assert metadata["requires-python"] == ">=3.11"
    assert "jax" in metadata["dependencies"]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
@pytest.mark.parametrize(
    "arguments",
    [("--plot", "no/such/folder/figure.svg"), ("--plot", "figure.unknown"), ("--nonsense",)],
    ids=lambda arguments: " ".join(arguments),
)
def test_bad_arguments_are_refused(script: Path, arguments: tuple[str, ...]) -> None:
    refused = run(script, *arguments)
    assert refused.returncode == 2
    assert "error:" in refused.stderr.splitlines()[-1]
    assert "Traceback" not in refused.stderr
    assert refused.stdout == ""


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("grad", ("--points", "2")),
        ("grad", ("--points", "many")),
        ("grad", ("--at", "nan", "0")),
        ("scan", ("--steps", "-1")),
        ("scan", ("--learning-rate", "fast")),
        ("async_dispatch", ("--sizes", "0")),
        ("async_dispatch", ("--repeats", "x")),
    ],
)
def test_bad_values_are_refused(name: str, arguments: tuple[str, ...]) -> None:
    refused = run(ROOT / "examples" / f"{name}.py", *arguments)
    assert refused.returncode == 2
    assert "error:" in refused.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("grad", ("--points", "9")),
        ("scan", ("--steps", "100")),
        ("async_dispatch", ("--sizes", "32", "64", "--repeats", "2")),
    ],
)
def test_a_script_runs_and_draws(tmp_path: Path, name: str, arguments: tuple[str, ...]) -> None:
    figure = tmp_path / "figure.svg"
    ran = run(ROOT / "examples" / f"{name}.py", *arguments, "--plot", str(figure))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
    assert "<svg" in figure.read_text()
