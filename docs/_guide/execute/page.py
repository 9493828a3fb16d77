"""A page: a MyST text notebook, its cells, and the key under which its outputs are cached."""

import ast
import hashlib
import json
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

from myst_nb.core.read import is_myst_markdown_notebook, read_myst_markdown_notebook
from myst_parser.config.main import MdParserConfig
from nbformat import NotebookNode

from docs._guide.execute.environment import machine
from docs._guide.options import ROOT, configuration

CELL_LIMIT_S = 120

# Tags of cells. One that measures time or memory runs alone on the machine, and an assertion that
# fails there is shown on the page: another machine may have other ratios.
MEASURES = "measures"
RAISES = "raises-exception"
STDERR = "prints-stderr"

# Tags that name the claim of an older article that a cell measures, and its verdict
# (docs/_guide/ext/claims.py).
CLAIM = "claim-"
VERDICTS = ("holds", "holds-if", "no-longer", "never-did", "not-tested")


class UnreadablePage(Exception):
    """A page whose text, front matter or cell options cannot be parsed."""


@dataclass(frozen=True)
class Page:
    """One page that has code cells."""

    name: str  # Sphinx's docname, such as "transforms/grad"
    text: str
    notebook: NotebookNode
    cell_limit_s: int = CELL_LIMIT_S

    @property
    def path(self) -> str:
        """The source file, relative to the repository."""
        return f"docs/{self.name}.md"

    @property
    def code_indices(self) -> list[int]:
        """Positions of the code cells among all cells."""
        cells = enumerate(self.notebook.cells)
        return [index for index, cell in cells if cell.cell_type == "code"]

    @property
    def code_cells(self) -> list[NotebookNode]:
        """The code cells, in order."""
        return code_cells(self.notebook)

    @property
    def measures(self) -> bool:
        """Whether a cell measures time or memory."""
        return any(has_tag(cell, MEASURES) for cell in self.code_cells)

    @cached_property
    def key(self) -> str:
        """Hash of what determines the outputs of this page in an environment."""
        measuring = [has_tag(cell, MEASURES) for cell in self.code_cells]
        own = [self.name, self.cell_keys, measuring, machine() if self.measures else ""]
        if printing := [n for n, cell in enumerate(self.code_cells) if has_tag(cell, STDERR)]:
            own.append(printing)
        return hashlib.sha256(json.dumps(own).encode()).hexdigest()

    @cached_property
    def cell_keys(self) -> list[str]:
        """Hash for each code cell of the code up to it, and of which cells raise or are optional.

        What a cell prints does not depend on the cells below it.
        """
        digest = hashlib.sha256()
        keys = []
        for cell in self.code_cells:
            facts = [cell.source, has_tag(cell, RAISES), cell.metadata.get("needs", "")]
            digest.update(json.dumps(facts).encode())
            keys.append(digest.hexdigest()[:16])
        return keys

    def line(self, cell_index: int, line_in_cell: int = 1) -> int:
        """Line number in the source file, from 1, of a line of a cell."""
        fence = self.notebook.metadata["source_map"][cell_index]
        lines = self.text.splitlines()
        first = self.notebook.cells[cell_index].source.split("\n")[0]
        start = next((n for n in range(fence, len(lines)) if lines[n] == first), fence)
        return start + line_in_cell


def has_tag(cell: NotebookNode, tag: str) -> bool:
    """Whether a cell has a tag."""
    return tag in cell.metadata.get("tags", [])


def assertions(source: str) -> int:
    """The number of assertions in a cell: `assert`, and functions such as `assert_allclose`.

    >>> assertions("for x in a:\\n    assert x\\nnp.testing.assert_equal(a, b)")
    2
    """
    nodes = (node for tree in statements(source) for node in ast.walk(tree))
    return sum(map(is_assertion, nodes))


def is_assertion(node: ast.AST) -> bool:
    """Whether a node of a syntax tree is an assertion."""
    name = ""
    if isinstance(node, ast.Call):
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    return isinstance(node, ast.Assert) or name.startswith("assert_")


def code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """The code cells, in order."""
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def statements(source: str) -> list[ast.stmt]:
    """Parse a cell; none where it is not plain Python."""
    try:
        return ast.parse(source).body
    except SyntaxError:
        return []


@cache
def markdown_configuration() -> MdParserConfig:
    """The MyST extensions that Sphinx uses, so that both parse the same cells."""
    return MdParserConfig(enable_extensions=set(configuration()["myst_enable_extensions"]))


def read_notebook(text: str) -> NotebookNode:
    """Parse a page; one without code cells is a notebook of one Markdown cell."""
    notebook: NotebookNode = read_myst_markdown_notebook(
        text, config=markdown_configuration(), add_source_map=True
    )
    return notebook


@cache  # a build with Sphinx needs it once for the page and once for its notebook
def read_page(name: str, text: str) -> Page | None:
    """Parse a page, or raise UnreadablePage; None where it has no code cells."""
    if not text.strip():
        raise UnreadablePage(f"docs/{name}.md is empty: write the page, or remove it")
    try:
        notebook = read_notebook(text)
        if not is_myst_markdown_notebook(text):
            return None
        settings = notebook.metadata.get("guide", {})
        limit = int(settings.get("cell_limit_s", CELL_LIMIT_S))
        page = Page(name, text, notebook, limit)
    except Exception as error:  # MyST-NB does not document what it raises
        reason = " ".join(str(error).split()) or type(error).__name__
        raise UnreadablePage(f"docs/{name}.md: {reason}") from error
    return page if page.code_indices else None


def executed_pages() -> list[Page]:
    """Every page of the guide that has code cells; there is no way to exclude one."""
    docs = ROOT / "docs"
    paths = (path.relative_to(docs) for path in sorted(docs.rglob("*.md")))
    pages = (
        named_page(path.with_suffix("").as_posix())
        for path in paths
        if not any(part.startswith("_") for part in path.parts)
    )
    return [page for page in pages if page]


def named_page(name: str) -> Page | None:
    """The page of that name; None where it has no code cells."""
    path = Path(ROOT, "docs", f"{name}.md")
    try:
        return read_page(name, path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise UnreadablePage(f"docs/{name}.md: {error}") from error
