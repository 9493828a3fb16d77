"""Batches, and runs that continue; the page asserts the accuracy."""

from pathlib import Path

import jax
import numpy as np
import pytest
import who_does_what as parts
from orbax.checkpoint import v1 as ocp

from tests.examples.conftest import Refused


@pytest.fixture
def data(random: np.random.Generator) -> parts.Data:
    """Random images with random labels."""
    return random.random((100, 64), np.float32), random.integers(0, 10, 100)


def test_batches_are_disjoint_and_drop_the_rest() -> None:
    x = np.arange(100)
    batches = list(parts.shuffled_batches(x, -x, size=30, seed=1))
    assert [len(rows) for rows, _ in batches] == [30, 30, 30]
    assert all((rows == -labels).all() for rows, labels in batches)
    assert len(np.unique(np.concatenate([rows for rows, _ in batches]))) == 90
    again = next(parts.shuffled_batches(x, -x, size=30, seed=1))
    other = next(parts.shuffled_batches(x, -x, size=30, seed=2))
    assert (again[0] == batches[0][0]).all() and (other[0] != batches[0][0]).any()


def test_a_continued_run_equals_one_without_a_break(data: parts.Data, tmp_path: Path) -> None:
    parts.fit(parts.start, data, data, tmp_path / "a", epochs=1, size=50)
    zeros = jax.tree.map(np.zeros_like, parts.start)
    resumed = parts.fit(zeros, data, data, tmp_path / "a", epochs=2, size=50)
    straight = parts.fit(parts.start, data, data, tmp_path / "b", epochs=2, size=50)
    for a, b in zip(jax.tree.leaves(resumed), jax.tree.leaves(straight), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def test_checkpoints_of_another_program_are_refused(refused: Refused, tmp_path: Path) -> None:
    with ocp.training.Checkpointer(tmp_path) as checkpoints:
        checkpoints.save(3, {"another": np.ones(3)})
    assert "another program" in refused(parts.main, "--folder", tmp_path)
