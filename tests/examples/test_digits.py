"""Digits: runs that can be repeated and resumed, damaged checkpoints, MNIST's four files."""

import gzip
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import digits
import jax
import numpy as np
import pytest
from _digits import checkpoints
from _digits.data import load, small_digits
from _digits.runs import Run, Settings, advance, begin
from _digits.stopping import ctrl_c_waits

from docs._guide.options import ROOT
from tests.examples.conftest import Refused

TrainedDigits = tuple[Path, Run]

MNIST = {
    "train-images-idx3-ubyte": 0,
    "t10k-images-idx3-ubyte": 1,
    "train-labels-idx1-ubyte": 2,
    "t10k-labels-idx1-ubyte": 3,
}


def arrays(run: Run) -> list[np.ndarray]:
    parts = checkpoints.arrays(run.model), checkpoints.arrays(run.optimizer)
    return [np.asarray(leaf) for leaf in jax.tree.leaves(parts)]


def same(run: Run, other: Run) -> bool:
    """Whether parameters, moments, steps and measurements agree, bit for bit."""
    pairs = list(zip(arrays(run), arrays(other), strict=True))
    assert len(pairs) > 10
    equal = all(a.tobytes() == b.tobytes() and a.dtype == b.dtype for a, b in pairs)
    return equal and run.losses == other.losses and run.accuracies == other.accuracies


def finished(run: Run) -> Run:
    for _ in advance(run):
        pass
    return run


def files_of(checkpoint: Path) -> list[Path]:
    return sorted(path for path in checkpoint.rglob("*") if path.is_file() and path.stat().st_size)


@pytest.fixture
def run_folder(tmp_path: Path, trained_digits: TrainedDigits) -> Path:
    """A copy of the folder of the trained run, with checkpoints 2, 3 and 4."""
    return shutil.copytree(trained_digits[0], tmp_path / "run")


# --- Runs ---


def test_the_seed_determines_the_run(trained_digits: TrainedDigits) -> None:
    _, run = trained_digits
    again, other = (next(advance(begin(Settings(epochs=4, seed=n), run.data))) for n in (0, 1))
    assert again.losses == run.losses[:1]
    assert other.losses != run.losses[:1]


@pytest.mark.parametrize("epoch", [2, 3])
def test_a_resumed_run_ends_like_the_whole_run(
    run_folder: Path, trained_digits: TrainedDigits, epoch: int
) -> None:
    _, whole = trained_digits
    for later in range(epoch + 1, 5):
        shutil.rmtree(run_folder / str(later))
    run, skipped = checkpoints.restore(run_folder, whole.data)
    assert (run.epoch, skipped, run.settings) == (epoch, [], whole.settings)
    assert same(finished(run), whole)


def test_a_run_can_be_resumed_before_its_first_epoch(tmp_path: Path) -> None:
    data, settings = small_digits(), Settings(epochs=1, schedule="constant", seed=3)
    checkpoints.save(begin(settings, data), tmp_path)
    run, _ = checkpoints.restore(tmp_path, data)
    assert run.epoch == 0
    assert same(finished(run), finished(begin(settings, data)))


def test_a_killed_run_can_be_resumed(tmp_path: Path, trained_digits: TrainedDigits) -> None:
    """The process is killed while it writes; whenever that is, the resumed run is the whole one."""
    folder, (_, whole) = tmp_path / "run", trained_digits
    command = [sys.executable, "examples/digits.py", "train", "--epochs", "4"]
    process = subprocess.Popen([*command, "--checkpoint-dir", str(folder)], cwd=ROOT)

    def writes_another() -> bool:
        complete = list(folder.glob(f"*/{checkpoints.CHECKSUMS}"))
        return len(complete) > 0 and len(list(folder.iterdir())) > len(complete)

    try:
        while process.poll() is None and not writes_another():
            time.sleep(0.001)
    finally:
        process.kill()
        process.wait()
    assert digits.main(["resume", "--checkpoint-dir", str(folder)]) == 0
    assert same(checkpoints.restore(folder, whole.data)[0], whole)
    assert all(path.name.isdecimal() for path in folder.iterdir())


@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_finished_epochs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    save = checkpoints.save

    def save_and_interrupt(run: Run, folder: Path) -> None:
        signal.raise_signal(signal.SIGINT)  # while the checkpoint is written
        save(run, folder)

    monkeypatch.setattr(checkpoints, "save", save_and_interrupt)
    assert digits.main(["train", "--checkpoint-dir", str(tmp_path)]) == 130
    assert "resume continues it" in capsys.readouterr().err
    assert checkpoints.restore(tmp_path, small_digits())[0].epoch == 1


def test_the_first_ctrl_c_waits_and_the_second_does_not(ctrl_c: None) -> None:
    with ctrl_c_waits() as raise_if_pressed:
        raise_if_pressed()
        signal.raise_signal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            raise_if_pressed()
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_stays_ignored(ctrl_c: None) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with ctrl_c_waits() as raise_if_pressed:
        signal.raise_signal(signal.SIGINT)
        raise_if_pressed()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


# --- Damaged checkpoints ---


def flip(content: bytes, position: int) -> bytes:
    """Change one bit."""
    return content[:position] + bytes([content[position] ^ 1]) + content[position + 1 :]


def middle(content: bytes) -> int:
    return len(content) // 2


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "flip": lambda content: flip(content, middle(content)),
    "cut": lambda content: content[: middle(content)],
    "empty": lambda content: b"",
}


@pytest.mark.parametrize("damage", [*DAMAGES, "delete"])
def test_damage_to_any_file_is_named(run_folder: Path, damage: str) -> None:
    newest = run_folder / "4"
    assert len(files_of(newest)) > 20
    for file in files_of(newest):
        content = file.read_bytes()
        if damage == "delete":
            file.unlink()
        else:
            file.write_bytes(DAMAGES[damage](content))
        checkpoint, [skipped] = checkpoints.latest(run_folder)
        assert checkpoint.name == "3", file
        assert skipped.startswith("checkpoint 4 skipped: ")
        name = file.relative_to(newest).as_posix()
        assert name in skipped or file.name == checkpoints.CHECKSUMS
        file.write_bytes(content)
    assert checkpoints.latest(run_folder) == (newest, [])


@pytest.mark.parametrize("number", [0, -1])
def test_a_damaged_checkpoint_is_replaced(
    run_folder: Path, trained_digits: TrainedDigits, number: int
) -> None:
    _, run = trained_digits
    files_of(run_folder / "4")[number].unlink()
    checkpoints.save(run, run_folder)
    restored, skipped = checkpoints.restore(run_folder, run.data)
    assert not skipped and same(restored, run)


def test_other_files_in_a_checkpoint_do_no_harm(run_folder: Path) -> None:
    (run_folder / "4" / ".DS_Store").write_bytes(b"of a file manager")
    (run_folder / "notes.txt").write_text("best so far")
    assert checkpoints.latest(run_folder) == (run_folder / "4", [])


def test_commands_skip_a_damaged_checkpoint(
    run_folder: Path, trained_digits: TrainedDigits, capsys: pytest.CaptureFixture[str]
) -> None:
    largest = max(files_of(run_folder / "4"), key=lambda path: path.stat().st_size)
    largest.write_bytes(b"")
    for command in ("eval", "resume"):
        assert digits.main([command, "--checkpoint-dir", str(run_folder)]) == 0
        printed = capsys.readouterr()
        assert f"{largest.name} is damaged or missing" in printed.err
    summary = f"epoch 4: {digits.figures(trained_digits[1])}"
    assert printed.out.splitlines() == [f"{run_folder}: 3 of 4 epochs are there", summary]
    assert digits.main(["resume", "--checkpoint-dir", str(run_folder)]) == 0
    printed = capsys.readouterr()
    assert printed.out.splitlines() == [f"{run_folder}: 4 of 4 epochs are there", summary]
    assert "skipped" not in printed.err


@pytest.mark.parametrize("command", ["resume", "eval", "predict"])
def test_commands_need_a_complete_checkpoint(
    run_folder: Path, refused: Refused, command: str
) -> None:
    for epoch in "234":
        files_of(run_folder / epoch)[0].unlink()
    picture = ["seven.png"] if command == "predict" else []
    line = refused(digits.main, command, "--checkpoint-dir", run_folder, *picture)
    assert "it has no complete checkpoint; train into a new folder" in line
    assert all(f"checkpoint {epoch} skipped" in line for epoch in "234")


def test_a_run_is_not_overwritten(run_folder: Path, refused: Refused) -> None:
    for damaged in (False, True):
        if damaged:
            (run_folder / "4" / checkpoints.CHECKSUMS).unlink()
        line = refused(digits.main, "train", "--epochs", 1, "--checkpoint-dir", run_folder)
        assert "it has a run already" in line and "name another folder" in line


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, refused: Refused) -> None:
    (tmp_path / "file").write_text("in the way")
    line = refused(digits.main, "train", "--epochs", 1, "--checkpoint-dir", tmp_path / "file")
    assert str(tmp_path / "file") in line


# --- MNIST's files ---


def write(path: Path, array: np.ndarray, compressed: bool = False) -> None:
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    content = header + array.astype(np.uint8).tobytes()
    if compressed:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(content))
    else:
        path.write_bytes(content)


def mnist(folder: Path, compressed: bool = False, images: int = 20) -> Path:
    """MNIST's four files, made of scikit-learn's digits, twice as large."""
    folder.mkdir(exist_ok=True)
    for name, part in MNIST.items():
        array = small_digits()[part][:images]
        if array.ndim == 4:
            array = np.kron(array[..., 0] * 255, np.ones((2, 2)))
        write(folder / name, array, compressed)
    return folder


def test_mnists_files_can_be_trained_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], refused: Refused
) -> None:
    folder, run = mnist(tmp_path / "data", images=200), str(tmp_path / "run")
    arguments = ["--data", str(folder), "--checkpoint-dir", run]
    assert digits.main(["train", "--epochs", "1", *arguments]) == 0
    assert digits.main(["eval", *arguments]) == 0
    accuracies = re.findall(r"test accuracy \S+ %", capsys.readouterr().out)
    assert len(accuracies) == 2 and accuracies[0] == accuracies[1]
    assert "give the same --data" in refused(digits.main, "resume", "--checkpoint-dir", run)
    line = refused(digits.main, "eval", "--checkpoint-dir", run)
    assert "--data: the network reads 10 digits of 16 x 16 pixels" in line


def test_mnists_files_may_be_compressed(tmp_path: Path) -> None:
    plain, compressed = load(mnist(tmp_path / "a")), load(mnist(tmp_path / "b", compressed=True))
    assert plain.train_images.shape == (20, 16, 16, 1)
    assert (plain.train_images.min(), plain.train_images.max()) == (0, 1)
    assert plain.digest == compressed.digest


BAD_FILES = DAMAGES | {
    "magic": lambda content: flip(content, 2),
    "longer": lambda content: content + b"\0",
    "huge shape": lambda content: content[:4] + b"\xff" * 4 + content[8:],
    "short header": lambda content: content[:7],
}


@pytest.mark.parametrize("damage", sorted(BAD_FILES.keys() - {"flip"}))
@pytest.mark.parametrize("name", MNIST)
def test_a_bad_file_is_refused(tmp_path: Path, refused: Refused, name: str, damage: str) -> None:
    file = mnist(tmp_path) / name
    file.write_bytes(BAD_FILES[damage](file.read_bytes()))
    line = refused(digits.main, "train", "--data", tmp_path)
    assert name in line and "fetch it again" in line


@pytest.mark.parametrize("name", MNIST)
def test_a_missing_file_is_named(tmp_path: Path, refused: Refused, name: str) -> None:
    file = mnist(tmp_path) / name
    file.unlink()
    file.mkdir()
    line = refused(digits.main, "train", "--data", tmp_path)
    assert name in line and "put MNIST's four files there" in line


@pytest.mark.parametrize("name", MNIST)
def test_a_bad_compressed_file_is_named(tmp_path: Path, name: str) -> None:
    plain, folder = load(mnist(tmp_path / "plain")), mnist(tmp_path / "gz", compressed=True)
    file = folder / f"{name}.gz"
    content = file.read_bytes()
    for position in range(0, len(content), 7):
        file.write_bytes(flip(content, position))
        try:  # a bit that gzip does not check changes no number
            assert load(folder).digest == plain.digest
        except ValueError as error:
            assert name in str(error)
    for damage in ("cut", "empty"):
        file.write_bytes(DAMAGES[damage](content))
        with pytest.raises(ValueError, match=name):
            load(folder)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("t10k-labels-idx1-ubyte", np.arange(20) % 11, "label 10 is in the test files only"),
        ("t10k-labels-idx1-ubyte", np.zeros(19), "20 images have 19 labels"),
        ("t10k-images-idx3-ubyte", np.zeros((20, 16, 15)), "give square images of one size"),
        ("t10k-images-idx3-ubyte", np.zeros((20, 18, 18)), "give square images of one size"),
        ("t10k-images-idx3-ubyte", np.zeros((20, 0, 0)), "give square images of one size"),
    ],
)
def test_files_that_do_not_fit_each_other_are_refused(
    tmp_path: Path, refused: Refused, name: str, array: np.ndarray, message: str
) -> None:
    write(mnist(tmp_path) / name, array)
    assert message in refused(digits.main, "train", "--data", tmp_path)


def test_files_without_images_are_refused(tmp_path: Path, refused: Refused) -> None:
    for name in MNIST:
        write(tmp_path / name, np.zeros((0, 16, 16) if "images" in name else 0))
    assert "0 images have 0 labels" in refused(digits.main, "train", "--data", tmp_path)
