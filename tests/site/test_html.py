"""The built site, checked from its HTML."""

import re
from pathlib import Path

import pytest
from bs4 import Tag

from docs._ext.code_comments import comments, translated_source
from docs._make.page import pages_that_run
from tests.site.built import (
    LANGUAGES,
    PAGES,
    SITE,
    TRANSLATIONS,
    all_pages,
    anchors,
    article,
    page,
    soup,
    target,
)

pytestmark = pytest.mark.usefixtures("site")
EXECUTED = [executed.name for executed in pages_that_run()]
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
ENGLISH = re.compile(r"(?<!\w)[A-Za-z]{2,}[ ,]+[a-z]{2,}")  # a name_of_code is none


def text_of(tag: Tag) -> str:
    """The prose of a tag: without code, formulas, and the raw numbers of outputs."""
    parts = [
        str(string)
        for string in tag.strings
        if not any(parent.name in {"code", "pre", "math", "script"} for parent in string.parents)
    ]
    return " ".join("".join(parts).split())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_every_page_exists_and_knows_its_language(language: str, name: str) -> None:
    html = page(language, name)
    assert html.html and html.html["lang"] == language
    assert html.title and html.title.text.strip()
    description = html.select_one("meta[name=description]")
    assert description and 30 <= len(str(description["content"])) <= 200


def test_every_link_and_anchor_leads_somewhere() -> None:
    broken = []
    for source in all_pages():
        for tag in soup(source).select(":is([href], [src]):not(svg *)"):
            link = str(tag.get("href") or tag.get("src"))
            found = target(source, link)
            if found is None or source.name == "404.html":
                continue
            path, anchor = found
            if not path.exists():
                broken.append(f"{source.relative_to(SITE)}: {link}")
            elif anchor and path.suffix == ".html" and anchor not in anchors(path):
                broken.append(f"{source.relative_to(SITE)}: {link} (no such anchor)")
    assert broken == []


def test_nothing_is_loaded_from_another_host() -> None:
    for source in all_pages():
        for tag in soup(source).select("script[src], img[src], link[rel=stylesheet], iframe"):
            assert target(source, str(tag.get("src") or tag.get("href"))), f"{source}: {tag}"


@pytest.mark.parametrize("name", PAGES)
def test_languages_point_at_one_another(name: str) -> None:
    for language in LANGUAGES:
        html = page(language, name)
        switcher = {
            str(link["hreflang"]): str(link["href"]) for link in html.select("nav.languages a")
        }
        assert list(switcher) == [other for other in LANGUAGES if other != language]
        source = SITE / language / f"{name}.html"
        for other, link in switcher.items():
            assert target(source, link) == (SITE / other / f"{name}.html", "")


@pytest.mark.parametrize("name", PAGES)
def test_sections_have_the_same_anchors_in_every_language(name: str) -> None:
    anchors = {
        language: [section.get("id") for section in article(language, name).select("section")]
        for language in LANGUAGES
    }
    assert anchors["en"]
    assert anchors["ja"] == anchors["en"] == anchors["ko"]


def same_everywhere(cell: Tag) -> str:
    """What a cell or its output shows, but for the words that are translated."""
    if cell.name == "img":
        return Path(str(cell["src"])).name
    if cell.name == "svg":
        return " ".join(str(path.get("d")) for path in cell.select("path"))
    return translated_source(cell.text, dict.fromkeys(comments(cell.text), ""))


@pytest.mark.parametrize("name", EXECUTED)
def test_code_and_outputs_are_the_same_in_every_language(name: str) -> None:
    def shown(language: str) -> list[str]:
        cells = article(language, name).select(
            ".cell_input pre, .cell_output pre, .cell_output img, .cell_output .drawing"
        )
        return [same_everywhere(cell) for cell in cells]

    assert len(shown("en")) > (10 if name != "index" else 1)  # the home page has one cell
    assert shown("ja") == shown("en") == shown("ko")


@pytest.mark.parametrize("name", EXECUTED)
def test_every_cell_was_run(name: str) -> None:
    executed = next(p for p in pages_that_run() if p.name == name)
    cells = article("en", name).select(".cell_input")
    assert len(cells) == len(executed.code_cells)
    foot = article("en", name).select_one(".provenance")
    assert foot
    for language in TRANSLATIONS:
        other = article(language, name).select_one(".provenance")
        assert other
        assert [d.text for d in other.select("dd")] == [d.text for d in foot.select("dd")]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_no_markup_is_left(language: str, name: str) -> None:
    prose = text_of(article(language, name))
    for markup in ("```", "**", "](", "{code", ":::", "$$", "{ref}", "{doc}", "\\("):
        assert markup not in prose
    assert not re.search(r"(?<![\d\w])\$\S", prose)
    assert not article(language, name).select(".problematic, .system-message")


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("name", [*PAGES, "search"])
def test_no_english_is_left_in_a_translation(language: str, name: str) -> None:
    html = page(language, name)
    assert not html.select(".untranslated")
    left = []
    for tag in html.select(
        "title, p, li > a, h1, h2, h3, h4, th, td, dt, figcaption, summary, label, button"
    ):
        if tag.find(lang="en") or tag.get("lang") == "en":  # a term, in the glossary
            continue
        text = text_of(tag)
        if ENGLISH.search(text) and not CJK.search(text):
            left.append(text)
    for tag in html.select("[alt], [aria-label], [title], [placeholder]"):
        for attribute in ("alt", "aria-label", "title", "placeholder"):
            text = str(tag.get(attribute, ""))
            if ENGLISH.search(text) and not CJK.search(text):
                left.append(f"{attribute}={text}")
    # The names of processors and of licences are not prose.
    assert [text for text in left if "CPU" not in text and "processor" not in text.lower()] == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_word_of_a_script_is_translated(language: str) -> None:
    film = SITE / language / "_static" / "film.js"
    said = set(re.findall(r"\bwords\.(\w+)", film.read_text(encoding="utf-8")))
    assert said == {"play", "pause", "epoch", "step"}
    tag = page(language, "cases/ukr-model").select_one("script[data-play]")
    assert tag
    for word in said:
        assert CJK.search(str(tag[f"data-{word}"]))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", EXECUTED)
def test_figures_have_alternative_texts(language: str, name: str) -> None:
    for picture in article(language, name).select(".cell_output img, .drawing"):
        text = str(picture.get("alt") or picture.get("aria-label") or "")
        assert len(text) > 20
        if language in TRANSLATIONS:
            assert CJK.search(text)


def test_the_status_page_lists_every_page_that_runs() -> None:
    rows = article("ja", "reference/status").select("table.page-status tbody tr")
    status = SITE / "ja" / "reference" / "status.html"
    listed = [target(status, str(row.a["href"])) for row in rows if row.a]
    assert listed == [(SITE / "ja" / f"{name}.html", "") for name in EXECUTED]
    for name, row in zip(EXECUTED, rows, strict=True):
        _, seconds, cells, date, jax, device = [cell.text for cell in row.select("td")]
        assert int(cells) > (5 if name != "index" else 0)  # the home page has one cell
        assert float(seconds) > 0
        assert device
        assert re.match(r"\d+\.\d+", jax)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", date)


def test_the_root_offers_every_language_without_javascript() -> None:
    links = soup(SITE / "index.html").select("main a")
    assert [str(link["href"]) for link in links] == [f"{c}/index.html" for c in LANGUAGES]
    assert [link.text for link in links] == ["English", "日本語", "한국어"]


def test_a_wrong_address_is_answered_in_every_language() -> None:
    lost = soup(SITE / "404.html")
    assert [str(told["lang"]) for told in lost.select("main p")] == LANGUAGES
