"""Transfer: frozen weights stay, the source's weights are taken, and the comparison is paired."""

from pathlib import Path

import digits
import jax
import numpy as np
import optax
import pytest
from _digits import transfer
from _digits.data import Data
from _digits.model import CNN
from _digits.runs import Run
from flax import nnx

IMAGES = np.random.default_rng(1).random((40, 8, 8, 1), np.float32)
LABELS = np.arange(40, dtype=np.int32) % 10
Weights = dict[str, dict[str, np.ndarray]]


def weights(model: CNN) -> Weights:
    params = nnx.to_pure_dict(nnx.state(model, nnx.Param))
    return {
        layer: {name: np.asarray(leaf) for name, leaf in leaves.items()}
        for layer, leaves in params.items()
    }


def network(seed: int) -> CNN:
    return CNN(8, 10, rngs=nnx.Rngs(seed))


def unchanged(before: Weights, after: Weights) -> dict[str, bool]:
    """For every layer, whether all its parameters are the same, bit for bit."""
    return {
        layer: all(np.array_equal(before[layer][name], after[layer][name]) for name in leaves)
        for layer, leaves in before.items()
    }


def test_frozen_parameters_stay_bit_for_bit() -> None:
    model, rule = network(0), optax.adamw(1e-2, weight_decay=0.1)
    before = weights(model)
    transfer.fit(jax.random.key(0), model, transfer.last_layer_only(rule), IMAGES, LABELS, 3)
    assert unchanged(before, weights(model)) == {"conv": True, "hidden": True, "logits": False}


@pytest.mark.parametrize(
    ("way", "features", "logits"),
    [
        (transfer.SAME_CLASSES["frozen"], True, False),
        (transfer.SAME_CLASSES["tuned"], True, True),
        (transfer.SAME_CLASSES["scratch"], False, False),
        (transfer.OTHER_CLASSES["tuned"], True, False),
    ],
)
def test_a_way_begins_with_its_part_of_the_source(
    way: transfer.Way, features: bool, logits: bool
) -> None:
    source, start = network(1), way._replace(steps=0)
    model = transfer.adapt(jax.random.key(2), source, start, IMAGES, LABELS, shots=2)
    taken = unchanged(weights(source), weights(model))
    assert taken == {"conv": features, "hidden": features, "logits": logits}


def test_tuning_leaves_the_source_unchanged() -> None:
    source = network(1)
    before, way = weights(source), transfer.SAME_CLASSES["tuned"]._replace(steps=3)
    transfer.adapt(jax.random.key(2), source, way, IMAGES, LABELS, 2)
    assert all(unchanged(before, weights(source)).values())


def test_the_task_of_classes_needs_ten_digits() -> None:
    with pytest.raises(ValueError, match="4 classes, not 10"):
        transfer.classes_task(Data(IMAGES, IMAGES, LABELS % 4, LABELS % 4), 2)


def test_the_command_compares_the_ways_for_every_number_of_shots(
    tmp_path: Path, trained_digits: tuple[Path, Run], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, figure = trained_digits[0], tmp_path / "figure.svg"
    arguments = ["transfer", "--checkpoint-dir", str(folder), "--seeds", "2"]
    assert digits.main([*arguments, "--shots", "2", "1", "--plot", str(figure)]) == 0
    output = capsys.readouterr().out
    assert "the source as it is" in output
    headings = [line for line in output.splitlines() if "2 seeds" in line]
    assert [heading.split()[0] for heading in headings] == ["1", "2"]
    assert output.count("scratch ") == 2 and "<svg" in figure.read_text()


def test_the_command_trains_a_source_of_other_digits(capsys: pytest.CaptureFixture[str]) -> None:
    command = "transfer --task classes --known 2 --shots 1 --seeds 2"
    assert digits.main(command.split()) == 0
    output = capsys.readouterr().out
    assert "on digits 0 to 1" in output
    assert float(output.split("test accuracy ")[1].split()[0]) > 0.9
