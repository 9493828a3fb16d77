"""Debugging: the removal of the NaN changes nothing else; the page asserts where it begins."""

import debugging
import jax
import jax.numpy as jnp
import numpy as np
import pytest


def test_without_equal_pairs_both_distances_train_alike(random: np.random.Generator) -> None:
    w = jnp.asarray(0.1 * random.normal(size=(64, 2)), jnp.float32)
    images = jnp.asarray(random.random(size=(40, 64)), jnp.float32)
    first = random.integers(40, size=(12, 1, 8))
    pairs = jnp.asarray(np.concatenate([first, (first + 1) % 40], axis=1))
    plain, _ = debugging.fit(w, images, pairs, debugging.distance)
    safe, _ = debugging.fit(w, images, pairs, debugging.safe_distance)
    np.testing.assert_allclose(plain, safe, rtol=1e-4, atol=1e-5)


def test_an_option_is_restored_after_it_stopped_a_run() -> None:
    assert debugging.origin(jax.debug_nans, lambda: jnp.sqrt(-1.0)) is not None
    assert jnp.isnan(jnp.sqrt(-1.0))


def test_the_command_finds_the_bug(capsys: pytest.CaptureFixture[str]) -> None:
    assert debugging.main(["--seed", "0", "--pairs", "256", "--steps", "20"]) == 0
    output = capsys.readouterr().out
    assert "operation and function: div distance" in output
    assert "themselves" in output
