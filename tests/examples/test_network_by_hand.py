"""A network by hand: its formulas against NumPy on fresh data, and the ways in which it fails."""

import itertools
from collections.abc import Iterator
from typing import Any

import jax
import jax.numpy as jnp
import network_by_hand as by_hand
import numpy as np
import pytest


@pytest.fixture
def double() -> Iterator[None]:
    with jax.enable_x64(True):
        yield


def network(random: np.random.Generator, *widths: int) -> Any:
    pairs = itertools.pairwise(widths)
    return [{"w": random.normal(size=pair), "b": random.normal(size=pair[1])} for pair in pairs]


def examples(random: np.random.Generator, n: int, inputs: int, classes: int) -> Any:
    return random.normal(size=(n, inputs)), random.integers(classes, size=n)


def reference(params: Any, images: Any, labels: Any) -> Any:
    """The loss in NumPy with the widest floating-point numbers of this machine."""
    h = np.asarray(images, np.longdouble)
    for k, layer in enumerate(params):
        h = h @ layer["w"].astype(np.longdouble) + layer["b"]
        h = np.maximum(h, 0) if k < len(params) - 1 else h
    true = np.take_along_axis(h, labels[:, None], axis=1)[:, 0]
    return (np.logaddexp.reduce(h, axis=1) - true).mean()


def test_loss_and_gradient_are_those_of_the_formula(
    random: np.random.Generator, double: None
) -> None:
    params = network(random, 5, 7, 6, 4)
    data = examples(random, 9, 5, 4)
    value, slope = jax.value_and_grad(by_hand.loss)(params, *data)
    assert np.isclose(float(value), float(reference(params, *data)), rtol=1e-12)
    layer, name, h = int(random.integers(3)), "wb"[random.integers(2)], 1e-6
    direction = random.normal(size=params[layer][name].shape)
    sides = []
    for sign in (1, -1):
        moved = [dict(entry) for entry in params]
        moved[layer][name] = moved[layer][name] + sign * h * direction
        sides.append(reference(moved, *data))
    quotient = float((sides[0] - sides[1]) / (2 * h))
    assert np.isclose(float((slope[layer][name] * direction).sum()), quotient, rtol=1e-6, atol=1e-8)


def test_large_logits_are_no_trouble(random: np.random.Generator) -> None:
    logits = jnp.array(1e4 * random.normal(size=10), jnp.float32)
    wide = np.asarray(logits, np.longdouble)
    for label in range(10):
        value, slope = jax.value_and_grad(by_hand.cross_entropy)(logits, label)
        expected = np.logaddexp.reduce(wide) - wide[label]
        assert np.isclose(float(value), float(expected), rtol=1e-5, atol=1e-2)
        assert np.isfinite(slope).all()
        assert abs(float(slope.sum())) < 1e-5


def test_no_example_is_in_two_batches(random: np.random.Generator) -> None:
    n, size = int(random.integers(50, 90)), int(random.integers(2, 20))
    key = jax.random.key(int(random.integers(2**32)))
    rows = np.array(by_hand.batches(key, n, size))
    assert rows.shape == (n // size, size)
    assert len(np.unique(rows)) == rows.size
    assert rows.min() >= 0 and rows.max() < n


def test_momentum_adds_up_the_older_gradients(random: np.random.Generator, double: None) -> None:
    rate, momentum = random.uniform(0.01, 0.2), random.uniform(0.3, 0.95)
    params = network(random, 4, 5, 3)
    images, labels = examples(random, 8, 4, 3)
    state = (params, jax.tree.map(np.zeros_like, params))
    slopes: list[Any] = []
    for _ in range(4):
        slopes.append(jax.grad(by_hand.loss)(state[0], images, labels))
        state, _ = by_hand.step(state, images, labels, rate, momentum)
    velocity = sum(momentum ** (3 - t) * slope[0]["w"] for t, slope in enumerate(slopes))
    np.testing.assert_allclose(state[1][0]["w"], velocity, rtol=1e-9)
    passed = sum(
        sum(momentum ** (s - t) for s in range(t, 4)) * slope[0]["w"]
        for t, slope in enumerate(slopes)
    )
    np.testing.assert_allclose(state[0][0]["w"], params[0]["w"] - rate * passed, rtol=1e-9)


def test_training_at_once_is_training_alone(random: np.random.Generator, double: None) -> None:
    each = [network(random, 6, 5, 3) for _ in range(3)]
    images, labels = map(jnp.array, examples(random, 20, 6, 3))
    orders = jnp.array([[random.permutation(20).reshape(5, 4) for _ in range(2)] for _ in each])
    networks = jax.tree.map(lambda *leaves: np.stack(leaves), *each)
    history, losses = by_hand.train_all(networks, orders, images, labels, 0.1, 0.8)
    for k, params in enumerate(each):
        state = (params, jax.tree.map(np.zeros_like, params))
        for t in range(2):
            found = []
            for chosen in orders[k, t]:
                state, value = by_hand.step(state, images[chosen], labels[chosen], 0.1, 0.8)
                found.append(float(value))
            assert np.isclose(float(losses[k, t]), np.mean(found), rtol=1e-9)
            np.testing.assert_allclose(history[1]["w"][k, t], state[0][1]["w"], rtol=1e-8)


def test_without_an_activation_the_layers_collapse(
    random: np.random.Generator, double: None
) -> None:
    params = network(random, 6, 8, 7, 4)
    images, _ = examples(random, 10, 6, 4)
    w, b = np.eye(6), np.zeros(6)
    for layer in params:
        w, b = w @ layer["w"], b @ layer["w"] + layer["b"]
    np.testing.assert_allclose(
        by_hand.predict(params, images, lambda h: h), images @ w + b, rtol=1e-9, atol=1e-9
    )
    assert not np.allclose(by_hand.predict(params, images), images @ w + b)


@pytest.mark.parametrize("value", [0.0, 0.01])
def test_equal_hidden_units_stay_equal(random: np.random.Generator, value: float) -> None:
    train_images, _, train_labels, _ = by_hand.load_data()
    chosen = random.permutation(1437)[:320]
    networks, orders = by_hand.prepare(2, 4, (64, 12, 10), 320)
    equal = jax.tree.map(lambda leaf: jnp.full_like(leaf, value), networks)
    data = train_images[chosen], train_labels[chosen]
    history, _ = by_hand.train_all(equal, orders, *data, 0.05, 0.9)
    weights = np.array(history[0]["w"])
    np.testing.assert_allclose(weights, np.broadcast_to(weights[..., :1], weights.shape), atol=1e-5)
    assert (abs(weights - value).max() > 0) == (value > 0)


def test_initial_weights_have_the_spread_of_their_inputs(random: np.random.Generator) -> None:
    key = jax.random.key(int(random.integers(2**32)))
    params = by_hand.make_params(key, (50, 400, 200))
    assert np.isclose(params[0]["w"].std(), (2 / 50) ** 0.5, rtol=0.05)
    assert np.isclose(params[1]["w"].std(), (2 / 400) ** 0.5, rtol=0.05)


def test_hidden_units_help(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for hidden in ([], ["64"]):
        by_hand.main(["--epochs", "12", "--seeds", "3", "--hidden", *hidden])
        *_, last = capsys.readouterr().out.splitlines()
        found.append(float(last.split()[3]))
    linear, deep = found
    assert linear > 0.9
    assert deep > linear


def test_a_run_that_is_too_large_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        by_hand.main(["--hidden", "4096", "--seeds", "100", "--epochs", "1000"])
    assert stopped.value.code == 2
    assert "fewer" in capsys.readouterr().err
