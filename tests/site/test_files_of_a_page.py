"""What a page loads: one style sheet, and the scripts that it has a use for."""

import re

import pytest

from tests.site.built import LANGUAGES, PAGES, SITE, page

EVERYWHERE = {"furo.js", "switcher.js", "originals.js", "scrollable.js"}
FOR_FILMS = {"film.js"}


def scripts(name: str) -> dict[str, bool]:
    """The scripts of a page, and whether each waits until the page is there."""
    tags = page("ja", name).select("script[src]")
    return {
        re.sub(r".*/|\?.*", "", str(tag["src"])): tag.has_attr("defer") or tag.has_attr("type")
        for tag in tags
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_one_style_sheet(language: str) -> None:
    for name in PAGES:
        sheets = page(language, name).select("link[rel=stylesheet]")
        assert [re.sub(r".*/|\?.*", "", str(sheet["href"])) for sheet in sheets] == ["site.css"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_holds_those_of_the_theme_the_code_and_the_guide(language: str) -> None:
    css = (SITE / language / "_static" / "site.css").read_text(encoding="utf-8")
    places = [
        css.index(rule)
        for rule in (".highlight .k ", ".sidebar-drawer", "div.cell_input", "nav.languages")
    ]
    assert places == sorted(places)  # the guide's rules come last
    assert 'body[data-theme="dark"] .highlight .k ' in css


def test_a_page_without_a_film_loads_nothing_for_one() -> None:
    assert not FOR_FILMS & scripts("transforms/grad").keys()
    assert scripts("transforms/grad").keys() >= EVERYWHERE
    assert all(scripts("transforms/grad").values())


def test_a_page_with_a_film_loads_all_that_it_needs() -> None:
    assert scripts("cases/ukr-model").keys() >= EVERYWHERE | FOR_FILMS
