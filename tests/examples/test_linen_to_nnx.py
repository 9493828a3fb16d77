"""Weights that do not fit are refused; layers with equal parameters compute the same."""

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
def tree(random: np.random.Generator) -> Any:
    """Linen's weights under their new names; the biases are not zero."""
    init, pixels = moving.SingleLayerCNN().init, jnp.zeros((1, 8, 8, 1))
    params = jax.eval_shape(init, jax.random.key(0), pixels)["params"]
    return moving.rename(random_like(params, random, 0.05), moving.NAMES)


def test_exchanged_or_missing_layers_are_refused(tree: Any) -> None:
    exchanged = {"conv": "conv", "hidden": "logits", "logits": "hidden"}
    with pytest.raises(ValueError, match=r"hidden/bias.*logits/kernel"):
        moving.load(moving.empty, moving.rename(tree, exchanged))
    with pytest.raises(KeyError, match="hidden"):
        moving.rename(tree, {"conv": "conv", "logits": "logits"})


def test_a_wrong_shape_a_new_path_or_a_missing_layer_is_refused(tree: Any) -> None:
    for wrong, paths in (
        (tree | {"conv": tree["conv"] | {"bias": jnp.zeros(3)}}, "['conv/bias']"),
        (tree | {"conv": tree["conv"] | {"offset": jnp.zeros(16)}}, "['conv/offset']"),
        ({name: tree[name] for name in ("conv", "hidden")}, "['logits/bias', 'logits/kernel']"),
    ):
        with pytest.raises(ValueError) as refused:
            moving.load(moving.empty, wrong)
        assert str(refused.value) == f"not in both: {paths}"


def test_every_array_arrives_under_its_own_name(tree: Any) -> None:
    loaded = nnx.to_pure_dict(moving.load(moving.empty, tree))
    jax.tree.map(np.testing.assert_array_equal, loaded, tree)


def test_a_checkpoint_without_the_state_of_adam_makes_a_difference(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def without_adam(saved: Any, empty: Any, names: Any) -> tuple[Any, Any]:
        params = moving.load(empty, moving.rename(saved["params"], names))
        return params, moving.optimizer.init(params)

    monkeypatch.setattr(moving, "resume", without_adam)
    differences, old, new = moving.compare(moving.draw_batches(4, 0), 0)
    assert differences.pop("losses from the checkpoint") > 1e-3
    assert len(differences) == 3 and max(differences.values()) < 1e-3
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
    graphdef, *states = nnx.split(make(rngs=nnx.Rngs(0)), nnx.Param, ...)
    values = jnp.asarray(random.normal(size=(2, 5, 6)), jnp.float32)
    params = random_like(nnx.to_pure_dict(states[0]), random)
    layer = nnx.merge(graphdef, moving.load(states[0], params), *states[1:])
    np.testing.assert_allclose(layer(values), old.apply({"params": params}, values), atol=1e-4)
