"""Debugging: where a NaN begins, on fresh data, and that its removal changes nothing else."""

import debugging
import jax
import jax.numpy as jnp
import numpy as np
import pytest


def batch(random: np.random.Generator, steps: int) -> tuple[jax.Array, jax.Array, np.ndarray]:
    """A matrix, images, and pairs of which none is equal."""
    w = jnp.asarray(0.1 * random.normal(size=(64, 2)), jnp.float32)
    images = jnp.asarray(random.random(size=(40, 64)), jnp.float32)
    first = random.integers(40, size=(steps, 1, 8))
    other = (first + random.integers(1, 40, size=first.shape)) % 40
    return w, images, np.concatenate([first, other], axis=1)


def test_the_nan_begins_at_the_first_equal_pair(random: np.random.Generator) -> None:
    w, images, pairs = batch(random, 12)
    planted = int(random.integers(12))
    pairs[planted, 1, 3] = pairs[planted, 0, 3]
    _, history = debugging.fit(w, images, jnp.asarray(pairs), debugging.distance)
    assert debugging.first_bad(history["slope"]) == planted
    assert debugging.first_bad(history["loss"]) == (planted + 1 if planted < 11 else None)
    a, b = images[pairs[planted]]
    names = debugging.origin(
        lambda: debugging.step(history["w"][planted], a, b, debugging.distance)
    )
    assert names == ["step", "loss", "distance"]
    message = debugging.stopped_by(
        jax.debug_infs, lambda: debugging.step(history["w"][planted], a, b, debugging.distance)
    )
    assert message is not None and "(inf)" in message
    _, history = debugging.fit(w, images, jnp.asarray(pairs), debugging.safe_distance)
    assert all(debugging.first_bad(values) is None for values in history.values())


def test_without_equal_pairs_both_distances_train_alike(random: np.random.Generator) -> None:
    w, images, pairs = batch(random, 12)
    plain, _ = debugging.fit(w, images, jnp.asarray(pairs), debugging.distance)
    safe, _ = debugging.fit(w, images, jnp.asarray(pairs), debugging.safe_distance)
    np.testing.assert_allclose(plain, safe, rtol=1e-4, atol=1e-5)


def test_an_option_is_restored_after_it_stopped_a_run() -> None:
    assert debugging.stopped_by(jax.debug_nans, lambda: jnp.sqrt(-1.0)) is not None
    assert jnp.isnan(jnp.sqrt(-1.0))


def test_the_first_row_that_is_not_finite(random: np.random.Generator) -> None:
    values = random.normal(size=(9, 4, 2))
    assert debugging.first_bad(jnp.asarray(values)) is None
    row = int(random.integers(9))
    values[row:, int(random.integers(4)), 1] = random.choice([np.nan, np.inf, -np.inf])
    assert debugging.first_bad(jnp.asarray(values)) == row


def test_the_command_names_the_bug(capsys: pytest.CaptureFixture[str]) -> None:
    assert debugging.main(["--seed", "0", "--pairs", "256", "--steps", "100"]) == 0
    said = capsys.readouterr().out
    assert "in step > loss > distance" in said
    assert "div" in said and "themselves" in said
