"""Data, history and checkpoints; the page asserts that the parts can be exchanged."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp
import pytest
import who_does_what as parts
from flax import nnx

from tests.examples.conftest import Refused


@pytest.fixture
def network() -> tuple[Any, Any]:
    """A Flax network as a function of its parameters, and the parameters."""
    graphdef, params = nnx.split(parts.Network(8, nnx.Rngs(1)))
    return lambda params, x: nnx.merge(graphdef, params)(x), params


def test_the_data_are_a_sine_with_noise() -> None:
    x, y = parts.make_data(jax.random.key(0), 10_000)
    noise = np.asarray(y) - np.sin(3 * np.asarray(x))
    assert -1 <= x.min() < -0.9 and 0.9 < x.max() < 1
    assert abs(noise.mean()) < 0.006 and 0.095 < noise.std() < 0.105


def test_the_history_begins_before_the_first_step(network: Any) -> None:
    (predict, params), (x, y) = network, parts.make_data(jax.random.key(2), 50)
    (after, state), losses = parts.fit(predict, params, optax.adam(0.01), x, y, 7)
    assert losses.shape == (7,) and state[0].count == 7
    np.testing.assert_allclose(losses[0], parts.loss(params, predict, x, y), rtol=1e-5)
    assert parts.loss(after, predict, x, y) < losses[0]


def test_an_array_that_changes_on_disk_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = {"a": jnp.arange(3.0)}
    assert parts.returns_from_disk(tree)
    restore = ocp.StandardCheckpointer.restore

    def off_by_a_bit(self: Any, *arguments: Any) -> Any:
        return {"a": jnp.nextafter(restore(self, *arguments)["a"], jnp.inf)}

    monkeypatch.setattr(ocp.StandardCheckpointer, "restore", off_by_a_bit)
    assert not parts.returns_from_disk(tree)


def test_a_learning_rate_that_diverges_is_refused(refused: Refused) -> None:
    assert "give a smaller one" in refused(parts.main, "--learning-rate", 10, "--steps", 50)
