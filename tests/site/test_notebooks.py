"""The notebooks that readers download show and run what their pages do."""

import ast
import base64
import re
import subprocess
import sys
from copy import copy
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

import nbformat
import pytest
from bs4 import BeautifulSoup, Tag
from IPython.core.inputtransformer2 import TransformerManager
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from nbformat import NotebookNode

from docs._guide.execute import cache
from docs._guide.execute.environment import cache_folder
from docs._guide.execute.page import Page, code_cells, executed_pages, read_page
from docs._guide.ext.notebooks.links import colab_url
from docs._guide.options import configuration, parse
from tests.conftest import SmallGuide, notebook
from tests.site.built import DOCS, LANGUAGES, SITE, element, read_article
from tests.site.downloaded import downloaded, environment, run

OUTPUTS = cache_folder(parse([]).backend)
# A notebook begins with the name of its page: as a link if the site's address is known, or as code.
SITE_URL = configuration()["site_url"]
MARKDOWN = MarkdownIt("commonmark").enable("table").use(dollarmath_plugin)
SCRIPT = {"ja": re.compile(r"[\u3040-\u30ff]"), "ko": re.compile(r"[\uac00-\ud7a3]")}
FIGURE = re.compile(r'<img alt="([^"]{20,})" src="data:image/svg\+xml;base64,([^"]+)">')
ENGLISH = re.compile(r"(?<!\w)[A-Za-z]{2,}[ ,]+[a-z]{2,}")
MARKUP = (":::", "{ref}", "{doc}", "{code", "**", "](", "$$", "```", "`")
# Short pages with figures and hidden answers, meant errors, simulated devices.
SAMPLE = [
    ("ja", "transforms/grad"),
    ("ko", "trouble/errors-tracing"),
    ("ja", "scale/sharding"),
]


class Pair:
    """A page, and the notebook that it offers."""

    def __init__(self, language: str, page: Page) -> None:
        self.language, self.name = language, page.name
        self.article = read_article(language, page.name)
        self.notebook = downloaded(language, page.name)
        self.install, *self.cells = code_cells(self.notebook)
        self.cached = code_cells(cache.get(OUTPUTS, page))
        markdown = [cell.source for cell in self.notebook.cells if cell.cell_type == "markdown"]
        html = MARKDOWN.render("\n\n".join(markdown))
        self.prose = element(f"<main>{html}</main>", "main")


# What a notebook has in place of a component of the page.
OTHER = ".other-device"  # what a page shows of another device, and its notebook does not
MADE = {"strong": ".exercise-title, .tab-set > label", "li": ".choice"}


def words(html: Tag, without: str) -> str:
    """All words of some HTML, without spaces, with a sign for each formula."""
    html = copy(html)
    for other in html.select(OTHER):
        other.decompose()
    for caption in html.select(".cell_output figcaption"):
        for cell in caption.find_parents(class_="cell")[-1:]:
            cell.insert_after(caption.extract())
    for unwanted in html.select(without):
        unwanted.decompose()
    for formula in html.select("math, .math"):
        formula.replace_with("∑")
    return "".join(html.get_text().split())


def has_the_prose(pair: Pair) -> None:
    (section,) = pair.article.select("section:has(> h1)")
    introduction = 4 if "matplotlib" in pair.install.source else 3
    title, *added = pair.prose.find_all(recursive=False)[:introduction]
    assert title.name == "h1"
    text = words(pair.prose, "nothing")
    for paragraph in added:
        text = text.replace(words(paragraph, "nothing"), "", 1)
    assert text == words(section, ".facts, .cell, .headerlink, .toctree-wrapper, svg")
    for kind in (":not(pre) > code", "strong", "em", "table", "li"):
        tags = section.select(f"{kind}:not(.cell *, .facts *)")
        tags += section.select(f".cell figcaption {kind}:not({OTHER} *)")
        made = section.select(MADE.get(kind, "nothing"))
        tags += [tag for tag in made if not tag.find_parent(class_="cell")]
        assert len(pair.prose.select(kind)) == len(tags) + ("code" in kind and not SITE_URL), kind


def has_the_code_and_outputs(pair: Pair) -> None:
    nbformat.validate(pair.notebook)
    assert pair.notebook.metadata.kernelspec.name == "python3"
    for cell, container in zip(pair.cells, pair.article.select("div.cell"), strict=True):
        shown = "".join(pre.get_text() for pre in container.select(".cell_input pre, .checks pre"))
        table = container.select_one(".phrases, .phrase-names")
        assert lines(cell.source) == lines(shown) or (not shown and table)
    for cell, cached in zip(pair.cells, pair.cached, strict=True):
        assert dump(cell.source) == dump(cached.source)
        assert [*map(without_figure, cell.outputs)] == [*map(without_figure, cached.outputs)]
        assert is_meant_to_raise(cell) == is_meant_to_raise(cached)


def lines(source: str) -> list[str]:
    """The lines of a cell without the blank ones: the page folds the checks below others."""
    return [line for line in source.split("\n") if line]


def dump(source: str) -> str:
    """The syntax tree of a cell, without comments; IPython translates magics to Python."""
    manager = TransformerManager()  # type: ignore[no-untyped-call]
    return ast.dump(ast.parse(manager.transform_cell(source)))


def without_figure(output: NotebookNode) -> dict[str, object]:
    """An output with a placeholder for its figure, whose labels and colors are the reader's."""
    data = dict(output.get("data", {}))
    if FIGURE.fullmatch(data.get("text/html", "")):
        data["image/svg+xml"] = data.pop("text/html")
    return {**output, "data": data | {kind: "figure" for kind in data if "svg" in kind}}


def is_meant_to_raise(cell: NotebookNode) -> bool:
    return "raises-exception" in cell.metadata.get("tags", []) or "needs" in cell.metadata


def has_the_figures(pair: Pair) -> None:
    html = [o.get("data", {}).get("text/html", "") for cell in pair.cells for o in cell.outputs]
    svg = [base64.b64decode(match[2]) for match in map(FIGURE.fullmatch, html) if match]
    shown = pair.article.select(f".cell_output svg.drawing:not({OTHER} *)")
    assert [labels(BeautifulSoup(figure, "lxml")) for figure in svg] == [*map(labels, shown)]


def labels(figure: Tag) -> list[str]:
    return [text.get_text() for text in figure.select("text")]


def has_no_english_or_markup_left(pair: Pair) -> None:
    html = copy(pair.prose)
    for code in html.select("code, pre, .math"):
        code.decompose()
    for tag in html.select("h1, h2, h3, p, li, th, td, blockquote"):
        text = tag.get_text()
        script = SCRIPT.get(pair.language, ENGLISH)
        assert script.search(text) or not ENGLISH.search(text)
        assert not [markup for markup in MARKUP if markup in text and pair.language in SCRIPT], text


def has_working_links(pair: Pair) -> None:
    headings = {tag.get_text().replace(" ", "-") for tag in pair.prose.select("h1, h2, h3, h4")}
    links = [str(tag["href"]) for tag in pair.prose.select("a")]
    assert len(links) == len(
        pair.article.select("section a:not(.headerlink, .facts a, .phrase-names a)")
    ) + bool(SITE_URL)
    folder = (SITE / pair.language / "_notebooks" / pair.name).parent
    for link in links:
        path, _, anchor = link.partition("#")
        if path.startswith(("https://", "http://")):
            assert not re.search(r"localhost|127\.0\.0\.1", path)
        else:
            assert (folder / path).is_file() if path else unquote(anchor) in headings, link


def is_offered(pair: Pair) -> None:
    (link,) = pair.article.select("a.notebook-download")
    file = (SITE / pair.language / pair.name).parent / str(link["href"])
    assert file.resolve() == SITE / pair.language / "_notebooks" / f"{pair.name}.ipynb"
    assert link["download"] == f"{pair.name.replace('/', '-')}-{pair.language}.ipynb"


CHECKS = (
    *(has_the_prose, has_the_code_and_outputs, has_the_figures),
    *(has_no_english_or_markup_left, has_working_links, is_offered),
)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_notebook_shows_what_its_page_does(language: str) -> None:
    pages, faults = executed_pages(), []
    for page in pages:
        pair = Pair(language, page)
        for check in CHECKS:
            try:
                check(pair)
            except AssertionError as error:
                faults.append(f"{page.name} {check.__name__}: {error}"[:1000])
    assert not faults, "\n\n".join(faults)
    folder = SITE / language / "_notebooks"
    files = {file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file()}
    assert files == {f"{page.name}.{end}" for page in pages for end in ("ipynb", "py", "md")}


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("language", "name"), SAMPLE)
def test_a_notebook_runs_by_itself(language: str, name: str) -> None:
    page = read_page(name, Path(DOCS, f"{name}.md").read_text(encoding="utf-8"))
    assert page
    run(language, name, page.cell_limit_s)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize(("language", "name"), [*SAMPLE, ("en", "start/fifteen-minutes")])
def test_a_page_runs_as_a_script(language: str, name: str, tmp_path: Path) -> None:
    file = SITE / language / "_notebooks" / f"{name}.py"
    text = file.read_text(encoding="utf-8")
    assert text.count("# %%") == len(downloaded(language, name).cells)
    assert "data:image" not in text and "# %pip install" in text
    assert '# /// script\n# dependencies = ["jax==' in text  # for uv
    assert language == "en" or SCRIPT[language].search(text)
    command = [sys.executable, str(file)]
    variables = environment(str(tmp_path)) | {"MPLBACKEND": "agg"}
    ran = subprocess.run(
        command, cwd=tmp_path, env=variables, capture_output=True, encoding="utf-8"
    )
    assert ran.returncode == 0, ran.stderr[-2000:]


@pytest.mark.usefixtures("site")
def test_a_page_is_markdown_in_its_language_with_its_code_and_outputs() -> None:
    folder = SITE / "ja" / "_notebooks" / "transforms"
    text = (folder / "scan.md").read_text(encoding="utf-8")
    assert text.startswith("# `scan`") and "data:image" not in text and "%pip" not in text
    cells = code_cells(downloaded("ja", "transforms/scan"))[1:]
    assert all(f"```python\n{cell.source}\n```" in text for cell in cells)
    printed = [
        output.text.rstrip() for cell in cells for output in cell.outputs if "text" in output
    ]
    assert printed and all(f"```\n{output}\n```" in text for output in printed)
    prose = re.sub("```.*?```", "", text, flags=re.DOTALL)
    paragraphs = [block for block in prose.split("\n\n") if ENGLISH.search(block)]
    assert all(SCRIPT["ja"].search(block) for block in paragraphs)
    links = re.findall(r"\]\(([^):]+\.md)\)", text)
    assert SITE_URL or (links and all((folder / link).is_file() for link in links))


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("language", LANGUAGES)
def test_all_markdown_is_listed_for_programs(language: str) -> None:
    listed = (SITE / language / "llms.txt").read_text(encoding="utf-8")
    for page in executed_pages():
        assert f"_notebooks/{page.name}.md): " in listed
    assert f"{language}/llms.txt)" in (SITE / "llms.txt").read_text(encoding="utf-8")


def test_links_lead_to_the_published_site_and_colab(small_guide: SmallGuide) -> None:
    prose = "See [the other](two.md)."
    small_guide.write("docs/one.md", notebook("import numpy\nprint(6 * 7)", prose=prose))
    made = small_guide.make(
        "--language=en",
        GUIDE_SITE_URL="https://guide.example/docs/",
        GUIDE_REPOSITORY_URL="https://github.com/someone/guide",
        GUIDE_SITE_BRANCH="gh-pages",
    )
    assert made.returncode == 0, made.stderr + made.stdout
    path = small_guide.root / "site/en/_notebooks/one.ipynb"
    origin, install, text, _ = nbformat.read(path, as_version=4).cells
    assert "[one](https://guide.example/docs/en/one.html)" in origin.source
    assert install.source.endswith(" numpy")
    assert "[the other](https://guide.example/docs/en/two.html)" in text.source
    colab = "https://colab.research.google.com/github/someone/guide/blob/gh-pages/en/_notebooks/"
    assert f'href="{colab}one.ipynb"' in small_guide.page("one")


def test_colab_opens_what_is_on_github_only() -> None:
    for url, branch in (("https://github.com/a/guide", ""), ("https://code.example/a", "pages")):
        config: Any = SimpleNamespace(repository_url=url, site_branch=branch, language="en")
        assert colab_url(config, "one") == ""


def test_what_a_notebook_cannot_show_stops_the_build(small_guide: SmallGuide) -> None:
    prose = "A footnote.[^1]\n\n[^1]: Here."
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose=prose))
    made = small_guide.make("--language=en")
    assert made.returncode == 1
    assert "docs/one.md: a notebook cannot show a footnote_reference here" in made.stdout
