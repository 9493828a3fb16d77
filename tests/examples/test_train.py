"""The training run that is there to be copied: what is resumed, and what is saved."""

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest

from docs._guide.options import ROOT


@pytest.fixture(scope="module")
def train() -> ModuleType:
    spec = importlib.util.spec_from_file_location("train", ROOT / "examples/training/train.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.random((40, 8, 8, 1), np.float32), rng.integers(0, 10, 40).astype(np.int32)


def equal(a: Any, b: Any) -> bool:
    return bool(jax.tree.all(jax.tree.map(lambda x, y: bool((x == y).all()), a, b)))


def test_a_resumed_run_is_the_whole_run(train: ModuleType, data: Any, tmp_path: Path) -> None:
    whole = train.train(data, data, tmp_path / "whole", epochs=3, size=16)
    train.train(data, data, tmp_path / "parts", epochs=1, size=16)
    resumed = train.train(data, data, tmp_path / "parts", epochs=3, size=16)
    assert equal(whole, resumed)


def test_the_best_checkpoint_and_the_latest_one_remain(
    train: ModuleType, data: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scores = iter([3.0, 1.0, 2.0, 2.5])
    monkeypatch.setattr(train, "evaluate", lambda *_: (next(scores), 0.0))
    best = train.train(data, data, tmp_path, epochs=4, size=16)
    with train.open_run(tmp_path) as checkpoints:
        assert [each.step for each in checkpoints.checkpoints] == [2, 4]
        state = train.new_state()
        assert equal(checkpoints.load(2, state)["params"], best)
        assert not equal(checkpoints.load(4, state)["params"], best)


def test_checkpoints_of_another_program_are_refused(
    train: ModuleType, data: Any, tmp_path: Path
) -> None:
    with train.open_run(tmp_path) as checkpoints:
        checkpoints.save(1, {"weights": np.zeros(3)})
    with pytest.raises((KeyError, ValueError)):
        train.train(data, data, tmp_path, epochs=2, size=16)
