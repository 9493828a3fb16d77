"""Every way to run the descent takes the same steps, and the count of compilations is right."""

import shutil
import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import regression_race as race


def test_all_ways_meet_the_matrix_power(seed: int) -> None:
    epochs = 300
    x, y = (values.astype(float) for values in race.create_dataset(-1.5, 4, 60, seed))
    expected = race.least_squares(x, y) + race.remaining(x, y, epochs)
    assert abs(expected - race.least_squares(x, y)).max() > 0.01  # the descent is on its way
    with jax.enable_x64(True):
        for name, (steps, run) in race.forms(x, y, epochs, epochs, False).items():
            if not isinstance(run, str):
                assert steps == epochs
                np.testing.assert_allclose(race.as_array(run()), expected, atol=1e-10, err_msg=name)


def test_scan_keeps_the_loss_before_each_step(seed: int) -> None:
    x, y = map(jnp.array, race.create_dataset(3, 2, 40, seed))
    params, losses = race.scan_fit(x, y, 50)
    for k in (0, 1, 30):
        before = race.python_fit(race.update, x, y, k)
        assert jnp.isclose(losses[k], race.loss(before, x, y), rtol=1e-4)
    assert race.loss(params, x, y) < losses[-1]


def test_a_dataset_has_as_many_different_points_as_it_says(seed: int) -> None:
    for n in (2, 57, 1001):
        x, y = race.create_dataset(3, 2, n, seed)
        assert x.shape == y.shape == (n,)
        assert len(set(x.tolist())) > 0.9 * n
        assert len(set((y - 3 * x).round(4).tolist())) > 0.5 * n
    a, b = race.least_squares(*race.create_dataset(3, 2, 100_000, seed))
    assert abs(a - 3) < 0.05 and abs(b - 2) < 0.05


def test_a_closure_compiles_at_every_call_and_a_named_body_once(seed: int) -> None:
    # A size of its own, because JAX keeps what earlier tests compiled.
    x, y = map(jnp.array, race.create_dataset(3, 2, 1000 + seed % 1000, seed))

    def counts(fit: object) -> list[int]:
        return [race.compilations(lambda: fit(x, y, 7)) for _ in range(3)]  # type: ignore[operator]

    assert min(counts(race.fori_fit)) >= 1
    first, *later = counts(race.named_fit)
    assert first >= 1 and later == [0, 0]
    first, *later = counts(race.jit_fori)
    assert first >= 1 and later == [0, 0]


def test_without_pytorch_its_rows_say_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(race, "torch", None)
    assert race.main(["--points", "20", "--epochs", "5", "--rounds", "1", "--sizes", "20"]) == 0
    rows = [line for line in capsys.readouterr().out.splitlines() if "orch" in line]
    assert len(rows) == 3
    assert all("not run: PyTorch is not installed: pip install torch" in row for row in rows)


@pytest.mark.skipif(race.torch is None, reason="PyTorch is not installed")
def test_torch_compile_says_why_it_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    data = race.create_dataset(3, 2, 10, 0)
    assert race.forms(*data, 5, 5, False)["torch.compile"][1] == "not run: add --torch-compile"
    monkeypatch.setenv("CXX", "no-such-compiler")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    reason = race.forms(*data, 5, 5, True)["torch.compile"][1]
    assert isinstance(reason, str) and "no C++ compiler" in reason


def test_a_later_call_does_not_count_the_first() -> None:
    calls = iter([0.2, 0.01, 0.03])
    first, later = race.race({"run": lambda: time.sleep(next(calls))}, rounds=2)["run"]
    assert first >= 0.2 and 0.01 <= later < 0.1
