"""Every script explains itself, runs, draws, and refuses bad arguments in one line."""

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs._make.options import ROOT

SCRIPTS = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.stem[0] != "_"]

# For each script, a short run, and values that it must refuse. A script that is not here fails.
SHORT_RUNS = {
    "async_dispatch": "--sizes 32 64 --repeats 2",
    "grad": "--points 9",
    "scan": "--steps 100",
}
BAD_VALUES = {
    "async_dispatch": ["--sizes 0", "--repeats x"],
    "grad": ["--points 2", "--points many", "--at nan 0"],
    "scan": ["--steps -1", "--learning-rate fast"],
}


def run(script: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(script.relative_to(ROOT)), *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def draws(script: Path) -> bool:
    return '"--plot"' in script.read_text()


def assert_refused(name: str, arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        importlib.import_module(name).main(arguments.split())
    assert stopped.value.code == 2
    said = capsys.readouterr()
    assert "error:" in said.err.splitlines()[-1]
    assert said.out == ""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_help_explains(script: Path) -> None:
    shown = run(script, "--help")
    assert shown.returncode == 0
    assert shown.stdout.count("  --") == script.read_text().count('add("--')


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_dependencies_are_declared_for_uv(script: Path) -> None:
    lines = script.read_text().splitlines()
    start = lines.index("# /// script")
    block = [line[2:] for line in lines[start + 1 : lines.index("# ///", start)]]
    metadata = tomllib.loads("\n".join(block))
    assert metadata["requires-python"] == ">=3.11"
    assert {"jax", "matplotlib"} <= set(metadata["dependencies"])


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_bad_arguments_are_refused(script: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(script.stem, "--nonsense", capsys)
    if draws(script):
        assert_refused(script.stem, "--plot no/such/folder/figure.svg", capsys)
        assert_refused(script.stem, "--plot figure.unknown", capsys)


@pytest.mark.parametrize(
    ("name", "values"), [(name, values) for name, all_ in BAD_VALUES.items() for values in all_]
)
def test_bad_values_are_refused(name: str, values: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert_refused(name, values, capsys)


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_runs_and_draws(tmp_path: Path, script: Path) -> None:
    figure = tmp_path / "figure.svg"
    plot = ["--plot", str(figure)] if draws(script) else []
    ran = run(script, *SHORT_RUNS[script.stem].split(), *plot)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout
    assert not plot or "<svg" in figure.read_text()
