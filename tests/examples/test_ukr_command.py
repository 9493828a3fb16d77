"""The command line of UKR: files that are not usable, runs that go on, Ctrl-C, processes."""

import os
import pty
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
import ukr
from _ukr import runs

from docs._make.options import ROOT
from tests.examples.conftest import heed_ctrl_c

SHORT = ["--points", "30", "--epochs", "12"]
COMMAND = [sys.executable, "examples/ukr.py"]


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line with which a command line is refused."""
    with pytest.raises(SystemExit) as stopped:
        ukr.main([str(argument) for argument in arguments])
    assert stopped.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    return said.err.splitlines()[-1]


CSV = {
    "": "there is no line of numbers in it",
    "a,b\n": "there is no line of numbers in it",
    "1,2\n3,four\n": "line 2 has more than numbers",
    "a,b\n1,2\n3\n": "line 3 has 1 numbers, not 2",
    "1,2\n3,nan\n": "line 2 is not finite",
    "1,2\n": "give at least two points, not 1",
    "1,2\n1,2\n": "all points are equal",
    "1e300,2\n-1e300,2\n": "too large",
    "\x00,\xff": "more than numbers",
}


@pytest.mark.parametrize(("text", "message"), CSV.items())
def test_a_bad_csv(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, message: str
) -> None:
    file = tmp_path / "data.csv"
    file.write_text("1,2\n" + text if text.startswith("\x00") else text)
    assert message in refused(capsys, "--data", file)


def test_a_csv_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "data.csv"
    file.write_bytes(b"\xff\xfe\x00\x80")
    assert "save it as comma-separated text" in refused(capsys, "--data", file)


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
def test_a_bad_npz(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    arrays: dict[str, np.ndarray],
    message: str,
) -> None:
    file = tmp_path / "data.npz"
    np.savez(file, **arrays)  # type: ignore[arg-type]
    assert message in refused(capsys, "--data", file)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 cut", b"not a file of arrays"])
def test_a_damaged_file(tmp_path: Path, capsys: pytest.CaptureFixture[str], content: bytes) -> None:
    file = tmp_path / "data.npz"
    file.write_bytes(content)
    assert "write it with numpy.savez" in refused(capsys, "--data", file)
    assert "give a file that --save wrote" in refused(capsys, "--resume", file)


def test_data_is_not_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "data.npz"
    np.savez(file, X=np.eye(3))
    before = file.read_bytes()
    assert "it holds the data" in refused(capsys, "--data", file, "--save", file)
    assert file.read_bytes() == before


def test_files_that_are_good(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = np.random.default_rng(0).normal(size=(20, 4))
    np.savetxt(tmp_path / "data.csv", rows, delimiter=",", header="a,b,c,d", comments="")
    np.savez(tmp_path / "data.npz", rows)
    for name in ("data.csv", "data.npz"):
        assert ukr.main(["--data", str(tmp_path / name), "--epochs", "11"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "data.csv  N = 20  D = 4  L = 2  fused"
    assert lines[1] == lines[3]  # the same data, the same loss


def test_a_run_goes_on_where_it_ended(tmp_path: Path) -> None:
    whole, half = tmp_path / "whole.npz", tmp_path / "half.npz"
    assert ukr.main([*SHORT, "--save", str(whole)]) == 0
    assert ukr.main([*SHORT[:2], "--epochs", "5", "--save", str(half)]) == 0
    assert ukr.main(["--resume", str(half), "--epochs", "7", "--save", str(half)]) == 0
    expected, found = runs.load(whole), runs.load(half)
    assert found.history.shape == (12, 30, 2)
    assert np.allclose(found.history, expected.history, atol=1e-6)
    assert np.allclose(found.objective, expected.objective)
    assert found.settings == expected.settings


def test_a_run_of_another_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "run.npz"
    assert ukr.main([*SHORT, "--save", str(file)]) == 0
    capsys.readouterr()
    run = runs.load(file)
    runs.save(run._replace(history=run.history[:3]), file)
    assert "do not belong together" in refused(capsys, "--resume", file)
    runs.save(run._replace(settings={"bandwidth": 1}), file)
    assert "start anew" in refused(capsys, "--resume", file)


def test_a_save_that_fails_keeps_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "run.npz"
    assert ukr.main([*SHORT, "--save", str(file)]) == 0
    before = file.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    assert ukr.main([*SHORT, "--save", str(file), "--plot", str(tmp_path / "plot.svg")]) == 1
    assert file.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["plot.svg", "run.npz"]


def test_pictures(tmp_path: Path) -> None:
    plot, film = tmp_path / "plot.png", tmp_path / "film.gif"
    assert ukr.main([*SHORT, "--plot", str(plot), "--animate", str(film)]) == 0
    assert plot.read_bytes().startswith(b"\x89PNG")
    assert film.read_bytes().startswith(b"GIF89a")
    assert film.read_bytes().count(b"\x21\xf9\x04") > 8  # a control block for each frame


@pytest.mark.parametrize("method", ["numpy-original", "numpy", "loop", "step", "fori", "scan"])
def test_rivals_print_the_same_loss(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert ukr.main(SHORT) == 0
    expected = capsys.readouterr().out.splitlines()
    assert ukr.main([*SHORT, "--method", method]) == 0
    found = capsys.readouterr().out.splitlines()
    assert found[0] == expected[0].replace("fused", method)
    assert float(found[1].split()[4]) == pytest.approx(float(expected[1].split()[4]), abs=2e-6)


def test_trouble_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert ukr.main(["--points", "30", "--epochs", "100", "--learning-rate", "50"]) == 0
    assert "give a smaller --learning-rate" in capsys.readouterr().err


def test_ctrl_c_keeps_what_is_done(tmp_path: Path) -> None:
    file = tmp_path / "run.npz"
    command = [*COMMAND, "--points", "300", "--epochs", "1000000", "--save", str(file)]
    ours, theirs = pty.openpty()  # progress is shown on a terminal only
    process = subprocess.Popen(command, cwd=ROOT, stderr=theirs, preexec_fn=heed_ctrl_c)
    os.close(theirs)
    limit = time.monotonic() + 120
    try:
        said = b""
        while b"epoch 12 of 1000000" not in said and time.monotonic() < limit:
            said += os.read(ours, 1024)
        process.send_signal(signal.SIGINT)
        while b"stopped after" not in said and time.monotonic() < limit:
            said += os.read(ours, 1024)
        assert b"stopped after" in said
        assert process.wait(timeout=60) == 130
    finally:
        process.kill()
        os.close(ours)
    run = runs.load(file)
    assert 0 < len(run.objective) < 1_000_000
    assert len(run.history) == len(run.objective)


@pytest.mark.parametrize("shared", [["--processes", "2"], ["--devices", "3"]])
def test_devices_and_processes_share_a_run(tmp_path: Path, shared: list[str]) -> None:
    together, alone = tmp_path / "together.npz", tmp_path / "alone.npz"
    command = [*COMMAND, *SHORT, *shared, "--save", str(together)]
    environment = os.environ | {"JAX_PLATFORMS": "cpu"}
    ran = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "blocks" in ran.stdout
    assert ukr.main([*SHORT, "--save", str(alone)]) == 0
    difference = runs.load(together).history - runs.load(alone).history
    assert np.abs(difference).max() < 1e-6


def test_bad_data_for_processes_is_said_once(capfd: pytest.CaptureFixture[str]) -> None:
    command = [*COMMAND, "--processes", "2", "--data", "letters"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 2
    assert ran.stderr.count("'letters': give saddle") == 1
