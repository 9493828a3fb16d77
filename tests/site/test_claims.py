"""The page of claims, compared with the pages that measure them."""

import re
from collections import Counter
from typing import Any

import pytest

from docs._guide.execute.page import VERDICTS, assertions, executed_pages
from docs._guide.options import ROOT
from tests.site.built import LANGUAGES, SITE, TRANSLATIONS, page_tree, target, tree

pytestmark = pytest.mark.usefixtures("site")
PAGE = "old-articles/claims"
EXPECTED = {
    f"claim-{name}": words
    for name, words in re.findall(
        r"^:::\{claim\} (\S+)\n:prints: (.+)$",
        (ROOT / "docs" / f"{PAGE}.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
}
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def boxes(language: str) -> list[Any]:
    """The claims of a language."""
    claims: list[Any] = page_tree(language, PAGE).xpath("//article//*[has-class('claim')]")
    return claims


def verdict(box: Any) -> str:
    """The verdict of a claim."""
    (name,) = {name for name in VERDICTS if name in box.get("class").split()}
    assert box.xpath(f".//*[has-class('verdict') and has-class('{name}')]")
    return name


def text(box: Any, selector: str) -> str:
    """The text of the one part of a claim that an XPath selects."""
    (element,) = box.xpath(f".//{selector}")
    return str(element.text_content())


def test_there_are_claims_of_every_verdict() -> None:
    assert {verdict(box) for box in boxes("en")} == set(VERDICTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_claim_shows_what_the_cell_behind_its_link_printed(language: str) -> None:
    source = SITE / language / f"{PAGE}.html"
    for box in boxes(language):
        place = target(source, box.xpath(".//*[has-class('measured')]//a/@href")[0])
        assert place and place[1] == box.get("id")
        (cell,) = tree(place[0]).xpath(f"//*[@id='{place[1]}']")
        tags = set(cell.get("class").split())
        assert {f"tag_{place[1]}", f"tag_{verdict(box)}"} <= tags
        blocks = cell.xpath(".//*[has-class('cell_input') or has-class('checks')]//pre")
        code = "\n".join(block.text_content() for block in blocks)
        assert assertions(code) or place[1] in EXPECTED, place[1]
        printed = "".join(cell.xpath(".//*[has-class('cell_output')]//pre//text()"))
        lines = text(box, "pre").strip("\n").removesuffix("…").split("\n")
        assert any(lines) and EXPECTED.get(place[1], "") in printed, place[1]
        assert all(line.strip() in printed for line in lines), place[1]


def test_every_tagged_cell_is_on_the_page() -> None:
    tags = [
        tag
        for page in executed_pages()
        for cell in page.code_cells
        for tag in cell.metadata.get("tags", [])
        if tag.startswith("claim-")
    ]
    assert sorted(tags) == sorted(box.get("id") for box in boxes("en"))


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_verdicts_are_the_same_in_other_words(language: str) -> None:
    words: dict[str, str] = {}
    for box, english in zip(boxes(language), boxes("en"), strict=True):
        assert (box.get("id"), verdict(box)) == (english.get("id"), verdict(english))
        assert text(box, "pre") == text(english, "pre")
        word = text(box, "*[has-class('verdict')]")
        assert CJK.search(word) and CJK.search(text(box, "p[has-class('measured')]"))
        assert words.setdefault(verdict(box), word) == word
    assert len(set(words.values())) == len(VERDICTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_counts_are_those_of_the_page(language: str) -> None:
    counts = {}
    for entry in page_tree(language, PAGE).xpath("//*[has-class('claim-counts')]//span"):
        (name,) = set(entry.get("class").split()) & set(VERDICTS)
        counts[name] = int(entry.text_content().split()[-1])
    verdicts = Counter(verdict(box) for box in boxes(language))
    assert counts == {name: verdicts[name] for name in VERDICTS}
