"""Weights that move between PyTorch and JAX have the same meaning, and both train alike."""

import against_pytorch as pair
import jax
import numpy as np
import pytest
from flax import nnx


def digits(random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    return random.uniform(size=(16, 8, 8, 1)), random.integers(0, 10, size=16)


@pytest.mark.skipif(pair.torch is None, reason="PyTorch is not installed")
def test_both_libraries_compute_and_train_alike(random: np.random.Generator) -> None:
    batches = [digits(random) for _ in range(3)]
    torch_batches = [
        (pair.torch.tensor(x.transpose(0, 3, 1, 2).copy()), pair.torch.tensor(y))
        for x, y in batches
    ]
    net = pair.TorchCNN().double()
    with jax.enable_x64(True):
        params = pair.from_torch(net.state_dict())
        logits = nnx.merge(pair.graphdef, params)(jax.numpy.array(batches[0][0]))
        expected = net(torch_batches[0][0]).detach().numpy()
        np.testing.assert_allclose(logits, expected, atol=1e-12)
        trained, losses = pair.run(params, batches)
        torch_trained, torch_losses = pair.torch_run(net, torch_batches)
        np.testing.assert_allclose(losses, torch_losses, atol=1e-9)
        weights = pair.from_torch(torch_trained.state_dict())
        # Adam divides by small gradients.
        for ours, theirs in zip(jax.tree.leaves(trained), jax.tree.leaves(weights), strict=True):
            np.testing.assert_allclose(ours, theirs, atol=1e-6)
    assert losses[0] != losses[-1]


def test_without_pytorch_only_the_other_side_runs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pair, "torch", None)
    assert pair.main(["--steps", "2", "--batch", "8"]) == 0
    output = capsys.readouterr().out
    assert "PyTorch is not installed" in output
    assert "JAX, reversed" in output and "PyTorch, eager" not in output
