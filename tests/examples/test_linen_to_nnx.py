"""Weights that do not fit change nothing; the page asserts that both forms compute alike."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import linen_to_nnx as moving
import numpy as np
import pytest
from flax import linen as nn
from flax import nnx


def random_like(tree: Any, random: np.random.Generator, scale: float = 1.0) -> Any:
    return jax.tree.map(
        lambda leaf: jnp.asarray(scale * random.normal(size=leaf.shape), jnp.float32), tree
    )


@pytest.fixture
def params(random: np.random.Generator) -> Any:
    """Weights of the slides' network; the biases are not zero."""
    init, pixels = moving.SingleLayerCNN().init, jnp.zeros((1, 8, 8, 1))
    return random_like(jax.eval_shape(init, jax.random.key(0), pixels)["params"], random, 0.05)


def moved(params: Any) -> moving.CNN:
    model = moving.empty()
    moving.load(model, moving.rename({"params": params}, moving.LAYERS))
    return model


def test_exchanged_or_missing_layers_are_refused(params: Any) -> None:
    exchanged = {"Conv_0": "conv", "Dense_0": "logits", "Dense_1": "hidden"}
    with pytest.raises(ValueError, match=r"hidden/bias.*logits/kernel"):
        moving.load(moving.empty(), moving.rename({"params": params}, exchanged))
    with pytest.raises(KeyError, match="Dense_1"):
        moving.rename({"params": params}, {"Conv_0": "conv", "Dense_0": "hidden"})


def test_a_misfit_changes_nothing(params: Any, random: np.random.Generator) -> None:
    model = moved(params)
    before = jax.tree.map(np.array, moving.arrays(model))
    other = moving.rename({"params": random_like(params, random)}, moving.LAYERS)
    for tree in (
        other | {"conv": other["conv"] | {"bias": jnp.zeros(3)}},
        other | {"conv": other["conv"] | {"offset": jnp.zeros(16)}},
        {name: other[name] for name in ("conv", "hidden")},
    ):
        with pytest.raises(ValueError, match="not in both"):
            moving.load(model, tree)
    assert moving.largest_difference(before, moving.arrays(model)) == 0
    moving.load(model, other)
    assert moving.largest_difference(before, moving.arrays(model)) > 0.01


def test_a_checkpoint_without_the_state_of_adam_makes_a_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(moving, "resume", lambda *arguments: None)
    differences, old, new = moving.migrate(moving.take_batches(4, 0), 0, 1e-3)
    assert differences.pop("losses from the checkpoint") > 1e-3
    assert len(differences) == 5 and max(differences.values()) < 1e-4
    assert len(old) == len(new) == 4


LAYERS: dict[str, tuple[Any, Any]] = {
    "Conv": (nn.Conv(4, (3,)), partial(nnx.Conv, 6, 4, (3,))),
    "ConvTranspose": (nn.ConvTranspose(4, (3,)), partial(nnx.ConvTranspose, 6, 4, (3,))),
    "LayerNorm": (nn.LayerNorm(), partial(nnx.LayerNorm, 6)),
    "GroupNorm": (nn.GroupNorm(2), partial(nnx.GroupNorm, 6, 2)),
    "MultiHead": (nn.MultiHeadAttention(2), partial(nnx.MultiHeadAttention, 2, 6, decode=False)),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers_with_the_same_leaves_compute_the_same(
    random: np.random.Generator, name: str
) -> None:
    old, make = LAYERS[name]
    layer = make(rngs=nnx.Rngs(0))
    values = jnp.asarray(random.normal(size=(2, 5, 6)), jnp.float32)
    params = random_like(moving.arrays(layer), random)
    moving.load(layer, params)
    np.testing.assert_allclose(layer(values), old.apply({"params": params}, values), atol=1e-4)
