"""What surrounds the text of every page: navigation, labels, metadata, scripts."""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from docs._guide.execute.page import executed_pages
from docs._guide.options import configuration
from docs._guide.site.root import word
from tests.site.built import DOCS, LANGUAGES, PAGES, SITE, TRANSLATIONS, page_tree, target, tree

pytestmark = pytest.mark.usefixtures("site")
SCRIPTS = {"furo.js", "switcher.js", "source-text.js", "scrollable.js", "search.js"}
SCRIPTS |= {"copy.js", "progress.js"}
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
    cards = home.xpath(".//*[has-class('entrances')]//li//a/@href")
    routes = page_tree(language, "start/routes").xpath("//*[has-class('routes')]")
    first = [route.xpath("(.//li//a[not(has-class('term'))])[1]/@href")[0] for route in routes]
    assert [destination("index", link) for link in cards] == [
        destination("start/routes", link) for link in first
    ]


def destination(name: str, link: str) -> tuple[Any, str]:
    """Where a link of a page leads, and the query with the route that it follows."""
    return target(SITE / "ja" / f"{name}.html", link), urlsplit(link).query


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_page_of_a_route_leads_to_the_next_and_says_how_long_it_takes(language: str) -> None:
    times: dict[Any, str] = {}
    for section in page_tree(language, "start/routes").xpath("//section/section"):
        items = section.xpath(".//*[has-class('routes')]//li")
        hrefs = [item.xpath("(.//a[not(has-class('term'))])[1]/@href")[0] for item in items]
        links = [destination("start/routes", href) for href in hrefs]
        assert {query for _place, query in links} == {f"route={section.get('id')}"}
        end = (SITE / "ja" / "start" / "routes.html", section.get("id"))
        for number, ((path, _anchor), _query) in enumerate(links):
            name = path.relative_to(SITE / "ja").with_suffix("").as_posix()
            page = page_tree(language, name)
            ways = page.xpath(f"//*[@data-route='{section.get('id')}']")
            assert len(ways) == 2 and all("hidden" in way.attrib for way in ways), name
            assert f"{len(items)}" in ways[0].text_content() and str(number + 1) in ways[0][0].text
            following = links[number + 1][0] if number + 1 < len(links) else end
            for way in ways:
                assert following in [destination(name, link)[0] for link in way.xpath(".//a/@href")]
            (minutes,) = page.xpath("(//*[has-class('facts')]//span)[1]/text()")
            text = items[number].text_content().strip()
            assert text.startswith(minutes), f"{name}: two routes disagree"
            assert times.setdefault(path, minutes) == minutes


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
    groups = parsed.xpath("//div[has-class('sidebar-tree')]/details")
    unfolded = [group for group in groups if "open" in group.attrib]
    assert len(groups) > 10 and len(unfolded) == 1
    assert len(unfolded[0].xpath(".//a[@aria-current='page']")) == 1
    openers = parsed.xpath("//button[@popovertarget and @aria-label]/@popovertarget")
    assert sorted(openers) == ["__navigation", "__toc", "__toc"]
    assert sorted(parsed.xpath("//aside[@popover]/@id")) == ["__navigation", "__toc"]
    assert not parsed.xpath("//label[starts-with(@for, '__')] | //input[starts-with(@id, '__')]")
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
    with_figures = SCRIPTS | {"preview.js", "enlarge.js"}
    assert scripts(page_tree("ja", "transforms/grad")) == with_figures | {"tabs.js"}
    assert scripts(page_tree("ja", "cases/ukr-model")) == with_figures | {"steps.js"}
    assert scripts(page_tree("ja", "reference/glossary")) == SCRIPTS | {"filter.js"}
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
