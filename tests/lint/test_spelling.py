"""The spelling check finds misspelt and misspaced Korean; `nox -s lint` installs what it needs."""

from pathlib import Path

import pytest

from docs._guide.l10n.ko.spelling import INSTALL, main, misspaced, misspelt
from docs._guide.po.entry import Entry
from tests.translations.test_sentences import sentences


def entry(msgstr: str) -> Entry:
    return Entry(Path("a.po"), 1, "", msgstr)


@pytest.mark.parametrize(
    ("msgstr", "word"),
    [
        ("함수를 호출함니다.", "호출함니다"),
        ("행렬와 텐서을 곱합니다.", "텐서을"),
        ("재현 가능한 결괴가 나옵니다.", "결괴가"),
        ("값을 다시 계산할려면 기다리세요.", "계산할려면"),
    ],
)
def test_misspelt_words_are_found(msgstr: str, word: str) -> None:
    assert word in " ".join(finding.advice for finding in misspelt([entry(msgstr)]))


def test_labelled_sentences_are_found() -> None:
    wrong = [entry for rule, entry in sentences("ko") if rule == "spelling"]
    assert wrong
    assert {finding.entry for finding in misspelt(wrong)} == set(wrong)


@pytest.mark.parametrize(
    ("msgstr", "advice"),
    [
        ("함수 를 호출합니다.", "함수 를 → 함수를"),
        ("결과를 저장해둡니다.", "저장해둡니다 → 저장해 둡니다"),
        ("손실을줄입니다.", "손실을줄입니다 → 손실을 줄입니다"),
        ("학습률이 큰경우 발산합니다.", "큰경우 → 큰 경우"),
        ("두개의 배열을 더합니다.", "두개의 → 두 개의"),
        ("`jit`을 쓰면 빠르게실행됩니다.", "빠르게실행됩니다 → 빠르게 실행됩니다"),
    ],
)
def test_misspaced_words_are_found(msgstr: str, advice: str) -> None:
    assert [finding.advice for finding in misspaced([entry(msgstr)])] == [advice]


@pytest.mark.parametrize(
    "msgstr",
    [
        "`vmap`으로 벡터화된 함수는 미니배치를 한꺼번에 처리하며, 결과를 살펴보기 쉽습니다.",
        "야코비 행렬-벡터 곱은 순방향 모드로, 벡터-야코비 행렬 곱은 역방향 모드로 계산합니다.",
        "손실뿐만 아니라 기울기(gradient)도 하나씩 저장해 둡니다. 여기서는 2.5초가 걸렸습니다.",
    ],
)
def test_good_sentences_pass(msgstr: str) -> None:
    assert [*misspelt([entry(msgstr)]), *misspaced([entry(msgstr)])] == []


def test_a_missing_dictionary_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    assert main() == 1
    assert INSTALL in capsys.readouterr().err
