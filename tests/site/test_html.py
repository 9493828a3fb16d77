"""The text, code and links of all pages, in every language."""

import ast
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from docs._guide.execute.page import executed_pages, statements
from docs._guide.ext.i18n.comments import comments, translated_source
from tests.conftest import Lag
from tests.site.built import (
    LANGUAGES,
    PAGES,
    SITE,
    TRANSLATIONS,
    all_pages,
    anchors,
    page_tree,
    target,
    tree,
)

pytestmark = pytest.mark.usefixtures("site")
# What kernel.py prints for a cell; a cell itself may lack another thing, such as a C++ compiler.
SKIPPED = "//pre[starts-with(., 'not run: ') and contains(., ' is not installed')]"
# Tables without their code, which is in the notebook.
PHRASES = (
    "//article//*[has-class('cell')][not(.//*[has-class('cell_input')])]"
    "[.//*[has-class('phrases') or has-class('phrase-names')]]"
)
EXECUTED = {page.name: page for page in executed_pages()}
CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
ENGLISH = re.compile(r"(?<!\w)[A-Za-z]{2,}[ ,]+[a-z]{2,}")  # a name_of_code is none
MARKUP = re.compile(r"```|\*\*|\]\(|\{code|:::|\$\$|\{ref\}|\{doc\}|\\\(|(?<![\d\w])\$\S")
PROSE = ".//text()[not(ancestor::code or ancestor::pre or ancestor::math or ancestor::script)]"
TAGS = [
    "title",
    "p",
    "h1",
    "h2",
    "h3",
    "h4",
    "th",
    "td",
    "dt",
    "figcaption",
    "summary",
    "label",
    "button",
]
LABELS = ("alt", "aria-label", "title", "placeholder")


def text_of(element: Any) -> str:
    """The prose of an element: without code, formulas and outputs."""
    return " ".join("".join(element.xpath(PROSE)).split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_icon_that_a_page_shows_is_defined(language: str) -> None:
    problems = []
    for name in PAGES:
        html = page_tree(language, name)
        links = html.xpath("//svg//use[starts-with(@href, '#svg-')]/@href")  # not those of figures
        shown = {link.removeprefix("#") for link in links}
        defined = set(html.xpath("//symbol/@id"))
        if not shown or shown - defined:
            problems.append(f"{name}: {shown - defined}")
    assert problems == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_has_its_language_a_title_and_a_description(language: str) -> None:
    problems = []
    for name in PAGES:
        html = page_tree(language, name)
        descriptions = html.xpath("//meta[@name='description']/@content")
        if html.get("lang") != language or not html.findtext("head/title").strip():
            problems.append(f"{name}: language or title")
        if [30 <= len(description) <= 200 for description in descriptions] != [True]:
            problems.append(f"{name}: descriptions {descriptions}")
    assert problems == []


def test_every_link_and_anchor_leads_somewhere() -> None:
    broken = []
    for source in all_pages():
        if source.name == "404.html":
            continue
        for link in tree(source).xpath("//*[not(ancestor::svg)]/@href | //@src"):
            match target(source, link):
                case path, _ if not path.exists():
                    broken.append(f"{source.relative_to(SITE)}: {link}")
                case path, anchor if anchor and path.suffix == ".html":
                    if anchor not in anchors(path):
                        broken.append(f"{source.relative_to(SITE)}: {link} (no such anchor)")
    assert broken == []


def test_languages_link_to_each_other() -> None:
    for name in PAGES:
        for language in LANGUAGES:
            source = SITE / language / f"{name}.html"
            links = tree(source).xpath("//nav[has-class('languages')]//a")
            targets = {link.get("hreflang"): target(source, link.get("href")) for link in links}
            others = [other for other in LANGUAGES if other != language]
            assert targets == {other: (SITE / other / f"{name}.html", "") for other in others}


def test_the_words_of_an_error_message_are_no_code() -> None:
    message, *_ = page_tree("ja", "start/tracing").xpath(
        "//*[has-class('traceback')]//span[@class='gr']"
    )
    assert not message.xpath("following-sibling::*")


def test_sections_have_the_same_anchors_in_every_language() -> None:
    for name in PAGES:
        sections = [page_tree(code, name).xpath("//article//section/@id") for code in LANGUAGES]
        assert sections[0]
        assert sections[1:] == sections[:1] * len(TRANSLATIONS), name


def cells(language: str, name: str) -> list[str]:
    """What the cells of a page and their outputs show, but for what is translated."""
    article = page_tree(language, name).find(".//article")
    shown = []
    for element in article.xpath(
        ".//*[self::pre or self::img or has-class('drawing')]"
        "[ancestor::*[has-class('cell_input') or has-class('cell_output') or has-class('checks')]]"
    ):
        if element.tag == "img":
            shown.append(Path(element.get("src")).name)
        elif element.tag == "svg":
            shown.append(" ".join(element.xpath(".//path/@d")))
        else:
            code = element.text_content()
            shown.append(translated_source(code, dict.fromkeys(comments(code), "")))
    return shown


def test_code_and_outputs_are_the_same_in_every_language() -> None:
    for name, page in EXECUTED.items():
        english = cells("en", name)
        assert len(english) > len(page.code_cells), f"{name}: no outputs"
        for language in TRANSLATIONS:
            assert cells(language, name) == english, f"{language}/{name}"


def test_every_page_shows_its_cells_and_what_ran_them() -> None:
    for name, page in EXECUTED.items():
        inputs = page_tree("en", name).xpath("//article//*[has-class('cell_input')]")
        tables = page_tree("en", name).xpath(PHRASES)
        assert len(inputs) + len(tables) == len(page.code_cells), name
        runs = [
            page_tree(language, name).xpath("//*[has-class('provenance')]//dd/text()")
            for language in LANGUAGES
        ]
        assert runs[0]
        assert runs[1:] == runs[:1] * len(TRANSLATIONS), name


def test_no_visible_code_ends_in_checks() -> None:
    for name in EXECUTED:
        for cell in page_tree("en", name).xpath("//*[has-class('cell')][not(ancestor::details)]"):
            # A cell that did not run, or that measures and did not hold, shows what it asserts.
            shows = {"tag_shows-checks", "tag_measures"} & set(cell.get("class").split())
            if shows or "not run: " in cell.text_content():
                continue
            for block in cell.xpath("./*[has-class('cell_input')]//pre"):
                code = statements(block.text_content())
                asserts = [isinstance(statement, ast.Assert) for statement in code]
                assert all(asserts) or not asserts[-1], f"{name}: {block.text_content()}"


def test_the_folded_code_of_a_figure_is_called_so() -> None:
    figure = "*[has-class('cell')][.//*[has-class('drawing')]]"
    folds = page_tree("en", "transforms/vmap").xpath(f"//{figure}/details[@class and ./div]")
    labels = [fold.findtext("summary/p") for fold in folds if "checks" not in fold.get("class")]
    assert set(labels) == {"Code of this figure"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_markup_is_left(language: str) -> None:
    problems = []
    for name in PAGES:
        article = page_tree(language, name).find(".//article")
        problems += [f"{name}: {match[0]}" for match in MARKUP.finditer(text_of(article))]
        if article.xpath(".//*[has-class('problematic') or has-class('system-message')]"):
            problems.append(f"{name}: an error of docutils")
    assert problems == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_no_english_is_left_in_a_translation(language: str, lag: Lag) -> None:
    elements = "|".join([*(f"//{tag}" for tag in TAGS), "//li/a"])
    labels = "|".join(f"//*[not(has-class('untranslated'))]/@{label}" for label in LABELS)
    problems, untranslated = [], []
    for name in (*PAGES, "search"):
        html = page_tree(language, name)
        shown = [text_of(element) for element in html.xpath(elements) if not is_english(element)]
        problems += [
            f"{name}: {text}"
            for text in (*shown, *html.xpath(labels))
            if ENGLISH.search(text) and not CJK.search(text)
        ]
        untranslated += [
            f"{name}: {text_of(element)}"
            for element in html.xpath("//*[has-class('untranslated')]")
        ]
    # The names of processors are not prose.
    assert [text for text in problems if not re.search("CPU|processor", text, re.I)] == []
    lag(untranslated)


def is_english(element: Any) -> bool:
    """Whether an element, or part of it, is marked as English, or as not translated yet."""
    marked = "@lang='en' or has-class('untranslated')"
    return bool(element.xpath(f"descendant-or-self::*[{marked}]|ancestor::*[{marked}]"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_figures_have_alternative_texts(language: str) -> None:
    figures = "//article//*[has-class('cell_output')]//img | //article//*[has-class('drawing')]"
    for name in EXECUTED:
        for figure in page_tree(language, name).xpath(figures):
            text = figure.get("alt") or figure.get("aria-label") or ""
            assert len(text) > 20, name
            assert language == "en" or CJK.search(text), f"{name}: {text}"


def test_every_cell_ran_but_those_of_large_packages() -> None:
    """Brax and JAX MD need `--with physics`; PyTorch is missing only after `--without torch`."""
    absent = {"brax", "jax_md"} | ({"torch"} if find_spec("torch") is None else set())
    for name in EXECUTED:
        notes = page_tree("en", name).xpath(SKIPPED)
        packages = {note.text_content().split()[2] for note in notes}
        assert packages <= absent, name


def test_the_status_page_lists_every_executed_page() -> None:
    status = SITE / "ja" / "reference" / "status.html"
    rows = tree(status).xpath("//table[has-class('page-status')]/tbody/tr")
    article = tree(status).find(".//article").text_content()  # what is the same for all is above
    assert re.search(r"\d{4}-\d\d-\d\d", article) and "JAX" in article and "デバイス" in article
    for name, row in zip(EXECUTED, rows, strict=True):
        assert target(status, row.xpath(".//a/@href")[0]) == (SITE / "ja" / f"{name}.html", "")
        _, seconds, cpu, compilations, number = (cell.text_content() for cell in row[:5])
        skipped = page_tree("ja", name).xpath(SKIPPED)
        assert int(number) == len(EXECUTED[name].code_cells) - len(skipped)
        assert float(seconds) > 0
        assert float(cpu) > 1
        assert compilations.isdecimal()
