"""Digits: the same run again, resumed, killed, with damaged files, and with MNIST's four files."""

import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import digits
import jax
import numpy as np
import pytest
from _digits import checkpoints
from _digits.data import Data, load, small_digits
from _digits.runs import Run, Settings, advance, begin
from _digits.stopping import ctrl_c_waits
from _digits.training import SCHEDULES

from docs._make.options import ROOT
from tests.examples.conftest import heed_ctrl_c

COMMAND = [sys.executable, "examples/digits.py"]
MNIST = {
    "train-images-idx3-ubyte": 0,
    "t10k-images-idx3-ubyte": 1,
    "train-labels-idx1-ubyte": 2,
    "t10k-labels-idx1-ubyte": 3,
}


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Variables with which processes compile what is new only."""
    return {
        "JAX_COMPILATION_CACHE_DIR": str(tmp_path_factory.mktemp("compiled")),
        "JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0",
        "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1",
    }


def some(random: np.random.Generator, train: int = 256, test: int = 64) -> Data:
    """A few of the digits, others each time; all ten classes."""
    data = small_digits()
    first = [int(np.flatnonzero(data.train_labels == label)[0]) for label in range(10)]
    chosen = np.concatenate([first, random.permutation(len(data.train_labels))[: train - 10]])
    tested = random.permutation(len(data.test_labels))[:test]
    return Data(
        data.train_images[chosen],
        data.test_images[tested],
        data.train_labels[chosen],
        data.test_labels[tested],
    )


def arrays(run: Run) -> list[np.ndarray]:
    parts = checkpoints.arrays(run.model), checkpoints.arrays(run.optimizer)
    return [np.asarray(leaf) for leaf in jax.tree.leaves(parts)]


def same(one: Run, other: Run) -> bool:
    """Parameters, moments and steps, bit for bit, and what was measured."""
    pairs = list(zip(arrays(one), arrays(other), strict=True))
    assert len(pairs) > 10
    equal = all(a.tobytes() == b.tobytes() and a.dtype == b.dtype for a, b in pairs)
    return equal and one.losses == other.losses and one.accuracies == other.accuracies


def finished(run: Run, folder: Path | None = None) -> Run:
    for done in advance(run):
        if folder:
            checkpoints.save(done, folder)
    return run


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line with which a command line is refused."""
    earlier = capsys.readouterr().out
    with pytest.raises(SystemExit) as stopped:
        digits.main([str(argument) for argument in arguments])
    assert stopped.value.code == 2
    said = capsys.readouterr()
    assert said.out == ""
    print(earlier, end="")  # the seed, for pytest
    return said.err.splitlines()[-1]


def test_the_seed_is_the_model(random: np.random.Generator) -> None:
    data, seed = some(random), int(random.integers(2**32))
    settings = Settings(epochs=2, batch=32, seed=seed)
    first = finished(begin(settings, data))
    assert same(first, finished(begin(settings, data)))
    other = finished(begin(Settings(epochs=2, batch=32, seed=seed ^ 1), data))
    assert not same(first, other)


def test_a_run_resumed_after_any_epoch_is_the_run(
    tmp_path: Path, random: np.random.Generator
) -> None:
    data, schedule = some(random), random.choice(SCHEDULES)
    settings = Settings(epochs=4, batch=50, schedule=schedule, seed=int(random.integers(2**32)))
    whole, folder = begin(settings, data), tmp_path / "run"
    checkpoints.save(whole, folder)
    for done in advance(whole):
        shutil.copytree(folder, tmp_path / f"before-{done.epoch}")
        checkpoints.save(done, folder)
    assert checkpoints.epochs_in(folder) == [4, 3, 2]
    for epoch in range(4):
        run, skipped = checkpoints.restore(tmp_path / f"before-{epoch + 1}", data)
        assert (run.epoch, skipped, run.settings) == (epoch, [], settings)
        assert same(finished(run), whole)


def command(variables: dict[str, str], *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | variables,
        capture_output=True,
        text=True,
        timeout=300,
    )


def entries(folder: Path) -> set[tuple[str, int]]:
    """What is in a folder; the same name made anew counts as another."""
    found = set()
    for path in folder.glob("*"):
        try:
            found.add((path.name, path.stat().st_ino))
        except FileNotFoundError:  # renamed meanwhile
            continue
    return found


def start_and_kill(
    variables: dict[str, str], random: np.random.Generator, folder: Path, *arguments: str
) -> None:
    """Run a command; kill it a random time after it has begun to write a checkpoint."""
    before = entries(folder)
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=ROOT,
        env=os.environ | variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while entries(folder) <= before and process.poll() is None:
            time.sleep(0.001)
        time.sleep(random.choice([0.03, 0.3]) * random.uniform())
    finally:
        process.kill()
        process.wait()
    print(f"killed: {sorted(entries(folder))}")


def test_a_run_that_is_killed_again_and_again(
    tmp_path: Path, random: np.random.Generator, compiled: dict[str, str]
) -> None:
    whole, folder = tmp_path / "whole", tmp_path / "killed"
    settings = ["--epochs", "4", "--seed", str(random.integers(2**32))]
    ended = command(compiled, "train", *settings, "--checkpoint-dir", whole)
    assert ended.returncode == 0, ended.stderr
    begun = ["train", *settings, "--checkpoint-dir", str(folder)]
    for _ in range(3):
        start_and_kill(compiled, random, folder, *begun)
        if any(not checkpoints.trouble(folder / str(n)) for n in checkpoints.epochs_in(folder)):
            begun = ["resume", "--checkpoint-dir", str(folder)]
        elif begun[0] == "train":
            shutil.rmtree(folder, ignore_errors=True)
    if begun[0] == "train":  # killed each time before the first checkpoint
        shutil.rmtree(folder, ignore_errors=True)
        assert command(compiled, *begun).returncode == 0
    resumed = command(compiled, "resume", "--checkpoint-dir", folder)
    assert resumed.returncode == 0, resumed.stderr
    assert resumed.stdout.splitlines()[-1] == ended.stdout.splitlines()[-1]
    data = small_digits()
    assert same(checkpoints.restore(folder, data)[0], checkpoints.restore(whole, data)[0])
    assert not [path.name for path in folder.iterdir() if not path.name.isdecimal()]


def test_a_first_checkpoint_that_is_incomplete(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], random: np.random.Generator
) -> None:
    checkpoints.save(begin(Settings(), some(random)), tmp_path)
    (tmp_path / "0" / checkpoints.CHECKSUMS).unlink()
    assert "name another folder" in refused(capsys, "train", "--checkpoint-dir", tmp_path)
    line = refused(capsys, "resume", "--checkpoint-dir", tmp_path)
    assert "train into a new folder; checkpoint 0 skipped: it is not complete" in line


@pytest.fixture(scope="module")
def run_of_two(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Run]:
    """A folder with checkpoints of epochs 1 and 2, and the run after epoch 2."""
    random = np.random.default_rng()
    folder = tmp_path_factory.mktemp("run")
    return folder, finished(begin(Settings(epochs=2), some(random)), folder)


def flip(file: Path, random: np.random.Generator) -> None:
    content = bytearray(file.read_bytes())
    content[random.integers(len(content))] ^= 1 << int(random.integers(8))
    file.write_bytes(content)


def cut(file: Path, random: np.random.Generator) -> None:
    content = file.read_bytes()
    file.write_bytes(content[: random.integers(len(content))])


def empty(file: Path, random: np.random.Generator) -> None:
    file.write_bytes(b"")


def delete(file: Path, random: np.random.Generator) -> None:
    file.unlink()


DAMAGES = [flip, cut, empty, delete]


@pytest.mark.parametrize("damage", DAMAGES)
def test_damage_to_any_file_is_named(
    run_of_two: tuple[Path, Run],
    random: np.random.Generator,
    damage: Callable[[Path, np.random.Generator], None],
) -> None:
    folder, _ = run_of_two
    files = [path for path in (folder / "2").rglob("*") if path.is_file()]
    assert len(files) > 20
    for file in files:
        content = file.read_bytes()
        if not content:
            continue
        damage(file, random)
        checkpoint, skipped = checkpoints.latest(folder)
        name = file.relative_to(folder / "2").as_posix()
        assert checkpoint.name == "1", (name, damage)
        assert len(skipped) == 1
        assert skipped[0].startswith("checkpoint 2 skipped: ")
        assert name in skipped[0] or file.name == checkpoints.CHECKSUMS
        file.write_bytes(content)
    assert checkpoints.latest(folder) == (folder / "2", [])


def test_a_damaged_checkpoint_is_replaced(
    tmp_path: Path, run_of_two: tuple[Path, Run], random: np.random.Generator
) -> None:
    folder, run = run_of_two
    files = [path for path in sorted((folder / "2").rglob("*")) if path.is_file()]
    for chosen in random.permutation(len(files))[:8]:
        file = files[chosen]
        copied = tmp_path / "copy"
        shutil.copytree(folder, copied)
        damage = DAMAGES[random.integers(4)]
        damage(copied / file.relative_to(folder), random)
        checkpoints.save(run, copied)
        checkpoint, skipped = checkpoints.latest(copied)
        assert (checkpoint.name, skipped) == ("2", []), (file, damage)
        assert same(checkpoints.restore(copied, run.data)[0], run)
        shutil.rmtree(copied)


def test_other_files_in_a_checkpoint_do_no_harm(
    tmp_path: Path, run_of_two: tuple[Path, Run]
) -> None:
    folder = shutil.copytree(run_of_two[0], tmp_path / "copy")
    (folder / "2" / ".DS_Store").write_bytes(b"of a file manager")
    (folder / "notes.txt").write_text("best so far")
    assert checkpoints.latest(folder) == (folder / "2", [])


def test_resuming_after_damage(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], random: np.random.Generator
) -> None:
    folder = tmp_path / "run"
    train = ["train", "--epochs", "2", "--seed", str(random.integers(2**32))]
    assert digits.main([*train, "--checkpoint-dir", str(folder)]) == 0
    before = capsys.readouterr().out.splitlines()[-1]
    largest = max((folder / "2").rglob("*"), key=lambda path: path.stat().st_size)
    flip(largest, random)
    for part in ("eval", "resume"):
        assert digits.main([part, "--checkpoint-dir", str(folder)]) == 0
        said = capsys.readouterr()
        assert f"{largest.name} is damaged or missing" in said.err
    assert said.out.splitlines() == [f"{folder}: 1 of 2 epochs are there", before]
    assert digits.main(["resume", "--checkpoint-dir", str(folder)]) == 0
    said = capsys.readouterr()
    assert said.out.splitlines() == [f"{folder}: 2 of 2 epochs are there", before]
    assert "skipped" not in said.err


def test_nothing_is_left(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    run_of_two: tuple[Path, Run],
    random: np.random.Generator,
) -> None:
    folder = shutil.copytree(run_of_two[0], tmp_path / "copy")
    for epoch in "12":
        files = [path for path in (folder / epoch).rglob("*") if path.is_file()]
        delete(files[random.integers(len(files))], random)
    for part in ("resume", "eval", "predict"):
        picture = ["seven.png"] if part == "predict" else []
        line = refused(capsys, part, "--checkpoint-dir", folder, *picture)
        assert "it has no complete checkpoint; train into a new folder" in line
        assert "checkpoint 2 skipped" in line
        assert "checkpoint 1 skipped" in line


def test_a_run_is_not_overwritten(
    capsys: pytest.CaptureFixture[str], run_of_two: tuple[Path, Run]
) -> None:
    line = refused(capsys, "train", "--epochs", "1", "--checkpoint-dir", run_of_two[0])
    assert "it has a run already" in line


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    line = refused(capsys, "train", "--epochs", "1", "--checkpoint-dir", tmp_path / "file")
    assert str(tmp_path / "file") in line


def test_ctrl_c_keeps_what_is_done(
    tmp_path: Path, random: np.random.Generator, compiled: dict[str, str]
) -> None:
    folder = tmp_path / "run"
    train = ["train", "--epochs", "10000", "--checkpoint-dir", str(folder)]
    process = subprocess.Popen(
        [*COMMAND, *train],
        cwd=ROOT,
        env=os.environ | compiled,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=heed_ctrl_c,
    )
    try:
        limit = time.monotonic() + 120
        while not (folder / "1" / checkpoints.CHECKSUMS).exists() and time.monotonic() < limit:
            time.sleep(0.01)
        time.sleep(random.uniform(0, 1))
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode == 130
    assert said.splitlines()[-1] == "stopped; resume continues it"
    run, _ = checkpoints.restore(folder, small_digits())
    assert 0 < run.epoch < 10_000


def test_the_first_ctrl_c_waits_and_the_second_does_not() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with ctrl_c_waits() as asked:
            asked()
            signal.raise_signal(signal.SIGINT)
            with pytest.raises(KeyboardInterrupt):
                asked()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with ctrl_c_waits() as asked:
            signal.raise_signal(signal.SIGINT)
            asked()
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


ON_FOUR = """
import sys
from pathlib import Path
import jax
from _digits import checkpoints
from _digits.data import small_digits
from flax import nnx
from jax.sharding import NamedSharding, PartitionSpec as P
run, _ = checkpoints.restore(Path(sys.argv[1]), small_digits())
mesh = jax.make_mesh((4,), ("d",))
def put(leaf):
    return jax.device_put(leaf, NamedSharding(mesh, P("d") if leaf.ndim == 2 else P()))
for part in (run.model, run.optimizer):
    nnx.update(part, jax.tree.map(put, nnx.state(part)))
assert len(run.model.hidden.kernel[...].devices()) == 4
checkpoints.save(run, Path(sys.argv[2]))
"""


def test_another_number_of_devices(
    tmp_path: Path, random: np.random.Generator, compiled: dict[str, str]
) -> None:
    data = small_digits()
    run = begin(Settings(epochs=2, seed=int(random.integers(2**32))), data)
    next(advance(run))
    one, four = tmp_path / "one", tmp_path / "four"
    checkpoints.save(run, one)
    devices = {"XLA_FLAGS": "--xla_force_host_platform_device_count=4", "JAX_PLATFORMS": "cpu"}
    ran = subprocess.run(
        [sys.executable, "-c", ON_FOUR, str(one), str(four)],
        env=os.environ | compiled | devices | {"PYTHONPATH": str(ROOT / "examples")},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    assert same(checkpoints.restore(four, data)[0], run)
    resumed = command(compiled | devices, "resume", "--checkpoint-dir", four)
    assert resumed.returncode == 0, resumed.stderr
    there, here = checkpoints.restore(four, data)[0], finished(run)
    assert there.losses[0] == here.losses[0]
    # Four devices share the threads, and so they may add in another order.
    assert there.losses[1] == pytest.approx(here.losses[1], rel=1e-3)


def mnist(folder: Path, compressed: bool = False, scale: int = 2, images: int = 200) -> Path:
    """MNIST's four files, made of scikit-learn's digits, larger."""
    folder.mkdir(exist_ok=True)
    for name, part in MNIST.items():
        array = small_digits()[part][:images]
        if array.ndim == 4:
            array = np.kron(array[..., 0] * 255, np.ones((scale, scale)))
        write(folder / name, array, compressed)
    return folder


def write(path: Path, array: np.ndarray, compressed: bool = False) -> None:
    header = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
    content = header + array.astype(np.uint8).tobytes()
    if compressed:
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(content))
    else:
        path.write_bytes(content)


@pytest.mark.parametrize("compressed", [False, True])
def test_mnists_files(tmp_path: Path, capsys: pytest.CaptureFixture[str], compressed: bool) -> None:
    folder, run = mnist(tmp_path / "data", compressed), str(tmp_path / "run")
    data = load(folder)
    assert data.train_images.shape == (200, 16, 16, 1)
    assert (data.train_images.min(), data.train_images.max()) == (0, 1)
    given = ["--data", str(folder), "--checkpoint-dir", run]
    assert digits.main(["train", "--epochs", "1", *given]) == 0
    trained = capsys.readouterr().out
    assert digits.main(["eval", *given]) == 0
    found = re.findall(r"test accuracy \S+ %", trained + capsys.readouterr().out)
    assert len(found) == 2 and found[0] == found[1]
    assert "give the same --data" in refused(capsys, "resume", "--checkpoint-dir", run)
    line = refused(capsys, "eval", "--checkpoint-dir", run)
    assert "--data: the network reads 10 digits of 16 x 16 pixels" in line


def other_magic(file: Path, random: np.random.Generator) -> None:
    content = bytearray(file.read_bytes())
    content[random.integers(4)] ^= 1 << int(random.integers(8))
    file.write_bytes(content)


def longer(file: Path, random: np.random.Generator) -> None:
    file.write_bytes(file.read_bytes() + bytes(int(random.integers(1, 9))))


def huge(file: Path, random: np.random.Generator) -> None:
    content = bytearray(file.read_bytes())
    content[4:8] = b"\xff\xff\xff\xff"
    file.write_bytes(content)


def a_folder(file: Path, random: np.random.Generator) -> None:
    file.unlink()
    file.mkdir()


@pytest.mark.parametrize("damage", [cut, empty, delete, other_magic, longer, huge, a_folder])
@pytest.mark.parametrize("name", MNIST)
def test_a_bad_file_of_mnists(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    random: np.random.Generator,
    name: str,
    damage: Callable[[Path, np.random.Generator], None],
) -> None:
    damage(mnist(tmp_path, images=20) / name, random)
    line = refused(capsys, "train", "--data", tmp_path)
    assert name in line
    assert "put MNIST's four files there" in line or "fetch it again" in line


@pytest.mark.parametrize("name", [name for name in MNIST if "labels" in name])
def test_labels_cut_off_anywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    file = mnist(tmp_path, images=20) / name
    whole = file.read_bytes()
    for kept in range(len(whole)):
        file.write_bytes(whole[:kept])
        line = refused(capsys, "train", "--data", tmp_path)
        assert name in line and "fetch it again" in line, kept


@pytest.mark.parametrize("name", MNIST)
def test_a_bad_compressed_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], random: np.random.Generator, name: str
) -> None:
    file = mnist(tmp_path, compressed=True, images=20) / f"{name}.gz"
    whole = file.read_bytes()
    for damage in (cut, empty, delete):
        damage(file, random)
        assert name in refused(capsys, "train", "--data", tmp_path)
        file.write_bytes(whole)
    for _ in range(20):  # what gzip does not notice changes no number
        flip(file, random)
        try:
            read: Any = load(tmp_path)
        except ValueError as error:
            assert name in str(error)
        else:
            assert np.array_equal(read.train_images, load(mnist(tmp_path / "plain", images=20))[0])
        file.write_bytes(whole)


def test_mnists_files_that_do_not_fit(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], random: np.random.Generator
) -> None:
    mnist(tmp_path, images=40)
    tested = tmp_path / "t10k-labels-idx1-ubyte"
    labels = random.integers(0, 10, 40)
    write(tested, np.where(np.arange(40) == random.integers(40), 10, labels))
    assert "label 10 is in the test files only" in refused(capsys, "train", "--data", tmp_path)
    write(tested, labels[:39])
    assert "40 images have 39 labels" in refused(capsys, "train", "--data", tmp_path)
    write(tested, labels)
    for shape in [(40, 16, 15), (40, 15, 15), (40, 4, 4), (40, 18, 18), (40, 0, 0)]:
        write(tmp_path / "t10k-images-idx3-ubyte", np.zeros(shape))
        assert "give square images of one size" in refused(capsys, "train", "--data", tmp_path)
    for name in MNIST:
        write(tmp_path / name, np.zeros((0, 16, 16) if "images" in name else 0))
    assert "0 images have 0 labels" in refused(capsys, "train", "--data", tmp_path)
