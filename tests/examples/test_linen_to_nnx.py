"""Both forms compute the same from fresh random weights, and what does not fit is refused whole."""

from functools import partial
from typing import Any

import jax
import jax.numpy as jnp
import linen_to_nnx as moving
import numpy as np
import optax
import pytest
from flax import linen as nn
from flax import nnx
from flax.training.train_state import TrainState


def random_params(random: np.random.Generator) -> Any:
    """Weights of the slides' network; the biases are not zero."""
    sizes = jax.eval_shape(
        moving.SingleLayerCNN().init, jax.random.key(0), jnp.zeros((1, 8, 8, 1))
    )["params"]
    return jax.tree.map(
        lambda leaf: jnp.asarray(random.normal(size=leaf.shape) / 20, jnp.float32), sizes
    )


def moved(params: Any) -> moving.CNN:
    model = moving.empty()
    moving.load(model, moving.rename({"params": params}, moving.LAYERS))
    return model


def test_logits_losses_and_gradients_agree(random: np.random.Generator) -> None:
    params, linen = random_params(random), moving.SingleLayerCNN()
    model = moved(params)
    images, labels = moving.take_batches(1, int(random.integers(2**31)))[0]
    for get_logits in (True, False):
        expected: Any = linen.apply({"params": params}, images, get_logits=get_logits)
        np.testing.assert_allclose(model(images, get_logits=get_logits), expected, atol=1e-5)
    state: Any = TrainState.create(apply_fn=linen.apply, params=params, tx=optax.sgd(1.0))
    value, gradient = nnx.value_and_grad(moving.loss)(model, images, labels)
    expected, slope = jax.value_and_grad(moving.loss_fn)(params, state, images, labels)
    np.testing.assert_allclose(value, expected, rtol=1e-5)
    renamed = moving.rename({"params": slope}, moving.LAYERS)
    assert moving.largest_difference(nnx.to_pure_dict(gradient), renamed) < 1e-5


def test_a_layer_that_is_exchanged_is_noticed(random: np.random.Generator) -> None:
    params = random_params(random)
    wrong = {"Conv_0": "conv", "Dense_0": "logits", "Dense_1": "hidden"}
    with pytest.raises(ValueError, match=r"hidden/bias.*logits/kernel"):
        moving.load(moving.empty(), moving.rename({"params": params}, wrong))
    with pytest.raises(KeyError, match="Dense_1"):
        moving.rename({"params": params}, {"Conv_0": "conv", "Dense_0": "hidden"})


def test_what_does_not_fit_changes_nothing(random: np.random.Generator) -> None:
    model = moved(random_params(random))
    before = jax.tree.map(np.array, moving.arrays(model))
    other = moving.rename({"params": random_params(random)}, moving.LAYERS)
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


def test_a_checkpoint_without_the_state_of_adam_would_be_noticed(
    random: np.random.Generator, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed = int(random.integers(2**31))
    monkeypatch.setattr(moving, "resume", lambda *arguments: None)
    differences, old, new = moving.migrate(moving.take_batches(4, seed), seed, 1e-3)
    assert differences.pop("losses from the checkpoint") > 1e-3
    assert len(differences) == 5 and max(differences.values()) < 1e-4
    assert len(old) == len(new) == 4


def test_running_statistics_are_those_of_the_rule(random: np.random.Generator) -> None:
    batches = moving.take_batches(3, int(random.integers(2**31)))
    old, new = moving.running_statistics(batches, 0)
    mean = np.zeros(64)
    for images, _ in batches:
        mean = 0.99 * mean + 0.01 * np.asarray(images).reshape(-1, 64).mean(axis=0)
    np.testing.assert_allclose(old["mean"], mean, atol=1e-6)
    np.testing.assert_allclose(new["mean"], mean, atol=1e-6)
    np.testing.assert_allclose(new["var"], old["var"], atol=1e-6)


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
    params = jax.tree.map(
        lambda leaf: jnp.asarray(random.normal(size=leaf.shape), jnp.float32), moving.arrays(layer)
    )
    moving.load(layer, params)
    np.testing.assert_allclose(layer(values), old.apply({"params": params}, values), atol=1e-4)
