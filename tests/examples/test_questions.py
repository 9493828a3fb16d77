"""Frequent questions: the clock, and the table of ratios."""

import time

import jax.numpy as jnp
import numpy as np
import pytest
import questions


def test_seconds_is_the_mean_of_calls_that_are_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    class Late:
        def block_until_ready(self) -> "Late":
            clock[0] += 5
            return self

    assert questions.seconds(Late) == questions.seconds(Late, calls=3) == 5


def test_gain_is_the_ratio_of_the_least_times_without_the_first_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # One way after the other; the very first calls are fast, and do not count.
    durations = iter([0.1, 0.1, 6.0, 2.0, 8.0, 2.5])
    monkeypatch.setattr(questions, "seconds", lambda run, calls=1: next(durations))
    assert questions.gain(lambda: None, lambda: None, rounds=2) == 3


def test_the_polynomial_is_the_same_in_numpy_and_jax(random: np.random.Generator) -> None:
    x = random.uniform(-1, 1, 50).astype(np.float32)
    expected = np.polynomial.Polynomial(np.arange(19, -1, -1))(x)
    np.testing.assert_allclose(questions.polynomial(x, np.zeros_like(x)), expected, rtol=1e-4)
    np.testing.assert_allclose(questions.polynomial(jnp.asarray(x), 0.0), expected, rtol=1e-4)


def test_every_line_of_the_table_has_a_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    assert questions.main(["--rounds", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 10 and all(float(line.split()[-1]) > 0 for line in lines)
