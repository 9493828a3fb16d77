"""The search as it is published: Pagefind's index of the articles, and nothing of Sphinx's."""

import json
import re

import pytest
from bs4 import Tag

from tests.site.built import LANGUAGES, PAGES, SITE, all_pages, indexed, page, soup, target

pytestmark = pytest.mark.usefixtures("site")
OF_SPHINX = ("searchindex.js", "searchtools.js", "language_data.js", "sphinx_highlight.js")


def test_nothing_of_sphinx_search_is_shipped_or_loaded() -> None:
    assert [file for name in OF_SPHINX for file in SITE.rglob(name)] == []
    for source in all_pages():
        scripts = " ".join(str(tag["src"]) for tag in soup(source).select("script[src]"))
        assert not any(name in scripts for name in OF_SPHINX)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_indexed_once_by_its_article(language: str) -> None:
    found = {each["url"]: each for each in indexed(language)}
    assert sorted(found) == sorted(f"/{name}.html" for name in PAGES)
    foot = page(language, "transforms/vmap").select_one(".provenance-title")
    assert foot
    for each in found.values():
        assert each["meta"]["title"].strip()
        assert not each["meta"]["title"].endswith("¶")
        assert foot.text not in each["content"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_sections_are_found_by_the_addresses_they_have(language: str) -> None:
    for each in indexed(language):
        html = soup(SITE / language / each["url"].removeprefix("/"))
        headings = [a for a in each["anchors"] if re.fullmatch("h[1-6]", a["element"])]
        assert headings
        for heading in headings:
            assert html.find(id=heading["id"])
            assert not heading["text"].endswith("¶")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_index_leaves_out_what_only_its_makers_need(language: str) -> None:
    names = [file.name for file in (SITE / language / "pagefind").rglob("*.*")]
    assert not [name for name in names if "ui" in name or name == "pagefind-highlight.js"]
    words = json.loads((SITE / language / "pagefind" / "words.json").read_text(encoding="utf-8"))
    meant = {"en": ("autodiff", "automatic differentiation")}
    meant |= {"ja": ("グラディエント", "勾配"), "ko": ("그래디언트", "기울기")}
    typed, term = meant[language]
    assert term in (words["instead"].get(typed), words["also"].get(typed))


def test_the_pages_that_explain_terms_exist() -> None:
    words = json.loads((SITE / "ja" / "pagefind" / "words.json").read_text(encoding="utf-8"))
    assert set(words["taught"].values()) <= set(PAGES)
    assert sorted(each["name"] for each in words["pages"].values()) == sorted(PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_javascript_the_form_leads_to_a_sentence_and_the_glossary(language: str) -> None:
    html = page(language, "transforms/vmap")
    (form,) = html.select("form[role=search]")
    found = target(SITE / language / "transforms" / "vmap.html", str(form["action"]))
    assert found and found[0] == SITE / language / "search.html"
    (said,) = page(language, "search").select("article noscript")
    assert "JavaScript" in said.text
    (link,) = said.select("a")
    assert target(SITE / language / "search.html", str(link["href"])) == (
        SITE / language / "reference" / "glossary.html",
        "",
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_words_of_the_search_are_in_the_page(language: str) -> None:
    english = page("en", "index").select_one(".search-status")
    here = page(language, "index").select_one(".search-status")
    assert isinstance(english, Tag) and isinstance(here, Tag)
    for name in ("data-one", "data-many", "data-none", "data-failed", "data-file"):
        assert here[name]
        assert (here[name] != english[name]) == (language != "en")
