"""A network by hand against NumPy; the page asserts how training goes, and how it fails."""

import itertools
from typing import Any

import jax
import network_by_hand as by_hand
import numpy as np


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
    logits = np.take_along_axis(h, labels[:, None], axis=1)[:, 0]
    return (np.logaddexp.reduce(h, axis=1) - logits).mean()


def test_loss_and_gradient_follow_the_formula(random: np.random.Generator, double: None) -> None:
    params, data = network(random, 5, 7, 6, 4), examples(random, 9, 5, 4)
    value, slope = jax.value_and_grad(by_hand.loss)(params, *data)
    assert np.isclose(float(value), float(reference(params, *data)), rtol=1e-12)
    for layer, name in itertools.product(range(3), "wb"):
        direction = 1e-6 * random.normal(size=params[layer][name].shape)
        sides = []
        for sign in (1, -1):
            moved = [dict(entry) for entry in params]
            moved[layer][name] = moved[layer][name] + sign * direction
            sides.append(reference(moved, *data))
        difference = float(sides[0] - sides[1]) / 2e-6
        projected = float((slope[layer][name] * direction).sum()) / 1e-6
        assert np.isclose(projected, difference, rtol=1e-6, atol=1e-8)
