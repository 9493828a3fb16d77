"""The parts can be exchanged on fresh random data, and a checkpoint that differs is noticed."""

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import orbax.checkpoint as ocp
import pytest
import who_does_what as parts
from flax import nnx


def flax_network(seed: int) -> tuple[Any, Any]:
    graphdef, params = nnx.split(parts.Network(8, nnx.Rngs(seed)))
    return lambda params, x: nnx.merge(graphdef, params)(x), params


def test_the_two_networks_and_their_gradients_agree(seed: int) -> None:
    x, y = parts.make_data(jax.random.key(seed), 50)
    predict, params = flax_network(seed)
    plain = nnx.to_pure_dict(params)
    np.testing.assert_allclose(parts.predict(plain, x), predict(params, x), atol=1e-5)
    flax_grads = nnx.to_pure_dict(jax.grad(parts.loss)(params, predict, x, y))
    plain_grads = jax.grad(parts.loss)(plain, parts.predict, x, y)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-4), flax_grads, plain_grads)


def test_the_data_are_a_sine_with_noise(seed: int) -> None:
    x, y = parts.make_data(jax.random.key(seed), 10_000)
    noise = np.asarray(y) - np.sin(3 * np.asarray(x))
    assert -1 <= x.min() < -0.9 and 0.9 < x.max() < 1
    assert abs(noise.mean()) < 0.006 and 0.095 < noise.std() < 0.105


def test_gradient_descent_is_that_of_optax(seed: int) -> None:
    x, y = parts.make_data(jax.random.key(seed), 50)
    predict, params = flax_network(seed)
    (by_hand, _), losses = parts.fit(predict, params, parts.GradientDescent(0.05), x, y, 20)
    (by_optax, _), again = parts.fit(predict, params, optax.sgd(0.05), x, y, 20)
    np.testing.assert_allclose(losses, again, rtol=1e-3)
    jax.tree.map(lambda a, b: np.testing.assert_allclose(a, b, atol=1e-4), by_hand, by_optax)
    _, other = parts.fit(predict, params, optax.sgd(0.04), x, y, 20)
    assert not np.allclose(losses, other, rtol=1e-3)


def test_the_history_begins_before_the_first_step(seed: int) -> None:
    x, y = parts.make_data(jax.random.key(seed), 50)
    predict, params = flax_network(seed)
    (after, state), losses = parts.fit(predict, params, optax.adam(0.01), x, y, 7)
    assert losses.shape == (7,) and state[0].count == 7
    np.testing.assert_allclose(losses[0], parts.loss(params, predict, x, y), rtol=1e-5)
    (_, _), further = parts.fit(predict, after, optax.adam(0.01), x, y, 1)
    np.testing.assert_allclose(further[0], parts.loss(after, predict, x, y), rtol=1e-5)


def test_an_array_that_comes_back_otherwise_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = {"a": jnp.arange(3.0)}
    assert parts.returns_from_disk(tree)
    restore = ocp.StandardCheckpointer.restore

    def one_bit_off(self: Any, *arguments: Any) -> Any:
        read = restore(self, *arguments)
        return {"a": jnp.nextafter(read["a"], jnp.inf)}

    monkeypatch.setattr(ocp.StandardCheckpointer, "restore", one_bit_off)
    assert not parts.returns_from_disk(tree)


def test_a_learning_rate_that_diverges_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        parts.main(["--learning-rate", "10", "--steps", "50"])
    said = capsys.readouterr()
    assert stopped.value.code == 2 and said.out == ""
    assert "give a smaller one" in said.err.splitlines()[-1]
