"""Weights keep their meaning when they change libraries, and so does what they compute."""

import against_pytorch as pair
import jax
import numpy as np
import pytest
from _digits.model import CNN
from flax import nnx

needs_torch = pytest.mark.skipif(pair.torch is None, reason="PyTorch is not installed")


def digits(random: np.random.Generator, n: int = 16) -> pair.Batch:
    return random.uniform(size=(n, 8, 8, 1)), random.integers(0, 10, size=n)


def test_flattened_maps_meet_the_rows_that_were_meant_for_them(
    random: np.random.Generator,
) -> None:
    side, channels = int(random.integers(2, 6)), int(random.integers(2, 6))
    maps = random.normal(size=(3, side, side, channels))
    kernel = random.normal(size=(side * side * channels, 4))
    theirs = maps.transpose(0, 3, 1, 2).reshape(3, -1)
    here = maps.reshape(3, -1) @ kernel
    assert np.allclose(theirs @ pair.channels_first(kernel, channels), here)
    assert not np.allclose(theirs @ kernel, here)


@needs_torch
def test_a_twin_computes_the_same_in_float64(random: np.random.Generator) -> None:
    batches = [digits(random) for _ in range(5)]
    with jax.enable_x64(True):
        model = pair.copied(CNN(8, 10, rngs=nnx.Rngs(int(random.integers(99)))), np.float64)
        logits = pair.torch_twin(model)(pair.tensors(*batches[0])[0]).detach().numpy()
        assert abs(logits - np.array(model(jax.numpy.asarray(batches[0][0])))).max() < 1e-12
        value, slopes = pair.flax_slopes(model, *batches[0])
        torch_value, torch_slopes = pair.torch_slopes(pair.torch_twin(model), batches[0])
        assert abs(value - torch_value) < 1e-12
        assert pair.gap(pair.to_torch(nnx.to_pure_dict(slopes)), torch_slopes) < 1e-12
        rules = ((pair.SGD, pair.torch_sgd), (pair.ADAM, pair.torch_adam))
        for rule, torch_rule in rules:
            losses, weights = pair.flax_run(model, rule, batches)
            torch_losses, torch_weights = pair.torch_run(model, torch_rule, batches)
            assert abs(losses - torch_losses).max() < 1e-9
            assert pair.gap(weights, torch_weights) < 1e-6  # Adam divides by small gradients
            assert losses[0] != losses[-1]


def test_a_run_leaves_its_model_as_it_was(random: np.random.Generator) -> None:
    model = CNN(8, 10, rngs=nnx.Rngs(0))
    before = pair.to_torch(pair.parameters(model))
    images, labels = digits(random)
    _, after = pair.flax_run(model, pair.SGD, [(images.astype(np.float32), labels)])
    assert pair.gap(before, after) > 0
    assert pair.gap(before, pair.to_torch(pair.parameters(model))) == 0


def test_all_forms_of_a_step_give_the_same_loss(random: np.random.Generator) -> None:
    images, labels = digits(random)
    batch = images.astype(np.float32), labels
    forms = pair.flax_forms(CNN(8, 10, rngs=nnx.Rngs(0)), pair.ADAM, batch)
    runs = [[float(jax.tree.leaves(form())[-1]) for _ in range(2)] for form in forms.values()]
    assert len(runs) == 3
    assert np.allclose([first for first, _ in runs], runs[0][0], atol=1e-5)
    # Two forms train their model; the pure one begins anew in each call.
    assert [first == second for first, second in runs] == [True, False, False]


@pytest.mark.parametrize("torch", [None, "as it is"])
def test_without_pytorch_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], torch: str | None
) -> None:
    if torch is None:
        monkeypatch.setattr(pair, "torch", None)
    assert pair.main(["--steps", "2", "--batch", "8"]) == 0
    said = capsys.readouterr().out
    assert said.count("PyTorch is not installed") == (pair.torch is None)
    assert ("not run" in said) == (pair.torch is None)
    assert "losses, float64" in said and "nnx.cached_partial" in said
