"""The term base is well formed, and the rules on terms follow it."""

import csv
from pathlib import Path

import pytest

from docs._guide.l10n.terms import check
from docs._guide.po.entry import Entry
from docs._guide.po.termbase import LANGUAGES, TERMS, load, plain

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
    assert repeated([plain(form) for term in load() for form in term.words["en"].approved]) == set()
    assert repeated([term.anchor for term in load()]) == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_is_repeated_or_both_approved_and_forbidden(language: str) -> None:
    for term in load():
        words = term.words[language]
        assert repeated([*words.approved, *words.forbidden]) == set(), term.key


@pytest.mark.parametrize("language", LANGUAGES)
def test_approved_words_pass(language: str) -> None:
    """Also where a shorter term inside the English forbids one of them."""
    for term in load():
        for english in term.words["en"].approved:
            for word in term.words[language].approved:
                assert findings(english, f"A {word}", language) == [], f"{english}: {word}"


@pytest.mark.parametrize("language", LANGUAGES)
def test_forbidden_words_are_found(language: str) -> None:
    for term in load():
        for word in term.words[language].forbidden:
            assert "term-forbidden" in findings(term.key, word, language), f"{term.key}: {word}"


def test_advice_names_the_word_to_write() -> None:
    [finding] = check(Entry(Path("x.po"), 1, "The gradients", "변화도와 기울기"), "ko")
    assert finding.advice == "write 기울기 for gradient, not 변화도"


def test_a_word_with_another_meaning_is_no_search_word() -> None:
    words = next(term for term in load() if term.key == "train").words["ja"]
    assert "電車" in words.forbidden
    assert "電車" not in words.variants
