"""Every script explains itself, runs, draws, and refuses bad arguments in one line."""

import importlib
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs._make.options import ROOT

SCRIPTS = [path for path in sorted((ROOT / "examples").glob("*.py")) if path.stem[0] != "_"]

# For each script, a short run, and values that it must refuse. A script that is not here fails.
SHORT_RUNS = {
    "against_pytorch": "--only differences --steps 2 --batch 8",
    "arrays": "--size 16 --steps 10",
    "async_dispatch": "--sizes 32 64 --repeats 2",
    "backends": "--start cpu",
    "benchmarking": "--case jit --size 20 --rounds 3",
    "compile_time": "--steps 2",
    "composing": "--networks 3 --rates 5",
    "control_flow": "--points 40",
    "custom_derivatives": "--depth 16 --batch 64 --width 8",
    "debugging": "--steps 3",
    "digits": "train --epochs 1",
    "errors": "",
    "evolution": "--generations 2 --population 8",
    "fifteen_minutes": "--flights 8",
    "grad": "--points 9",
    "jacobians": "--hours 64 --weight 100",
    "jit": "--sizes 10 100",
    "linen_to_nnx": "--steps 2",
    "memory": "--points 100 --only blocks",
    "modernize": "examples/scan.py",
    "network_by_hand": "--epochs 2 --seeds 2 --hidden 8",
    "phrasebook": "--only numpy --find sort",
    "precision": "--terms 1000",
    "processes": "--processes 1 --steps 20",
    "profiling": "--size 64 --steps 2 --points 100",
    "pure_functions": "--points 20",
    "pytrees": "--steps 50",
    "questions": "jit-is-aot 509-times",
    "random_keys": "--batches 4 --points 10",
    "recompilation": "--arrays 4 --longest 8",
    "regression_race": "--points 20 --epochs 30 --rounds 1 --sizes 20 200",
    "scan": "--steps 100",
    "sharding": "--to _,ij",
    "ukr": "--points 40 --epochs 12",
    "ukr_bench": "--sizes 20 40 --rounds 1",
    "updates": "--points 50 --steps 5 --pixels 60",
    "vmap": "--vectors 1 2 --rounds 2",
    "who_does_what": "--steps 20 --width 4",
}
BAD_VALUES = {
    "against_pytorch": ["--steps 0", "--steps many", "--batch 0", "--batch 1798", "--only x"],
    "arrays": ["--size 2", "--size big", "--steps -1", "--rate 0.3", "--rate nan"],
    "async_dispatch": ["--sizes 0", "--repeats x"],
    "backends": ["--require abacus", "--require", "--start", "--start cpu/gpu"],
    "benchmarking": ["--case nothing", "--size 0", "--size 5000", "--rounds 2", "--rounds many"],
    "compile_time": ["--steps 0", "--steps many", "--pendulums 0", "--cache no/such/folder"],
    "composing": ["--networks 1", "--rates 0", "--rates many", "--wrong 51", "--gradient median"],
    "control_flow": [
        "--degree 1",
        "--degree 13",
        "--points 1",
        "--points 2001",
        "--side 0",
        "--side nan",
        "--limit 0",
    ],
    "custom_derivatives": ["--depth 5", "--depth 0", "--batch few", "--width 0"],
    "debugging": ["--steps 0", "--steps many", "--pairs 0", "--seed -1"],
    "digits": [
        "",
        "train --data no/such/folder",
        "train --epochs 0",
        "train --batch 1438",
        "train --learning-rate nan",
        "train --schedule linear",
        "resume --checkpoint-dir no/such/run",
        "eval",
        "eval --checkpoint-dir no/such/run",
        "predict --checkpoint-dir no/such/run seven.png",
        "transfer",
        "transfer --checkpoint-dir no/such/run",
        "transfer --checkpoint-dir no/such/run --known 3",
        "transfer --task classes --checkpoint-dir no/such/run",
        "transfer --task colours",
        "transfer --task classes --shots 0",
        "transfer --task classes --seeds 1",
        "transfer --task classes --known 6",
        "transfer --task classes --plot figure.doc",
    ],
    "errors": ["no_such_name", "--find", "--find zebra", "list_index --find index"],
    "evolution": [
        "--generations 0",
        "--generations many",
        "--population 7",
        "--population 5000",
        "--seed -1",
        "--animate film.mp4",
    ],
    "fifteen_minutes": [
        "--target 1",
        "--target far 1",
        "--target 20 90",
        "--wind storm",
        "--gusts -1",
        "--flights 0",
        "--seed x",
    ],
    "grad": ["--points 2", "--points many", "--at nan 0"],
    "jacobians": ["--hours 8", "--hours many", "--weight 0", "--steps 0", "--steps 1"],
    "jit": ["--sizes 0", "--sizes ten", "--sizes 1e6", "--sizes 10000001"],
    "linen_to_nnx": ["--steps 0", "--steps many", "--learning-rate 1", "--seed -1"],
    "memory": [
        "--points 1",
        "--points many",
        "--batch-size 0",
        "--only everything",
        "--dimensions 0",
    ],
    "modernize": [
        "no/such/file.py",
        "examples",
        "README.md",
        "--write",
        "--language fr examples/scan.py",
    ],
    "network_by_hand": [
        "--epochs 0",
        "--seeds many",
        "--learning-rate fast",
        "--learning-rate 0",
        "--momentum 1",
        "--hidden 0",
        "--hidden 4096 4096 --seeds 100",
    ],
    "phrasebook": ["--only pandas", "--find nosuchphrase", "--only"],
    "precision": ["--terms 0", "--terms many", "--value 0", "--value nan"],
    "processes": ["--processes 0", "--devices 9", "--examples 63", "--join x", "--steps -1"],
    "profiling": ["--size 0", "--steps x", "--points 1", "--pause -1", "--keep no/such/folder"],
    "pure_functions": ["--points 1", "--rate 0", "--rate fast", "--seed -1"],
    "pytrees": ["--steps 0", "--rate fast", "--rate 50", "--seed -1"],
    "questions": ["jit", "jit-is-aot many", "--list all"],
    "random_keys": ["--batches 0", "--points x", "--batches 1000 --points 1000", "--seed -1"],
    "recompilation": ["--arrays 0", "--arrays 1001", "--longest 0", "--longest 1.5", "--seed -1"],
    "regression_race": [
        "--points 1",
        "--points many",
        "--epochs 0",
        "--rounds 0",
        "--seed -1",
        "--sizes",
        "--sizes 100 1e6",
    ],
    "scan": ["--steps -1", "--learning-rate fast"],
    "sharding": ["--mesh 0 2", "--mesh 64 64", "--shape 9 8", "--spec i,i", "--to x"],
    "ukr": [
        "--data letters",
        "--data no/such/file.npz",
        "--data no/such/file.csv",
        "--points 1",
        "--dimensions 4",
        "--method magic",
        "--method numpy --devices 2",
        "--method scan --leave-one-out",
        "--method expansion --unbounded",
        "--epochs 0",
        "--bandwidth -0.3",
        "--learning-rate nan",
        "--regularization -1",
        "--devices 0",
        "--resume no/such/run.npz",
        "--resume run.npz --bandwidth 0.2",
        "--resume run.npz --seed 0",
        "--save run.txt",
        "--save no/such/folder/run.npz",
        "--animate film.mp4",
    ],
    "ukr_bench": [
        "--sizes 1",
        "--sizes 5001",
        "--rounds 0",
        "--save bench.txt",
        "--save no/b.json",
    ],
    "updates": ["--low 3", "--high x", "--low 1 --high 0", "--pixels 0", "--steps many"],
    "vmap": ["--vectors 0", "--vectors 500", "--rows x", "--columns -1", "--rounds 0"],
    "who_does_what": [
        "--optimizer magic",
        "--learning-rate 0",
        "--steps 0",
        "--width x",
        "--seed -1",
    ],
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
    assert re.findall(r"^  (?:--\w+|COMMAND)", shown.stdout, re.MULTILINE)


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
