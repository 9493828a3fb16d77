"""Frequent questions: the measuring tools, and answers that can be wrong."""

import time

import jax
import numpy as np
import pytest
import questions
from questions import Answer, Counted


def test_counted_changes_no_value_and_counts_traces_under_jit(random: np.random.Generator) -> None:
    x, counted = random.normal(size=3).astype(np.float32), Counted(questions.chain)
    np.testing.assert_array_equal(counted(x), questions.chain(x))
    assert questions.entries_of(counted, lambda: jax.jit(counted)(x)) == 1


def test_gain_is_the_ratio_of_the_least_times_without_the_first_round(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # One round after the other; the very first call is fast, and does not count.
    durations = iter([0.1, 1.0, 6.0, 2.0, 8.0, 2.5])
    monkeypatch.setattr(questions, "seconds", lambda run: next(durations))
    assert questions.gain(lambda: None, lambda: None, rounds=2) == 3


def test_seconds_waits_and_dispatch_seconds_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]
    monkeypatch.setattr(time, "perf_counter", lambda: clock[0])

    class Late:
        def block_until_ready(self) -> "Late":
            clock[0] += 5
            return self

    assert questions.seconds(Late) == 5
    assert questions.dispatch_seconds(Late) == 0


TIMED = {"jit-needs-gpu", "jit-everything", "changing-lengths", "509-times"}
TIMED |= {"fori-without-jit", "vmap-is-fast", "small-arrays"}


@pytest.mark.parametrize("name", sorted(questions.QUESTIONS.keys() - TIMED))
def test_an_answer_without_a_clock_holds(name: str) -> None:
    assert questions.QUESTIONS[name]().confirmed


def test_an_answer_that_does_not_hold_sets_the_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(questions, "power", lambda x, n: x)
    assert not questions.loops_inside_jit().confirmed
    monkeypatch.setitem(questions.QUESTIONS, "name", lambda: Answer({"n": 1}, False))
    assert questions.main(["name", "device-array"]) == 1
    output = capsys.readouterr().out
    assert "name: NOT as in the guide" in output and "device-array: as in the guide" in output


def test_the_list_names_every_question_with_its_answer(capsys: pytest.CaptureFixture[str]) -> None:
    assert questions.main(["--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(questions.QUESTIONS)
    assert all(len(line.split()) > 4 for line in lines)
