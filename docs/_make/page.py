"""A page: a MyST text notebook, its cells, and all that its outputs depend on."""

import ast
import hashlib
import runpy
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from modulefinder import ModuleFinder
from pathlib import Path

from myst_nb.core.read import (
    MystMetadataParsingError,
    is_myst_markdown_notebook,
    read_myst_markdown_notebook,
)
from myst_parser.config.main import MdParserConfig
from nbformat import NotebookNode

from docs._make.options import ROOT

CELL_LIMIT_S = 120

# Tags that say what a cell shows about a claim of an older article (docs/_ext/claims.py).
CLAIM = "claim-"
VERDICTS = ("holds", "holds-if", "no-longer", "never-did")

NO_MODULES = hashlib.sha256().hexdigest()[:16]  # `digest_of_modules`, where there are none


class UnreadablePage(Exception):
    """A page whose front matter or cell options cannot be read."""


@dataclass(frozen=True)
class Page:
    """One page that runs."""

    name: str  # Sphinx's docname, such as "transforms/grad"
    text: str
    notebook: NotebookNode

    @property
    def path(self) -> str:
        """The file, as a reader of an error message wants to see it."""
        return f"docs/{self.name}.md"

    @property
    def timed(self) -> bool:
        """Whether it measures time, so that nothing else may run meanwhile."""
        return bool(self.notebook.metadata.get("guide", {}).get("timed", False))

    @property
    def cell_limit_s(self) -> int:
        """Seconds that one cell may take."""
        return int(self.notebook.metadata.get("guide", {}).get("cell_limit_s", CELL_LIMIT_S))

    @property
    def code_cells(self) -> list[NotebookNode]:
        """The cells that run, in order."""
        return [cell for cell in self.notebook.cells if cell.cell_type == "code"]

    @property
    def alone(self) -> bool:
        """Whether it imports no module of the repository, so that its text says all that runs."""
        return bool(self.notebook.metadata["kernelspec"]["modules"] == NO_MODULES)

    @cached_property
    def imports(self) -> list[str]:
        """The statements with which its cells import."""
        return imports(cell.source for cell in self.code_cells)

    @property
    def code_indices(self) -> list[int]:
        """Positions, among all cells, of those that run."""
        cells = enumerate(self.notebook.cells)
        return [index for index, cell in cells if cell.cell_type == "code"]

    def line(self, cell_index: int, line_in_cell: int = 1) -> int:
        """Line of the file, from 1, at which a line of a cell stands."""
        fence = self.notebook.metadata["source_map"][cell_index]
        lines = self.text.splitlines()
        first = self.notebook.cells[cell_index].source.split("\n")[0]
        start = next((n for n in range(fence, len(lines)) if lines[n] == first), fence)
        return start + line_in_cell


@cache
def markdown_configuration() -> MdParserConfig:
    """The MyST extensions that Sphinx uses, so that both see the same cells."""
    conf = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    return MdParserConfig(enable_extensions=set(conf["myst_enable_extensions"]))


def read_notebook(text: str) -> NotebookNode:
    """Read a page's text; a page without cells is a notebook of one Markdown cell."""
    notebook: NotebookNode = read_myst_markdown_notebook(
        text, config=markdown_configuration(), add_source_map=True
    )
    return notebook


def read_page(name: str, text: str) -> Page:
    """Read a page that runs; its kernelspec then also says which page and modules it needs.

    jupyter-cache matches on cells and kernelspec only. With the page's name in it, two pages
    with equal cells keep separate outputs; with the digest of the local modules, editing one
    of them runs the pages that import it again, and no other.
    """
    try:
        notebook = read_notebook(text)
    except MystMetadataParsingError as error:
        raise UnreadablePage(f"docs/{name}.md: {' '.join(str(error).split())}") from error
    notebook.metadata.setdefault("kernelspec", NotebookNode(name="python3", display_name="Python"))
    notebook.metadata["kernelspec"]["page"] = name
    page = Page(name, text, notebook)
    notebook.metadata["kernelspec"]["modules"] = digest_of_modules(page.imports)
    return page


def imports(cells: Iterable[str]) -> list[str]:
    r"""The statements with which some cells import.

    >>> imports(["x = 'import numpy'", "def f():\n    from jax import (\n    jit)"])
    ['from jax import jit']
    >>> imports(["%%time\nimport numpy"])  # IPython's own words are no Python
    ['import numpy']
    """
    found = []
    for cell in (cell for cell in cells if "import" in cell):
        whole = parsed(cell)
        parts = [whole] if whole else [parsed(line.strip()) for line in cell.splitlines()]
        found += [node for part in parts if part for node in ast.walk(part)]
    statements = [node for node in found if isinstance(node, (ast.Import, ast.ImportFrom))]
    # What changes the language must come first in a file, and brings no module.
    return [each for each in map(ast.unparse, statements) if not each.startswith("from __future__")]


def parsed(code: str) -> ast.Module | None:
    """Read Python code; nothing, where it is none."""
    try:
        return ast.parse(code)
    except SyntaxError:
        return None


def digest_of_modules(statements: Iterable[str]) -> str:
    """Digest of the repository's modules that are imported, and of what those import."""
    digest = hashlib.sha256()
    for path in sorted(local_modules(statements)):
        digest.update(f"{path.relative_to(ROOT)}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def local_modules(statements: Iterable[str]) -> set[Path]:
    """Files of the repository that some statements import, directly or not."""
    finder = ModuleFinder(path=[str(ROOT)])
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "page.py"
        script.write_text("\n".join(statements))
        try:
            finder.run_script(str(script))
        except SyntaxError:  # in a module: be careful
            return set((ROOT / "examples").rglob("*.py"))
    files = (getattr(module, "__file__", None) for module in finder.modules.values())
    return {Path(file) for file in files if file and Path(file).is_relative_to(ROOT)}


def page_texts() -> Iterator[tuple[str, str]]:
    """The name and the text of every page of the guide."""
    docs = ROOT / "docs"
    for path in sorted(docs.rglob("*.md")):
        relative = path.relative_to(docs)
        if not any(part.startswith("_") for part in relative.parts):
            yield relative.with_suffix("").as_posix(), path.read_text(encoding="utf-8")


def read_if_it_runs(name: str, text: str) -> Page | None:
    """Read a page that has cells."""
    page = read_page(name, text) if is_myst_markdown_notebook(text) else None
    return page if page and page.code_cells else None


def pages_that_run() -> Iterator[Page]:
    """Every page of the guide that has cells: none is left out."""
    yield from filter(None, (read_if_it_runs(name, text) for name, text in page_texts()))
