"""The search as it is published: Pagefind's index of the articles, and nothing of Sphinx's."""

import unicodedata

import pytest

from docs._guide.site.search_terms import taught_terms
from tests.site.built import LANGUAGES, PAGES, SITE, anchors, indexed, page_tree, target

pytestmark = pytest.mark.usefixtures("site")
OF_SPHINX = ("searchindex.js", "searchtools.js", "language_data.js", "sphinx_highlight.js")


def test_nothing_of_sphinx_search_is_published() -> None:
    assert [file for name in OF_SPHINX for file in SITE.rglob(name)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_indexed_once_by_its_article(language: str) -> None:
    pages = {entry["url"]: entry for entry in indexed(language)}
    assert sorted(pages) == sorted(f"/{name}.html" for name in PAGES)
    (footer,) = page_tree(language, "transforms/vmap").xpath("//*[has-class('provenance-title')]")
    for url, entry in pages.items():
        headings = [place for place in entry["anchors"] if place["element"].startswith("h")]
        assert entry["meta"]["title"].strip() and headings
        titles = (entry["meta"]["title"], *(heading["text"] for heading in headings))
        assert not any(title.endswith("¶") for title in titles)
        assert footer.text_content() not in entry["content"]
        assert {place["id"] for place in headings} <= anchors(SITE / language / url[1:])


@pytest.mark.parametrize(
    ("language", "typed"),
    [("en", "automatic differentiation"), ("ja", "グラディエント"), ("ko", "자동미분")],
)
def test_what_readers_type_is_indexed_and_in_no_text(language: str, typed: str) -> None:
    (page,) = (page for page in indexed(language) if page["url"] == "/transforms/grad.html")
    assert typed in unicodedata.normalize("NFC", page["meta"]["teaches"])
    assert language == "en" or typed not in unicodedata.normalize("NFC", page["content"])


def test_pagefinds_interface_is_not_published() -> None:
    names = [file.name for file in SITE.glob("*/pagefind/**/*.*")]
    assert not [name for name in names if "ui" in name or name == "pagefind-highlight.js"]


def test_the_pages_that_explain_terms_exist() -> None:
    assert taught_terms().keys() <= set(PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_the_form_leads_to_a_sentence_and_the_glossary(language: str) -> None:
    page, search = (SITE / language / name for name in ("transforms/vmap.html", "search.html"))
    (action,) = page_tree(language, "transforms/vmap").xpath("//form[@role='search']/@action")
    assert target(page, action) == (search, "")
    (noscript,) = page_tree(language, "search").xpath("//article//noscript")
    assert "JavaScript" in noscript.text_content()
    (link,) = noscript.xpath(".//a/@href")
    assert target(search, link) == (SITE / language / "reference" / "glossary.html", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_strings_of_the_search_are_in_the_page(language: str) -> None:
    pages = (page_tree(code, "index") for code in ("en", language))
    english, here = (page.xpath("//*[has-class('search-status')]")[0] for page in pages)
    for name in ("data-all", "data-best", "data-none", "data-failed", "data-file"):
        assert here.get(name)
        assert (here.get(name) != english.get(name)) == (language != "en")
