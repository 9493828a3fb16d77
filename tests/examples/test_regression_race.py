"""Every way to run the descent takes the same steps, and compilations are counted."""

import os
import shutil

import jax
import numpy as np
import pytest
import regression_race as race


def test_all_ways_agree_with_the_matrix_power() -> None:
    epochs = 100
    x, y = (values.astype(float) for values in race.create_dataset(-1.5, 4, 60, seed=1))
    expected = race.least_squares(x, y) + race.remaining(x, y, epochs)
    assert abs(expected - race.least_squares(x, y)).max() > 0.01  # the descent is on its way
    with jax.enable_x64(True):
        for name, (steps, run) in race.forms(x, y, epochs, epochs, False).items():
            if not isinstance(run, str):
                assert steps == epochs
                np.testing.assert_allclose(race.as_array(run()), expected, atol=1e-10, err_msg=name)


def test_without_pytorch_its_rows_give_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(race, "torch", None)
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)  # else the tests get one core
    assert race.main(["--points", "20", "--epochs", "5", "--rounds", "1", "--sizes", "20"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "orch" in line]
    assert len(rows) == 3
    assert all("not run: PyTorch is not installed: pip install torch" in row for row in rows)


@pytest.mark.skipif(race.torch is None, reason="PyTorch is not installed")
def test_without_a_compiler_torch_compile_gives_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    data = race.create_dataset(3, 2, 10, 0)
    assert race.forms(*data, 5, 5, False)["torch.compile"][1] == "not run: add --torch-compile"
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    reason = race.forms(*data, 5, 5, True)["torch.compile"][1]
    assert isinstance(reason, str) and "no C++ compiler" in reason


def test_a_later_call_does_not_count_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    durations = iter([0.5, 0.02, 0.03])
    monkeypatch.setattr(race, "seconds", lambda run: next(durations))
    assert race.race({"run": lambda: None}, rounds=2)["run"] == (0.5, 0.02)
