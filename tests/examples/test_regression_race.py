"""Every form of the loop takes the same steps."""

import os

import numpy as np
import pytest
import regression_race as race


def test_all_forms_agree_with_float64() -> None:
    x, y = race.create_dataset(-1.5, 4, 60, seed=1)
    wide = {"a": 1.0, "b": 0.0}, np.float64(x), np.float64(y)
    expected = race.line(race.python_fit(race.hand_update, *wide, 100))
    assert abs(expected - np.polyfit(*wide[1:], 1)).max() > 0.01  # the descent is on its way
    for name, form in race.all_forms(x, y, compile_torch=False).items():
        np.testing.assert_allclose(race.line(form(100)), expected, rtol=1e-4, err_msg=name)


def test_fifty_updates_are_fifty_steps() -> None:
    data = {"a": 1.0, "b": 0.0}, *race.create_dataset(3, 2, 20, seed=0)
    fifty, single = race.fifty_updates(*data), race.python_fit(race.hand_update, *data, 50)
    assert fifty == single


def test_without_pytorch_its_rows_are_left_out(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(race, "torch", None)
    monkeypatch.delattr(os, "sched_setaffinity", raising=False)  # else the tests get one core
    assert race.main(["--points", "20", "--epochs", "50", "--rounds", "1", "--sizes", "20"]) == 0
    output = capsys.readouterr().out
    assert "pip install torch" in output and "torch_fit" not in output
    with pytest.raises(SystemExit) as stopped:
        race.main(["--torch-compile"])
    assert stopped.value.code == 2
