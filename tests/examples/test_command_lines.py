"""Every script shows its options, runs, draws, and refuses bad arguments in one line."""

import importlib
import os
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs._guide.options import ROOT
from tests.examples.conftest import Refused

SCRIPTS = sorted(path.stem for path in (ROOT / "examples").glob("[!_]*.py"))

# These change the number of JAX's devices, which is fixed once JAX has started.
OWN_PROCESS = {"placement", "sharded_training", "sharding"}

NO_FIGURE = {
    "backends",
    "errors",
    "first_aid",
    "installing",
    "limits",
    "memory",
    "modernize",
    "numpy_and_pytorch",
    "phrasebook",
    "placement",
    "processes",
    "profiling",
    "questions",
    "serving",
    "types_on_arrays",
    "who_does_what",
}

# For every script a short run, and arguments that it refuses. A script that is not here fails.
SHORT_RUNS = {
    "against_pytorch": "--only differences --steps 2 --batch 8",
    "arrays": "--size 16 --steps 10",
    "async_dispatch": "--sizes 32 64 --repeats 2",
    "backends": "--start cpu",
    "bayes": "--draws 100",
    "benchmarking": "--size 20 --rounds 3",
    "callbacks": "--at 0.5 --batch 20",
    "changing_sizes": "--batches 3",
    "compile_time": "--steps 2",
    "composing": "--networks 3 --rates 5",
    "control_flow": "--points 40",
    "custom_derivatives": "--eccentricity 0.2",
    "data": "--steps 20 --threads 0 4",
    "debugging": "--steps 3",
    "differential_equations": "--digits 2 --simulations 2",
    "digits": "--epochs 1",
    "digits_checkpoints": "--epochs 2",
    "digits_inside": "--false-labels 5",
    "digits_transfer": "--task digits --seeds 2 --steps 2",
    "errors": "",
    "environments": "--iterations 2 --seeds 2",
    "first_aid": "--steps 3",
    "installing": "",
    "evolution": "--generations 2 --population 8",
    "fifteen_minutes": "--flights 8",
    "grad": "--points 9",
    "jacobians": "--hours 64 --weight 100",
    "jit": "--sizes 10 100",
    "language_model": "--steps 50 --samples 2",
    "limits": "--megabytes 1",
    "linen_to_nnx": "--steps 2",
    "memory": "--points 100 --only blocks",
    "mixed_precision": "--seeds 1 --steps 5",
    "modernize": "examples/scan.py",
    "network_by_hand": "--epochs 2 --seeds 2 --hidden 8",
    "numpy_and_pytorch": "--size 8",
    "optimization": "--points 50",
    "pallas": "--rows 20 --columns 16 --tiles 1",
    "phrasebook": "--only numpy --find sort",
    "physics": "--rows 6 --steps 20 --seeds 2",
    "placement": "--devices 2",
    "precision": "--terms 1000",
    "processes": "--processes 1 --steps 20",
    "profiling": "--size 64 --steps 2 --points 100",
    "pure_functions": "--points 20",
    "pytrees": "--steps 50",
    "questions": "--rounds 1",
    "random_keys": "--batches 4 --points 10",
    "recompilation": "--arrays 4 --longest 8",
    "regression_race": "--points 20 --epochs 30 --rounds 1 --sizes 20 200",
    "rematerialization": "--depth 4 --batch 64 --width 8",
    "scan": "--steps 100",
    "serving": "--epochs 1 --requests 100",
    "sharded_training": "--steps 2 --batch 64",
    "sharding": "--to _,ij",
    "types_on_arrays": "--target 4",
    "ukr": "--points 40 --epochs 12",
    "ukr_bench": "--sizes 20 --rounds 1",
    "updates": "--points 50 --steps 5 --pixels 60",
    "vmap": "--vectors 1 2 --rounds 2",
    "who_does_what": "--epochs 1 --batch 400",
}

BAD_ARGUMENTS = {
    "against_pytorch": "--steps 0 | --steps many | --batch 1798 | --only x",
    "arrays": "--size 2 | --size big | --steps -1 | --rate 0.3 | --rate nan",
    "async_dispatch": "--sizes 0 | --repeats x",
    "backends": "--require abacus | --require | --start | --start cpu/gpu",
    "bayes": "--draws 5 | --draws many",
    "benchmarking": "--size 0 | --size 10001 | --rounds 2",
    "changing_sizes": "--batches 0 | --batch x | --spread 3",
    "callbacks": "--at 21 | --at far | --batch 0 | --batch few",
    "compile_time": "--steps 0 | --pendulums 0 | --cache no/such/folder",
    "composing": "--networks 1 | --rates many",
    "control_flow": "--degree 13 | --points 2001 | --side 0 | --limit 0",
    "custom_derivatives": "--eccentricity 1 | --eccentricity -1 | --anomaly late",
    "data": "--steps 0 | --file no/run.npz",
    "debugging": "--steps 0 | --pairs 0 | --seed -1",
    "differential_equations": "--digits 1 | --digits few | --simulations 1 | --seed -1",
    "digits": """--epochs 0 | --epochs many | --seed -1 | --schedule linear | --save run.txt |
        --save no/such/run.npz | --load no/such/run.npz""",
    "digits_checkpoints": "--epochs 1 | --kill-in 3 | --folder no/such/folder",
    "digits_inside": "--size 2 | --false-labels -1",
    "digits_transfer": "--task x | --shots 0 | --seeds 1 | --steps 301 | --steps many",
    "errors": "--find Pred | --rows 0 | --rows many | if",
    "environments": "--iterations 0 | --seeds 0",
    "evolution": "--generations 0 | --population 7 | --population 5000 | --strategy pso",
    "fifteen_minutes": "--target 1 | --target far 1 | --target 20 90 | --wind storm | --flights 0",
    "grad": "--points 2 | --points many",
    "jacobians": "--hours 8 | --hours many | --weight 0 | --steps 0 | --steps 1",
    "jit": "--sizes 0 | --sizes ten | --sizes 1e6 | --sizes 10000001",
    "language_model": "--steps 0 | --steps 75",
    "limits": "--megabytes 0 | --megabytes x",
    "linen_to_nnx": "--steps 0 | --learning-rate 1 | --seed -1",
    "memory": "--points 1 | --batch-size 0 | --only everything",
    "mixed_precision": "--seeds 0 | --steps half",
    "modernize": "no/such/file.py | examples | README.md | --write | --language fr x.py",
    "network_by_hand": """--epochs 0 | --seeds many | --learning-rate 0 | --hidden 0
        | --hidden 4096 --seeds 100 --epochs 1000""",
    "numpy_and_pytorch": "--size 1 | --size x",
    "optimization": "--long 0.8 | --points 3 | --short x",
    "pallas": "--rows 0 | --columns 5000 | --tiles 9 | --tiles few",
    "phrasebook": "--only pandas | --find nosuchphrase | --only",
    "physics": "--rows 7 | --rows 5 | --temperatures hot | --steps 0 | --seeds 0",
    "placement": "--devices 1 | --devices 17 | --devices x",
    "precision": "--terms 0 | --value 0 | --value nan",
    "processes": "--processes 0 | --devices 9 | --processes 3 | --crash 0 | --steps -1 | --worker",
    "profiling": "--size 0 | --steps x | --points 1 | --pause -1 | --keep no/such/folder",
    "pure_functions": "--points 1 | --rate 0 | --rate fast",
    "pytrees": "--steps 0 | --rate fast | --rate 50",
    "questions": "--rounds 0 | --rounds many",
    "random_keys": "--batches 0 | --points x | --batches 1000 --points 1000",
    "recompilation": "--arrays 0 | --arrays 1001 | --longest 0 | --longest 1.5",
    "regression_race": "--points 1 | --epochs 0 | --rounds 0 | --sizes | --sizes 100 1e6",
    "rematerialization": "--depth 5 | --depth 0 | --batch few | --width 0",
    "scan": "--steps -1 | --learning-rate fast",
    "serving": "--requests 0 | --wait -1 | --keep no/such/folder",
    "sharded_training": "--forms pipeline | --steps 0 | --batch 9 | --batch 2000",
    "sharding": "--mesh 0 2 | --mesh 64 64 | --shape 9 8 | --spec i,i | --to x",
    "types_on_arrays": "--target 4x1 | --prediction 0 | --target 100000",
    "ukr": """--data letters | --data no/such/file.npz | --points 1 | --method magic | --method
        numpy --devices 2 | --method scan --leave-one-out | --method expansion --unbounded |
        --bandwidth -0.3 | --learning-rate nan | --regularization -1 | --resume no/such/run.npz |
        --resume run.npz --bandwidth 0.2 | --save run.txt | --save no/such/folder/run.npz |
        --animate film.mp4""",
    "ukr_bench": "--sizes 1 | --sizes 5001 | --rounds 0 | --save bench.txt | --save no/b.json",
    "updates": "--low 3 | --high x | --low 1 --high 0 | --pixels 0 | --steps many",
    "vmap": "--vectors 0 | --vectors 500 | --rows x | --columns -1 | --rounds 0",
    "who_does_what": "--epochs 0 | --batch 1438 | --seed -1 | --folder no/such/folder",
    "first_aid": "--steps 2 | --steps many",
    "installing": "--x",
}


def run(script: str, *arguments: str) -> int | str | None:
    """Run a script as `python examples/SCRIPT.py` would, in this process; return its status."""
    path = ROOT / "examples" / f"{script}.py"
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stopped:
        patch.setattr(sys, "argv", [str(path), *arguments])
        # regression_race takes one core for its process, which is that of the tests here.
        patch.delattr(os, "sched_setaffinity", raising=False)
        runpy.run_path(str(path), run_name="__main__")
    return stopped.value.code


@pytest.mark.parametrize("script", SCRIPTS)
def test_help_lists_the_options(script: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        importlib.import_module(script).main(["--help"])
    assert stopped.value.code == 0
    output = capsys.readouterr().out
    assert output.startswith("usage: ") and ("\n  --" in output or "COMMAND" in output)


@pytest.mark.parametrize("script", SCRIPTS)
def test_dependencies_are_declared_for_uv(script: str) -> None:
    lines = (ROOT / "examples" / f"{script}.py").read_text(encoding="utf-8").splitlines()
    start = lines.index("# /// script")
    block = [line[2:] for line in lines[start + 1 : lines.index("# ///", start)]]
    metadata = tomllib.loads("\n".join(block))
    assert metadata["requires-python"] == ">=3.11"
    assert {"jax", "matplotlib"} <= set(metadata["dependencies"])


@pytest.mark.parametrize("script", SCRIPTS)
def test_bad_options_are_refused(script: str, refused: Refused) -> None:
    options = ["--nonsense"]
    if script not in NO_FIGURE:
        options += ["--plot no/such/folder/figure.svg", "--plot figure.unknown"]
    for arguments in options:
        line = refused(importlib.import_module(script).main, *arguments.split())
        assert "error:" in line, arguments


@pytest.mark.parametrize(
    ("script", "arguments"),
    [(name, line) for name, text in BAD_ARGUMENTS.items() for line in text.split("|")],
)
def test_bad_arguments_are_refused(script: str, arguments: str, refused: Refused) -> None:
    assert "error:" in refused(importlib.import_module(script).main, *arguments.split())


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_short_run_prints_and_draws(
    script: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    figure = tmp_path / "figure.svg"
    plot = [] if script in NO_FIGURE else ["--plot", str(figure)]
    arguments = [*SHORT_RUNS[script].split(), *plot]
    if script in OWN_PROCESS:
        command = [sys.executable, f"examples/{script}.py", *arguments]
        assert subprocess.run(command, cwd=ROOT).returncode == 0
    else:
        assert run(script, *arguments) == 0
    assert capfd.readouterr().out
    assert not plot or "<svg" in figure.read_text(encoding="utf-8")
