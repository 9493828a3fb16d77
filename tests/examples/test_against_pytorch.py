"""Weights that move between Flax and PyTorch keep their meaning, and train alike."""

import against_pytorch as pair
import jax
import numpy as np
import pytest
from _digits.model import CNN
from flax import nnx


def digits(random: np.random.Generator, n: int = 16) -> pair.Batch:
    return random.uniform(size=(n, 8, 8, 1)), random.integers(0, 10, size=n)


def single(batch: pair.Batch) -> pair.Batch:
    return batch[0].astype(np.float32), batch[1]


@pytest.mark.skipif(pair.torch is None, reason="PyTorch is not installed")
def test_both_libraries_compute_and_train_alike(random: np.random.Generator) -> None:
    batches = [digits(random) for _ in range(3)]
    with jax.enable_x64(True):
        model = pair.copied(CNN(8, 10, rngs=nnx.Rngs(0)), np.float64)
        logits = pair.torch_twin(model)(pair.tensors(*batches[0])[0]).detach().numpy()
        assert abs(logits - np.array(model(jax.numpy.asarray(batches[0][0])))).max() < 1e-12
        value, slopes = pair.flax_slopes(model, *batches[0])
        torch_value, torch_slopes = pair.torch_slopes(pair.torch_twin(model), batches[0])
        assert abs(value - torch_value) < 1e-12
        assert pair.gap(pair.to_torch(nnx.to_pure_dict(slopes)), torch_slopes) < 1e-12
        for rule, torch_rule in ((pair.SGD, pair.torch_sgd), (pair.ADAM, pair.torch_adam)):
            losses, weights = pair.flax_run(model, rule, batches)
            torch_losses, torch_weights = pair.torch_run(model, torch_rule, batches)
            assert abs(losses - torch_losses).max() < 1e-9
            assert pair.gap(weights, torch_weights) < 1e-6  # Adam divides by small gradients
            assert losses[0] != losses[-1]


def test_all_forms_of_a_step_give_the_same_loss(random: np.random.Generator) -> None:
    batch = single(digits(random))
    forms = pair.flax_forms(CNN(8, 10, rngs=nnx.Rngs(0)), pair.ADAM, batch)
    runs = [[float(jax.tree.leaves(form())[-1]) for _ in range(2)] for form in forms.values()]
    assert len(runs) == 3
    assert np.allclose([first for first, _ in runs], runs[0][0], atol=1e-5)
    # Two forms train their model; the pure one begins anew in each call.
    assert [first == second for first, second in runs] == [True, False, False]


def test_without_pytorch_only_the_other_side_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pair, "torch", None)
    assert pair.main(["--steps", "2", "--batch", "8"]) == 0
    output = capsys.readouterr().out
    assert "PyTorch is not installed" in output
    assert "losses, float64" in output and "nnx.cached_partial" in output
