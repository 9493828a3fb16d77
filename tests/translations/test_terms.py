"""The term base is well formed, and the gate's term rules follow it."""

import csv
from itertools import chain
from pathlib import Path

import pytest

from docs._l10n.entry import Entry, Finding, read
from docs._l10n.termbase import LANGUAGES, TERMS, find, load
from docs._l10n.terms import check, plain
from docs._make.options import LOCALE

COLUMNS = ["en", "ja", "ko", "forbidden_ja", "forbidden_ko", "note"]


def repeated(forms: list[str]) -> set[str]:
    return {form for form in forms if forms.count(form) > 1}


def findings(english: str, translation: str, language: str) -> list[str]:
    return [f.rule for f in check(Entry(Path("x.po"), 1, english, translation), language)]


def test_the_file_has_six_tidy_columns() -> None:
    with TERMS.open(encoding="utf-8", newline="") as lines:
        columns, *rows = csv.reader(lines)
    assert columns == COLUMNS
    for row in rows:
        assert len(row) == len(COLUMNS), row
        assert all(row[:3]), row
        forms = [form for cell in row[:5] for form in cell.split("|") if cell]
        assert all(form and form == form.strip() for form in forms), row
        assert not any(cell.startswith("!") for cell in row[:3]), row  # the ones to use


def test_an_english_form_and_an_anchor_name_one_row() -> None:
    assert repeated([plain(form) for term in load() for form in term.english.approved]) == set()
    assert repeated([term.anchor for term in load()]) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_said_twice_or_both_approved_and_forbidden(language: str) -> None:
    for term in load():
        words = term.words[language]
        assert repeated([*words.approved, *words.forbidden]) == set(), term.key


@pytest.mark.parametrize("language", LANGUAGES)
def test_approved_words_pass(language: str) -> None:
    """Also where a shorter term inside the English forbids one of them."""
    for term in load():
        for english in term.english.approved:
            for word in term.words[language].approved:
                assert findings(english, f"A {word}", language) == [], f"{english}: {word}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_forbidden_words_are_found(language: str) -> None:
    for term in load():
        for word in term.words[language].forbidden:
            assert "term-forbidden" in findings(term.key, word, language), f"{term.key}: {word}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogues_follow_the_term_base(language: str) -> None:
    entries = chain.from_iterable(map(read, sorted((LOCALE / language).rglob("*.po"))))
    found: list[Finding] = [
        finding
        for entry in entries
        for finding in check(entry, language)
        if finding.rule not in entry.silenced()
    ]
    assert found == [], "\n".join(map(str, found))


GOOD = [
    ("ja", "A gradient descent step.", "勾配降下法の1ステップです。"),
    ("ja", "The gradient is the slope of the loss.", "勾配は損失の傾きです。"),
    ("ja", "The crossover loses nothing; the loss falls.", "クロスオーバー後も損失は減ります。"),
    (
        "ja",
        "Call [the function](loss.md) in `trace`.",
        "`trace`内で[関数](loss.md)を呼び出します。",
    ),
    ("ja", "**JIT compilation** takes 2 seconds.", "**JITコンパイル**には2秒かかります。"),
    ("ja", "They walk along the slopes.", "斜面に沿って歩きます。"),
    ("ja", "Regularization is not normalization.", "正則化は正規化ではありません。"),
    ("ja", "Buffering needs a buffer.", "バッファリングにはバッファーが必要です。"),
    ("ja", "See {term}`the gradient <gradient>`.", "{term}`勾配 <gradient>`を参照してください。"),
    ("ja", "The lines are parallel to the axis.", "線は軸に平行です。"),
    ("ko", "Without loss of generality, let it be 1.", "일반성을 잃지 않고 1로 둡니다."),
    ("ko", "It is an abstraction layer.", "추상화 계층입니다."),
    ("ko", "The carry is rounded.", "캐리를 반올림합니다."),
    ("ko", "A loop of the algorithm.", "알고리즘의 루프입니다."),
    ("ko", "The device hides it.", "장치가 이를 숨기기도 합니다."),
    ("ko", "The trace is in the traceback.", "추적은 트레이스백에 있습니다."),
    ("ko", "A hidden layer and a dense layer.", "은닉층과 완전 연결 층입니다."),
    ("ko", "Regularization is not normalization.", "규제는 정규화가 아닙니다."),
    ("ko", "The notebooks are in the libraries.", "노트북은 라이브러리에 있습니다."),
    ("ko", "Mini batches share the learning rate.", "미니배치는 학습률을 공유합니다."),
]
BAD = [
    ("ja", "The gradient vanishes.", "傾きは0になります。", {"term-missing", "term-forbidden"}),
    ("ja", "The optimizer state", "オプティマイザの状態", {"term-missing", "term-forbidden"}),
    ("ja", "Layers share parameters.", "レイヤーはパラメータを共有します。", None),
    ("ja", "The devices wait.", "装置とデバイスが待ちます。", {"term-forbidden"}),
    ("ja", "It uses the CPU.", "これを使います。", {"term-missing"}),
    ("ja", "cross-entropy loss", "クロスエントロピー損失", None),
    ("ja", "gradient\ndescent", "勾配下降", None),
    ("ko", "The gradient vanishes.", "그래디언트는 0입니다.", None),
    ("ko", "two devices", "기기 두 개", None),
    ("ko", "a side effect", "부작용", None),
    ("ko", "The first argument", "첫 번째 인자", None),
    ("ko", "an asynchronous dispatch", "비동기 발송", None),
    ("ko", "The shape of the array", "배열의 모양", None),
    ("ko", "**Gradient** of the loss", "손실의 **변화도**", None),
]


@pytest.mark.parametrize(("language", "english", "translation"), GOOD)
def test_good_sentences_pass(language: str, english: str, translation: str) -> None:
    assert findings(english, translation, language) == []


@pytest.mark.parametrize(("language", "english", "translation", "rules"), BAD)
def test_bad_sentences_are_found(
    language: str, english: str, translation: str, rules: set[str] | None
) -> None:
    assert set(findings(english, translation, language)) == (
        rules or {"term-missing", "term-forbidden"}
    )


def test_advice_names_the_word_to_write() -> None:
    [finding] = check(Entry(Path("x.po"), 1, "The gradients", "변화도와 기울기"), "ko")
    assert finding.advice == "write 기울기 for gradient, not 변화도"


def test_a_word_with_another_meaning_is_no_search_word() -> None:
    assert "電車" in find("train").words["ja"].forbidden
    assert "電車" not in find("train").words["ja"].variants
