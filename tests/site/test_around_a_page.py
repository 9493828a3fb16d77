"""What surrounds the text of every page: navigation, labels, metadata, scripts."""

import re
from typing import Any

import pytest

from docs._guide.execute.page import executed_pages
from docs._guide.options import configuration
from docs._guide.site.root import word
from tests.site.built import DOCS, LANGUAGES, PAGES, SITE, TRANSLATIONS, page_tree, target, tree

pytestmark = pytest.mark.usefixtures("site")
SCRIPTS = {"furo.js", "switcher.js", "source-text.js", "scrollable.js", "search.js"}
SCRIPTS |= {"copy.js", "progress.js", "report.js"}
SCRIPTS |= {"versions.js"} if configuration()["versions_url"] else set()


def read(language: str, name: str) -> str:
    return (SITE / language / f"{name}.html").read_text(encoding="utf-8")


def scripts(html: Any) -> set[str]:
    """The names of a page's scripts, all of which are deferred."""
    elements = html.xpath("//script[@src]")
    assert all(element.get("defer") or element.get("type") == "module" for element in elements)
    return {re.sub(r".*/|\?.*", "", element.get("src")) for element in elements}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_home_page_shows_a_figure_four_routes_and_the_proof(language: str) -> None:
    home = page_tree(language, "index").find(".//article")
    assert len(home.xpath(".//*[has-class('cell_output')]//*[local-name()='svg']/@aria-label")) == 1
    (proof,) = home.xpath(".//p[has-class('proof')]")
    assert str(len(executed_pages())) in proof.text_content()
    assert re.search(r"\d{4}-\d\d-\d\d", proof.text_content())
    links = home.xpath(".//*[has-class('entrances')]//li//a/@href")
    targets = [target(SITE / language / "index.html", link) for link in links]
    routes = page_tree(language, "start/routes").xpath("//section/section/@id")
    assert targets == [(SITE / language / "start" / "routes.html", route) for route in routes]


def test_previous_and_next_lead_through_all_pages() -> None:
    def neighbour(name: str, side: str) -> str | None:
        for link in page_tree("ko", name).xpath(f"//a[has-class('{side}-page')]/@href"):
            if place := target(SITE / "ko" / f"{name}.html", link):
                return place[0].relative_to(SITE / "ko").with_suffix("").as_posix()
        return None

    visited = ["index"]
    while following := neighbour(visited[-1], "next"):
        assert neighbour(following, "prev") == visited[-1]
        visited.append(following)
    assert sorted(visited) == sorted(PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_templates_replace_in_furo_is_still_there(language: str) -> None:
    """docs/_templates/page.html: a `replace` that matches nothing does not fail by itself."""
    template = (DOCS / "_templates" / "page.html").read_text(encoding="utf-8")
    labels = re.findall(r'replace\("(?:<title>)?([\w ,/]+)(?:</title>)?", ', template)
    assert labels
    html = read(language, "transforms/grad")
    for label in labels:
        assert f">{word(language, label)}<" in html or f'"{word(language, label)}"' in html, label
        assert language == "en" or label not in html, label
    parsed = page_tree(language, "transforms/grad")
    drawers = parsed.xpath("//aside[has-class('sidebar-drawer') or has-class('toc-drawer')]")
    names = [aside.get("aria-label") for aside in drawers]
    assert len(names) == 2 and (names == ["All pages", "On this page"]) == (language == "en")
    openers = parsed.xpath("//button[@popovertarget and @aria-label]/@popovertarget")
    assert sorted(openers) == ["__navigation", "__toc", "__toc"]
    assert sorted(parsed.xpath("//aside[@popover]/@id")) == ["__navigation", "__toc"]
    assert not parsed.xpath("//label[starts-with(@for, '__')] | //input[starts-with(@id, '__')]")
    assert set(parsed.xpath("//*[@role='heading']/@aria-level")) == {"2"}
    assert len(parsed.xpath("//div[has-class('sidebar-tree')]//a[@aria-current='page']")) == 1
    assert len(parsed.xpath("//*[has-class('header-right')]/button[has-class('search-open')]")) == 1
    answers = page_tree(language, "arrays/arrays").xpath("//details[has-class('hide')]/summary")
    assert answers and not any("aria-label" in summary.attrib for summary in answers)


@pytest.mark.parametrize("language", LANGUAGES)
def test_metadata_says_what_a_page_is(language: str) -> None:
    locales = {"en": "en_US", "ja": "ja_JP", "ko": "ko_KR"}
    for name in PAGES:
        head = page_tree(language, name).find("head")
        tags = {tag.get("property"): tag.get("content") for tag in head.iterfind("meta[@property]")}
        guide, title = tags["og:site_name"], head.findtext("title")
        assert title == (guide if name == "index" else f"{tags['og:title']} - {guide}"), name
        assert tags["og:description"] == head.xpath("meta[@name='description']/@content")[0], name
        assert tags["og:locale"] == locales[language]
        alternates = head.xpath("meta[@property='og:locale:alternate']/@content")
        assert {*alternates, locales[language]} == set(locales.values())


def test_every_page_has_the_icon_of_the_guide() -> None:
    for path in (SITE / "index.html", *(SITE / code / "index.html" for code in LANGUAGES)):
        (icon,) = tree(path).xpath("//link[contains(@rel, 'icon')]/@href")
        place = target(path, icon.split("?")[0])
        assert place and place[0].read_text(encoding="utf-8").startswith("<svg")


def test_a_page_has_the_scripts_that_it_uses() -> None:
    with_terms = SCRIPTS | {"preview.js"}
    assert scripts(page_tree("ja", "transforms/grad")) == with_terms | {"tabs.js"}
    assert scripts(page_tree("ja", "cases/ukr-model")) == with_terms | {"steps.js"}
    assert scripts(page_tree("ja", "reference/status")) == SCRIPTS


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_strings_of_a_script_are_translated(language: str) -> None:
    file = SITE / language / "_static" / "steps.js"
    used = set(re.findall(r"\bwords\.(\w+)", file.read_text(encoding="utf-8")))
    tag = page_tree(language, "cases/ukr-model").xpath("//script[@data-play]")[0]
    english = page_tree("en", "cases/ukr-model").xpath("//script[@data-play]")[0]
    assert used == {"play", "pause"}
    for name in used:
        assert tag.get(f"data-{name}") not in {"", english.get(f"data-{name}")}


def test_the_pages_at_the_root_offer_every_language() -> None:
    links = tree(SITE / "index.html").xpath("//main//a")
    assert {link.get("href"): link.text for link in links} == {
        "en/index.html": "English",
        "ja/index.html": "日本語",
        "ko/index.html": "한국어",
    }
    assert tree(SITE / "404.html").xpath("//main/p/@lang") == LANGUAGES
