"""Frequent questions: the measuring tools on fresh data, and answers that can be wrong."""

import time

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import questions
from questions import Answer, Counted


def test_counted_counts_each_entry_and_changes_no_value(random: np.random.Generator) -> None:
    calls, x = int(random.integers(1, 9)), random.normal(size=3).astype(np.float32)
    counted = Counted(questions.chain)
    for _ in range(calls):
        np.testing.assert_array_equal(counted(x), questions.chain(x))
    assert counted.entries == calls
    assert questions.entries_of(counted, lambda: jax.jit(counted)(x)) == 1


def test_gain_is_a_ratio_of_times_without_the_first_round() -> None:
    pauses = iter([0.5, 0.03, 0.03, 0.03])  # the first round is slow, as a compilation is
    ratio = questions.gain(lambda: time.sleep(next(pauses)), lambda: time.sleep(0.01), rounds=3)
    assert 1 < ratio < 9


def test_seconds_waits_and_dispatch_seconds_does_not() -> None:
    class Late:
        def block_until_ready(self) -> "Late":
            time.sleep(0.05)
            return self

    assert questions.seconds(Late) > 0.05 > 10 * questions.dispatch_seconds(Late)


def test_failure_names_the_error() -> None:
    assert questions.failure(lambda: [][0]) == "IndexError"
    assert questions.failure(jax.jit(questions.zeros), 3) == "TypeError"
    assert questions.failure(questions.zeros, 3) is None


def test_cross_entropy_is_that_of_the_formula(random: np.random.Generator) -> None:
    w, x = random.normal(size=(5, 4)), random.normal(size=(7, 5))
    y = random.integers(4, size=7)
    products = x @ w
    expected = np.mean(np.log(np.exp(products).sum(axis=1)) - products[np.arange(7), y])
    assert np.isclose(float(questions.cross_entropy(w, x, y)), expected, rtol=1e-4)


def test_fit_learns_separable_classes(random: np.random.Generator) -> None:
    centres = random.normal(size=(10, 64))
    y = random.integers(10, size=200)
    x = centres[y] + 0.1 * random.normal(size=(200, 64))
    w = questions.fit(jnp.asarray(x), jnp.asarray(y))
    assert float(jnp.mean((x @ w).argmax(axis=1) == y)) > 0.95


TIMED = {"jit-needs-gpu", "jit-everything", "changing-lengths", "509-times"}
TIMED |= {"fori-without-jit", "vmap-is-fast", "small-arrays"}


@pytest.mark.parametrize("name", sorted(questions.QUESTIONS.keys() - TIMED))
def test_an_answer_without_a_clock_holds(name: str) -> None:
    assert questions.QUESTIONS[name]().confirmed


def test_an_answer_that_fails_is_said_and_sets_the_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(questions, "power", lambda x, n: x)
    assert not questions.loops_inside_jit().confirmed
    monkeypatch.setitem(questions.QUESTIONS, "name", lambda: Answer({"n": 1}, False))
    assert questions.main(["name", "device-array"]) == 1
    said = capsys.readouterr().out
    assert "name: NOT as in the guide" in said and "device-array: as in the guide" in said


def test_the_list_names_every_question_with_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert questions.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(questions.QUESTIONS)
    assert all(len(line.split()) > 4 for line in lines)
