"""Digits: the accuracy after a short run, a saved run, and files that are no run."""

import re
from pathlib import Path

import digits
import jax.numpy as jnp
import numpy as np
import pytest
from sklearn.datasets import load_digits

from tests.examples.conftest import Refused


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that `digits.py --epochs 12` saves."""
    file = tmp_path_factory.mktemp("digits") / "run.npz"
    assert digits.main(["--epochs", "12", "--save", str(file)]) == 0
    return file


def test_a_short_run_reads_97_percent_of_the_test_images(
    saved: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert digits.main(["--load", str(saved)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"epoch \d+ of 12: validation loss 0\.\d+", lines[0])
    accuracy = re.fullmatch(r"test accuracy (\S+)% of 360 images", lines[1])
    assert accuracy and float(accuracy[1]) >= 97


def test_the_saved_parameters_belong_to_the_best_epoch(saved: Path) -> None:
    params, history = digits.load_run(saved)
    pixels, labels = load_digits(return_X_y=True)
    images = np.float32(pixels / 16).reshape(-1, 8, 8, 1)
    others, _ = digits.split(images, labels, digits.TEST)
    _, validation = digits.split(*others, digits.VALIDATION)
    assert history.shape == (12, 2)
    value = digits.loss(params, *map(jnp.asarray, validation))
    np.testing.assert_allclose(value, history[:, 1].min(), rtol=5e-2)


def test_a_run_that_does_not_improve_stops() -> None:
    def step(x: int) -> tuple[int, float]:
        return x + 1, float("nan")

    best, history = digits.fit(step, (0,), lambda _: [()], lambda _: float("nan"), 20, 3)
    assert best == (0,) and len(history) == 4  # NaN is never the best


@pytest.mark.parametrize("damage", ["text", "empty", "array", "other", "shapes"])
def test_a_file_that_is_no_run_is_named(
    saved: Path, tmp_path: Path, refused: Refused, damage: str
) -> None:
    file = tmp_path / "bad.npz"
    with np.load(saved) as arrays:
        parts = dict(arrays)
    match damage:
        case "text":
            file.write_text("no run", encoding="utf-8")
        case "empty":
            file.write_bytes(b"")
        case "array":
            with file.open("wb") as stream:
                np.save(stream, np.zeros(3))
        case "other":
            np.savez(file, history=np.zeros((1, 2)))
        case "shapes":
            np.savez(file, **{name: part[:1] for name, part in parts.items()})
    line = refused(digits.main, "--load", file)
    assert f"{file} has no run of this network; write one with --save" in line
