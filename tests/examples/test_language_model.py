"""What the page asserts for seed 0 holds for another seed."""

import re

import language_model
import pytest


def test_another_seed_comes_close_to_the_entropy(capsys: pytest.CaptureFixture[str]) -> None:
    assert language_model.main(["--seed", "1"]) == 0
    printed = capsys.readouterr().out
    held_out, entropy = map(float, re.findall(r"\d\.\d+", printed.splitlines()[0]))
    assert entropy < held_out < 1.15 * entropy
    correct = re.search(r"(\d+) of 100 in the grammar", printed)
    assert correct and int(correct[1]) > 50
