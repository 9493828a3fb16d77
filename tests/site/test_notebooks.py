"""The notebooks that readers take away say and run what their pages do."""

import ast
import base64
import re
from copy import copy
from functools import cache
from pathlib import Path
from urllib.parse import unquote

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat import NotebookNode

from docs._make.environment import folder_name
from docs._make.languages import BUILD
from docs._make.options import parse
from docs._make.page import pages_that_run
from docs._make.store import OutputStore, load
from tests.conftest import SmallGuide, notebook
from tests.site.built import LANGUAGES, SITE, TRANSLATIONS, article, page
from tests.site.taken_away import run, taken_away

EXECUTED = {page.name: page for page in pages_that_run()}
MARKDOWN = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin)
WRITTEN_IN = {"ja": re.compile(r"[\u3040-\u30ff]"), "ko": re.compile(r"[\uac00-\ud7a3]")}
FIGURE = re.compile(r'<img alt="([^"]{20,})" src="data:image/svg\+xml;base64,([^"]+)">')
PROSE = re.compile(r"(?<!\w)[A-Za-z]{2,}[ ,]+[a-z]{2,}")
# Short pages: figures and hidden answers, meant errors, simulated devices, other processes.
SAMPLE = [
    ("ja", "transforms/grad"),
    ("ko", "arrays/pytrees"),
    ("ja", "scale/sharding"),
    ("ko", "start/backends"),
]
uses_site = pytest.mark.usefixtures("site")
every_notebook = pytest.mark.parametrize("language", LANGUAGES)
every_page = pytest.mark.parametrize("name", EXECUTED)


@cache
def rendered(language: str, name: str) -> BeautifulSoup:
    """The prose of a notebook, as a Markdown reader shows it."""
    cells = taken_away(language, name).cells
    text = "\n\n".join(cell.source for cell in cells if cell.cell_type == "markdown")
    return BeautifulSoup(MARKDOWN.render(text), "html.parser")


def code_cells(found: NotebookNode) -> list[NotebookNode]:
    """The cells of the page; the first of a notebook is not the page's."""
    return [cell for cell in found.cells if cell.cell_type == "code"][1:]


def words(html: Tag, without: str) -> str:
    """All words of some HTML, without spaces, with a sign for each formula."""
    html = copy(html)
    for caption in html.select(".cell_output figcaption"):
        for cell in caption.find_parents(class_="cell")[-1:]:
            cell.insert_after(caption.extract())
    for unwanted in html.select(without):
        unwanted.decompose()
    for formula in html.select("math, .math"):
        formula.replace_with("∑")
    return "".join(html.get_text().split())


@uses_site
@every_notebook
@every_page
def test_a_notebook_says_what_its_page_says(language: str, name: str) -> None:
    (section,) = article(language, name).select("section:has(> h1)")
    shown = words(section, ".cell, .headerlink, .toctree-wrapper, .feed, svg")
    html = rendered(language, name)
    title, *added = html.find_all(recursive=False)[: 4 if "matplotlib" in first(name) else 3]
    said = words(html, "nothing")
    for paragraph in added:
        said = said.replace(words(paragraph, "nothing"), "", 1)
    assert said == shown
    for kind in (":not(pre) > code", "strong", "em", "table", "li"):
        prose = [tag for tag in section.select(kind) if not tag.find_parent(class_="cell")]
        figures = section.select(f".cell figcaption {kind}")
        in_origin = 1 if "code" in kind else 0
        assert len(html.select(kind)) - in_origin == len(prose) + len(figures), kind
    assert title.name == "h1"


def first(name: str) -> str:
    """The cell that installs."""
    cells = taken_away("en", name).cells
    return str(next(cell.source for cell in cells if cell.cell_type == "code"))


@uses_site
@every_notebook
@every_page
def test_code_and_outputs_are_the_published_ones(language: str, name: str) -> None:
    found = taken_away(language, name)
    nbformat.validate(found)
    assert found.metadata.kernelspec.name == "python3"
    sources = [cell.source for cell in code_cells(found)]
    on_page = article(language, name).select(".cell_input pre")
    assert sources == [pre.get_text().rstrip("\n") for pre in on_page]
    executed = load(store(), EXECUTED[name].notebook)[0]
    stored = [cell for cell in executed.cells if cell.cell_type == "code"]
    for cell, kept in zip(code_cells(found), stored, strict=True):
        assert ast.dump(ast.parse(cell.source)) == ast.dump(ast.parse(kept.source))
        assert [*map(without_figure, cell.outputs)] == [*map(without_figure, kept.outputs)]
        meant = "raises-exception" in kept.metadata.get("tags", [])
        assert ("raises-exception" in cell.metadata.get("tags", [])) == meant


@cache
def store() -> OutputStore:
    """What the pages printed."""
    return OutputStore(BUILD / "outputs" / folder_name(parse([]).backend))


def without_figure(output: NotebookNode) -> dict[str, object]:
    """An output with a sign for its figure: that has the words and colours of its reader."""
    data = dict(output.get("data", {}))
    if "image/svg+xml" in data:
        data["image/svg+xml"] = "figure"
    elif FIGURE.fullmatch(data.get("text/html", "")):
        data["image/svg+xml"] = "figure"
        del data["text/html"]
    return {**output, "data": data}


@uses_site
@every_notebook
@every_page
def test_figures_are_those_of_the_page_in_its_language(language: str, name: str) -> None:
    cells = code_cells(taken_away(language, name))
    outputs = [output for cell in cells for output in cell.outputs]
    found = [FIGURE.fullmatch(output.get("data", {}).get("text/html", "")) for output in outputs]
    figures = [BeautifulSoup(base64.b64decode(each[2]), "html.parser") for each in found if each]
    on_page = article(language, name).select(".cell_output svg.drawing")
    assert len(figures) == len(on_page)
    for figure, shown in zip(figures, on_page, strict=True):
        assert texts(figure) == texts(shown)


def texts(figure: Tag) -> list[str]:
    """The words and numbers of a figure."""
    return [text.get_text() for text in figure.select("text")]


@uses_site
@pytest.mark.parametrize("language", TRANSLATIONS)
@every_page
def test_prose_is_in_the_language_and_without_markup(language: str, name: str) -> None:
    html = copy(rendered(language, name))  # other tests read it too
    for tag in html.select("h1, h2, h3, p, li, th, td, blockquote"):
        for code in tag.select("code, pre, .math"):
            code.decompose()
        text = tag.get_text()
        assert WRITTEN_IN[language].search(text) or not PROSE.search(text), text
        for markup in (":::", "{ref}", "{doc}", "{code", "**", "](", "$$", "```", "`"):
            assert markup not in text


@uses_site
@every_notebook
@every_page
def test_links_lead_somewhere(language: str, name: str) -> None:
    file = SITE / language / "_notebooks" / f"{name}.ipynb"
    html = rendered(language, name)
    headings = {tag.get_text().replace(" ", "-") for tag in html.select("h1, h2, h3, h4")}
    links = [str(tag["href"]) for tag in html.select("a")]
    on_page = article(language, name).select("section a:not(.headerlink)")
    assert len(links) == len(on_page)
    for link in links:
        path, _, anchor = link.partition("#")
        if path.startswith(("https://", "http://")):
            assert "localhost" not in path and "127.0.0.1" not in path
        elif path:
            assert (file.parent / path).is_file(), link
        else:
            assert unquote(anchor) in headings


@uses_site
@every_notebook
@every_page
def test_the_page_offers_its_notebook(language: str, name: str) -> None:
    (link,) = page(language, name).select(".take-away a")  # no Colab: no repository is known
    file = (SITE / language / f"{name}.html").parent / str(link["href"])
    assert file.resolve() == SITE / language / "_notebooks" / f"{name}.ipynb"
    assert str(link["download"]) == f"{name.replace('/', '-')}-{language}.ipynb"


@uses_site
def test_no_notebook_is_left_over() -> None:
    for language in LANGUAGES:
        folder = SITE / language / "_notebooks"
        found = {file.relative_to(folder).with_suffix("").as_posix() for file in files(folder)}
        assert found == EXECUTED.keys()


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


@uses_site
@pytest.mark.parametrize(("language", "name"), SAMPLE)
def test_a_notebook_runs_by_itself(language: str, name: str) -> None:
    run(language, name, EXECUTED[name].cell_limit_s)


def test_what_is_known_of_the_site_is_linked(small_guide: SmallGuide) -> None:
    prose = "See [the other](two.md)."
    small_guide.write("docs/one.md", notebook("import numpy\nprint(6 * 7)", prose=prose))
    known = {
        "GUIDE_SITE_URL": "https://guide.example/docs/",
        "GUIDE_REPOSITORY_URL": "https://github.com/someone/guide",
    }
    made = small_guide.make("--language=en", **known)
    assert made.returncode == 0, made.stderr + made.stdout
    assert "colab" not in small_guide.page("one")  # where the notebooks are is not known
    made = small_guide.make("--language=en", **known, GUIDE_SITE_BRANCH="gh-pages")
    assert made.returncode == 0, made.stderr + made.stdout
    found = nbformat.read(small_guide.root / "site/en/_notebooks/one.ipynb", as_version=4)
    assert "[one](https://guide.example/docs/en/one.html)" in found.cells[0].source
    assert "[the other](https://guide.example/docs/en/two.html)" in found.cells[2].source
    assert found.cells[1].source.endswith(" numpy")
    assert (
        'href="https://colab.research.google.com/github/someone/guide'
        '/blob/gh-pages/en/_notebooks/one.ipynb"'
    ) in small_guide.page("one")


def test_what_a_notebook_cannot_show_stops_the_build(small_guide: SmallGuide) -> None:
    prose = "A footnote.[^1]\n\n[^1]: Here."
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose=prose))
    made = small_guide.make("--language=en")
    assert made.returncode == 1
    assert "docs/one.md: a notebook cannot show a footnote_reference here" in made.stdout
