"""Transfer: what is frozen stays, what is taken is the source's, and the comparison is paired."""

import subprocess
import sys
from pathlib import Path

import digits
import jax
import numpy as np
import optax
import pytest
from _digits import checkpoints, transfer
from _digits.data import Data, small_digits
from _digits.model import CNN
from _digits.runs import Settings, begin
from flax import nnx

from docs._make.options import ROOT

IMAGES = np.random.default_rng().random((40, 8, 8, 1), np.float32)
LABELS = np.arange(40, dtype=np.int32) % 10


def weights(model: CNN) -> dict[str, dict[str, np.ndarray]]:
    taken = nnx.to_pure_dict(nnx.state(model, nnx.Param))
    found: dict[str, dict[str, np.ndarray]] = jax.tree.map(np.asarray, taken)
    return found


def network(seed: int) -> CNN:
    return CNN(8, 10, rngs=nnx.Rngs(seed))


def same(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> bool:
    return all(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.parametrize("rule", [optax.adamw(1e-2, weight_decay=0.1), optax.sgd(0.1, 0.9)])
def test_frozen_parameters_stay_bit_for_bit(rule: optax.GradientTransformation) -> None:
    model = network(0)
    before = weights(model)
    transfer.fit(jax.random.key(0), model, transfer.last_layer_only(rule), IMAGES, LABELS, 3)
    after = weights(model)
    assert same(before["conv"], after["conv"]) and same(before["hidden"], after["hidden"])
    assert not np.array_equal(before["logits"]["kernel"], after["logits"]["kernel"])
    assert not np.array_equal(before["logits"]["bias"], after["logits"]["bias"])


def test_a_way_takes_what_it_says() -> None:
    source = network(1)
    kept = weights(source)
    for name, way in {**transfer.SAME_CLASSES, "other": transfer.OTHER_CLASSES["tuned"]}.items():
        model = transfer.adapt(
            jax.random.key(2), source, way._replace(steps=0), IMAGES, LABELS, shots=2
        )
        taken = {layer: same(kept[layer], weights(model)[layer]) for layer in kept}
        features = name != "scratch"
        assert taken == {"conv": features, "hidden": features, "logits": name == "tuned"}
    transfer.adapt(jax.random.key(2), source, transfer.SAME_CLASSES["tuned"], IMAGES, LABELS, 2)
    assert all(same(kept[layer], weights(source)[layer]) for layer in kept)


def test_few_shots_are_distinct_and_differ_between_keys() -> None:
    first, second = (transfer.few_shots(jax.random.key(n), LABELS, 3) for n in (0, 1))
    assert len(set(first.tolist())) == 30
    assert np.bincount(LABELS[first]).tolist() == [3] * 10
    assert set(first.tolist()) != set(second.tolist())
    assert sorted(transfer.few_shots(jax.random.key(0), LABELS, 99)) == list(range(40))


def test_noise_hides_nothing_brighter() -> None:
    noisy = transfer.noisy(jax.random.key(3), IMAGES)
    assert (noisy >= IMAGES).all() and (noisy > IMAGES).any()
    assert np.array_equal(noisy[noisy > transfer.NOISE], IMAGES[noisy > transfer.NOISE])


def test_paired_differences_know_what_the_spread_hides() -> None:
    luck = np.random.default_rng().normal(0.5, 0.2, 5)  # of the seeds, shared by both ways
    gain, error = transfer.paired(luck + 0.01, luck)
    assert gain == pytest.approx(0.01) and error < 1e-9


def test_only_some_digits() -> None:
    part = transfer.only(small_digits(), 2, 4)
    assert set(part.train_labels.tolist()) == set(part.test_labels.tolist()) == {2, 3}
    assert len(part.train_images) == len(part.train_labels)
    assert len(part.test_images) == len(part.test_labels)


def test_other_data_than_ten_digits_have_no_task_of_classes() -> None:
    with pytest.raises(ValueError, match="4 classes, not 10"):
        transfer.classes_task(Data(IMAGES, IMAGES, LABELS % 4, LABELS % 4), 2)


def test_the_command_begins_with_the_run_of_the_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checkpoints.save(begin(Settings(seed=5), small_digits()), tmp_path / "run")
    figure = tmp_path / "figure.svg"
    arguments = ["transfer", "--checkpoint-dir", str(tmp_path / "run"), "--seeds", "2"]
    assert digits.main([*arguments, "--shots", "2", "1", "--plot", str(figure)]) == 0
    said = capsys.readouterr().out
    untrained = float(said.split("test accuracy ")[1].split()[0])
    assert untrained < 0.4  # the folder's network has no epoch
    assert [line.split()[0] for line in said.splitlines() if "2 seeds" in line] == ["1", "2"]
    assert said.count("scratch ") == 2 and "<svg" in figure.read_text()


def test_the_command_trains_a_source_of_other_digits() -> None:
    command = [sys.executable, "examples/digits.py", "transfer", "--task", "classes"]
    command += ["--known", "2", "--shots", "1", "--seeds", "2"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    assert "on digits 0 to 1" in ran.stdout
    known = float(ran.stdout.split("test accuracy ")[1].split()[0])
    assert known > 0.9
