"""Readers can search the glossary: each term is there, in every spelling."""

import pytest

from docs._l10n.termbase import LANGUAGES, Term, load
from tests.site.built import article

pytestmark = pytest.mark.usefixtures("site")


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_every_spelling_of_gradient_stands_in_its_row(language: str) -> None:
    row = article(language, "reference/glossary").select_one("tr#term-gradient")
    assert row
    for spelling in ("gradient", "勾配", "グラジエント", "기울기", "그래디언트", "변화도"):
        assert spelling in row.text


@pytest.mark.parametrize("language", ["en", *LANGUAGES])
def test_the_glossary_has_every_term(language: str) -> None:
    rows = article(language, "reference/glossary").select("table.terms tbody tr")
    expected = sorted((t for t in load() if t.in_glossary), key=lambda t: t.key.casefold())
    assert [row["id"] for row in rows] == [term.anchor for term in expected]
    for row, term in zip(rows, expected, strict=True):
        assert shown(term, language) == [cell.span.text for cell in row.select("td") if cell.span]


def shown(term: Term, reader: str) -> list[str]:
    """The key, the word in the reader's own language, then the other."""
    order = ("ko", "ja") if reader == "ko" else ("ja", "ko")
    return [term.key, *(term.words[language].preferred for language in order)]
