"""The command line of UKR: unusable files, runs that go on, Ctrl-C, processes."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import ukr
from _ukr import runs

from docs._guide.options import ROOT
from tests.examples.conftest import Refused

SHORT = ["--points", "30", "--epochs", "12"]


@pytest.fixture(scope="module")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a run with the arguments SHORT."""
    file = tmp_path_factory.mktemp("ukr") / "run.npz"
    assert ukr.main([*SHORT, "--save", str(file)]) == 0
    return file


BAD_CSV = {
    b"": "there is no line of numbers in it",
    b"a,b\n": "there is no line of numbers in it",
    b"1,2\n3,four\n": "line 2 has more than numbers",
    b"a,b\n1,2\n3\n": "line 3 has 1 numbers, not 2",
    b"1,2\n3,nan\n": "line 2 is not finite",
    b"1,2\n": "give at least two points, not 1",
    b"1,2\n1,2\n": "all points are equal",
    b"1e300,2\n-1e300,2\n": "too large",
    b"1,2\n\x00,5\n": "more than numbers",
    b"\xff\xfe\x00\x80": "save it as comma-separated text",
}


@pytest.mark.parametrize(("content", "message"), BAD_CSV.items())
def test_a_bad_csv_is_refused(
    tmp_path: Path, refused: Refused, content: bytes, message: str
) -> None:
    file = tmp_path / "data.csv"
    file.write_bytes(content)
    assert message in refused(ukr.main, "--data", file)


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"A": np.eye(3), "B": np.eye(3)}, "it has no array X"),
        ({"X": np.zeros(3)}, "give X two axes"),
        ({"X": np.array([[1.0, np.nan], [2.0, 3.0]])}, "X[0, 1] is not a finite number"),
        ({"X": np.array([["a", "b"]])}, "write it with numpy.savez"),
        ({"X": np.array([[{}]])}, "write it with numpy.savez"),
    ],
)
def test_a_bad_npz_is_refused(
    tmp_path: Path, refused: Refused, arrays: dict[str, Any], message: str
) -> None:
    file = tmp_path / "data.npz"
    np.savez(file, **arrays)
    assert message in refused(ukr.main, "--data", file)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"not a file of arrays"])
def test_a_damaged_npz_is_refused(tmp_path: Path, refused: Refused, content: bytes) -> None:
    file = tmp_path / "data.npz"
    file.write_bytes(content)
    assert "write it with numpy.savez" in refused(ukr.main, "--data", file)
    assert "give a file that --save wrote" in refused(ukr.main, "--resume", file)


def test_data_are_not_overwritten(tmp_path: Path, refused: Refused) -> None:
    file = tmp_path / "data.npz"
    np.savez(file, X=np.eye(3))
    before = file.read_bytes()
    assert "it holds the data" in refused(ukr.main, "--data", file, "--save", file)
    assert file.read_bytes() == before


def test_csv_and_npz_give_the_same_run(
    tmp_path: Path, random: np.random.Generator, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = random.normal(size=(20, 4))
    np.savetxt(tmp_path / "data.csv", rows, delimiter=",", header="a,b,c,d", comments="")
    np.savez(tmp_path / "data.npz", rows)
    for name in ("data.csv", "data.npz"):
        assert ukr.main(["--data", str(tmp_path / name), "--epochs", "11"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "data.csv  N = 20  D = 4  L = 2  fused"
    assert lines[1] == lines[3]  # the loss


def test_a_resumed_run_ends_like_the_whole_run(tmp_path: Path, short_run: Path) -> None:
    file = tmp_path / "half.npz"
    assert ukr.main([*SHORT[:2], "--epochs", "5", "--save", str(file)]) == 0
    assert ukr.main(["--resume", str(file), "--epochs", "7", "--save", str(file)]) == 0
    whole, resumed = runs.load(short_run), runs.load(file)
    assert resumed.history.shape == (12, 30, 2)
    assert np.allclose(resumed.history, whole.history, atol=1e-6)
    assert np.allclose(resumed.objective, whole.objective)
    assert resumed.settings == whole.settings


def test_a_run_of_another_program_is_refused(
    tmp_path: Path, short_run: Path, refused: Refused
) -> None:
    run, file = runs.load(short_run), tmp_path / "run.npz"
    runs.save(run._replace(history=run.history[:3]), file)
    assert "do not belong together" in refused(ukr.main, "--resume", file)
    runs.save(run._replace(settings={"bandwidth": 1}), file)
    assert "start anew" in refused(ukr.main, "--resume", file)


def test_a_failed_save_keeps_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "run.npz"
    file.write_bytes(b"an older run")

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    assert ukr.main([*SHORT, "--save", str(file), "--plot", str(tmp_path / "plot.svg")]) == 1
    assert file.read_bytes() == b"an older run"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plot.svg", "run.npz"]


def test_pictures_are_written(tmp_path: Path) -> None:
    plot, film = tmp_path / "plot.png", tmp_path / "film.gif"
    assert ukr.main([*SHORT, "--plot", str(plot), "--animate", str(film)]) == 0
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert film.read_bytes().startswith(b"GIF89a")
    assert film.read_bytes().count(b"\x21\xf9\x04") > 8  # a control block for each frame


def test_a_rival_prints_the_same_loss(short_run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert ukr.main([*SHORT, "--method", "numpy"]) == 0
    heading, loss = capsys.readouterr().out.splitlines()
    assert heading.endswith("numpy")
    expected = runs.load(short_run).objective[-1]
    assert float(loss.split()[4]) == pytest.approx(float(expected), abs=2e-6)


def test_a_rate_that_is_too_large_is_noted(capsys: pytest.CaptureFixture[str]) -> None:
    assert ukr.main(["--points", "30", "--epochs", "100", "--learning-rate", "50"]) == 0
    assert "give a smaller --learning-rate" in capsys.readouterr().err


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_finished_epochs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "run.npz"
    interrupt = threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT])

    def interrupt_soon(epoch: int, goal: int, loss: float) -> None:
        if interrupt.ident is None:
            interrupt.start()

    monkeypatch.setattr(ukr, "show_progress", interrupt_soon)
    assert ukr.main(["--points", "300", "--epochs", "1000000", "--save", str(file)]) == 130
    assert "stopped after" in capsys.readouterr().err
    run = runs.load(file)
    assert 0 < len(run.objective) < 1_000_000
    assert len(run.history) == len(run.objective)


@pytest.mark.parametrize("shared", [["--processes", "2"], ["--devices", "3"]])
def test_devices_and_processes_share_a_run(
    tmp_path: Path, short_run: Path, shared: list[str]
) -> None:
    file = tmp_path / "together.npz"
    process = subprocess.run(
        [sys.executable, "examples/ukr.py", *SHORT, *shared, "--save", str(file)],
        cwd=ROOT,
        env=os.environ | {"JAX_PLATFORMS": "cpu"},
        capture_output=True,
        encoding="utf-8",
    )
    assert process.returncode == 0, process.stderr
    assert "blocks" in process.stdout
    difference = runs.load(file).history - runs.load(short_run).history
    assert np.abs(difference).max() < 1e-6


def test_processes_report_bad_data_once() -> None:
    command = [sys.executable, "examples/ukr.py", "--processes", "2", "--data", "letters"]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, encoding="utf-8")
    assert process.returncode == 2
    assert process.stderr.count("'letters': give saddle") == 1
