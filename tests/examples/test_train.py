"""The training run that is there to be copied: what is resumed, and what is saved."""

from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import numpy as np
import pytest

from tests.examples.conftest import example


@pytest.fixture(scope="module")
def train() -> ModuleType:
    return example("training/train.py")


@pytest.fixture(scope="module")
def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    return rng.random((40, 8, 8, 1), np.float32), rng.integers(0, 10, 40).astype(np.int32)


def equal(a: Any, b: Any) -> bool:
    return bool(jax.tree.all(jax.tree.map(lambda x, y: bool((x == y).all()), a, b)))


def run(train: ModuleType, data: Any, folder: Path, epochs: int, **options: Any) -> Any:
    arguments = {
        "step": train.train_step,
        "state": train.new_state(),
        "batches": train.batches(*data, 16),
        "validate": lambda state: train.evaluate(state, *data)[0],
    } | options
    return train.fit(**arguments, epochs=epochs, steps=2, folder=folder)


def test_a_resumed_run_is_the_whole_run(train: ModuleType, data: Any, tmp_path: Path) -> None:
    whole = run(train, data, tmp_path / "whole", 3)
    run(train, data, tmp_path / "parts", 1)
    assert equal(whole, run(train, data, tmp_path / "parts", 3))


def test_the_best_checkpoint_and_the_latest_one_remain(
    train: ModuleType, data: Any, tmp_path: Path
) -> None:
    scores = iter([3.0, 1.0, 2.0, 2.5])
    best = run(train, data, tmp_path, 4, validate=lambda _: next(scores))
    with train.open_run(tmp_path) as checkpoints:
        assert [each.step for each in checkpoints.checkpoints] == [2, 4]
        state = train.new_state()
        assert equal(checkpoints.load_checkpointables(2, state)["params"], best["params"])
        assert not equal(checkpoints.load_checkpointables(4, state)["params"], best["params"])


def test_patience_counts_epochs_before_an_interruption(
    train: ModuleType, data: Any, tmp_path: Path
) -> None:
    scores = iter([3.0, 1.0, 2.0, 2.5, 2.5, 0.5])
    for epochs in (3, 10, 10):
        run(train, data, tmp_path, epochs, validate=lambda _: next(scores), patience=3)
    with train.open_run(tmp_path) as checkpoints:
        assert [each.step for each in checkpoints.checkpoints] == [2, 5]


def test_checkpoints_of_another_program_are_refused(
    train: ModuleType, data: Any, tmp_path: Path
) -> None:
    with train.open_run(tmp_path) as checkpoints:
        checkpoints.save(1, {"weights": np.zeros(3)})
    with pytest.raises((KeyError, ValueError)):
        run(train, data, tmp_path, 2)
