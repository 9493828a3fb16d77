"""The page of the claims, checked against the pages that measure them."""

import re

import pytest
from bs4 import Tag

from docs._ext.claims import ASSERTS
from docs._make.page import VERDICTS, pages_that_run
from tests.site.built import LANGUAGES, SITE, TRANSLATIONS, article, soup, target

pytestmark = pytest.mark.usefixtures("site")
PAGE = "old-articles/claims"
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def boxes(language: str) -> list[Tag]:
    """The claims of a language."""
    return article(language, PAGE).select(".claim")


def part(box: Tag, selector: str) -> Tag:
    """The one part of a claim that a selector names."""
    (found,) = box.select(selector)
    return found


def verdict(box: Tag) -> str:
    """The verdict of a claim."""
    (found,) = set(box["class"]) & set(VERDICTS)
    assert found in part(box, ".verdict")["class"]
    return found


def test_there_are_claims_of_every_verdict_in_every_article() -> None:
    assert len(boxes("en")) >= 30
    assert {verdict(box) for box in boxes("en")} == set(VERDICTS)
    sections = article("en", PAGE).select("section section")
    assert len(sections) == 5
    for section in sections:
        assert len(section.select(".claim")) >= 3


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_shows_what_the_cell_behind_its_link_printed(language: str) -> None:
    source = SITE / language / f"{PAGE}.html"
    for box in boxes(language):
        found = target(source, str(part(box, ".measured a")["href"]))
        assert found
        path, anchor = found
        assert anchor == box["id"]
        cell = soup(path).find(id=anchor)
        assert isinstance(cell, Tag)
        tags = set(cell["class"])
        assert {f"tag_{anchor}", f"tag_{verdict(box)}"} <= tags
        code = part(cell, ".cell_input pre").text
        assert ASSERTS.search(code) or "tag_raises-exception" in tags
        printed = " ".join(output.text for output in cell.select(".cell_output pre"))
        shown = part(box, "pre").text.strip("\n").removesuffix("…")
        assert shown.split()
        for line in shown.split("\n"):
            assert line.strip() in printed


def test_every_tagged_cell_is_on_the_page() -> None:
    tagged = [
        tag
        for page in pages_that_run()
        for cell in page.code_cells
        for tag in cell.metadata.get("tags", [])
        if tag.startswith("claim-")
    ]
    assert sorted(tagged) == sorted(str(box["id"]) for box in boxes("en"))


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_verdicts_are_the_same_in_other_words(language: str) -> None:
    said: dict[str, str] = {}
    for box, english in zip(boxes(language), boxes("en"), strict=True):
        assert (box["id"], verdict(box)) == (english["id"], verdict(english))
        assert part(box, "pre").text == part(english, "pre").text
        word = part(box, ".verdict").text
        assert CJK.search(word) and CJK.search(part(box, ".measured").text)
        assert said.setdefault(verdict(box), word) == word
    assert len(set(said.values())) == len(VERDICTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_counts_are_those_of_the_page(language: str) -> None:
    counted: dict[str, int] = {}
    for entry in article(language, PAGE).select(".claim-counts .verdict"):
        (name,) = set(entry["class"]) & set(VERDICTS)
        counted[name] = int(entry.text.split()[-1])
    found = [verdict(box) for box in boxes(language)]
    assert counted == {name: found.count(name) for name in VERDICTS}
