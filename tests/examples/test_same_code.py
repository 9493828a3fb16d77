"""Functions and classes that a page and its script both define are the same code."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from docs._guide.execute.page import Page, executed_pages
from docs._guide.options import ROOT

Definition = ast.FunctionDef | ast.ClassDef


def plain(definition: Definition) -> str:
    """The code of a definition without docstrings and annotations."""
    for node in ast.walk(definition):
        if isinstance(node, Definition) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.arg):
            node.annotation = None
    return ast.dump(definition)


def definitions(source: str) -> dict[str, str]:
    """The top-level functions and classes of a source, by name."""
    nodes = ast.parse(source).body
    return {node.name: plain(node) for node in nodes if isinstance(node, Definition)}


def defined_on(page: Page) -> dict[str, str]:
    # IPython's %magic is no Python.
    lines = "\n".join(cell.source for cell in page.code_cells).splitlines()
    return definitions("\n".join(line for line in lines if not line.startswith("%")))


def script_of(page: Page) -> Path:
    """The script of the page's name, or of its first word: a subject may have several pages."""
    name = page.name.split("/")[-1].replace("-", "_")
    own, subject = (ROOT / "examples" / f"{stem}.py" for stem in (name, name.split("_")[0]))
    return subject if subject.exists() and not own.exists() else own


@cache
def defined_in(script: Path) -> dict[str, set[str]]:
    """The definitions of a name in a script, its package, and the modules that it imports."""
    parts = script.with_name(f"_{script.stem}").glob("*.py")
    imports = re.findall(r"^from (_\w+)\.(\w+) import", script.read_text("utf-8"), re.MULTILINE)
    imported = [script.parent / package / f"{module}.py" for package, module in imports]
    by_name: dict[str, set[str]] = {}
    for file in {script, *parts, *imported}:
        for name, code in definitions(file.read_text(encoding="utf-8")).items():
            by_name.setdefault(name, set()).add(code)  # perhaps also a faster form of it
    return by_name


# A page that defines nothing has nothing that a script could share; the home page has no script.
PAGES = [page for page in executed_pages() if defined_on(page) and page.name != "index"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_and_script_define_the_same(page: Page) -> None:
    on_page = defined_on(page)
    in_code = defined_in(script_of(page))
    shared = on_page.keys() & in_code.keys() - {"main"}
    assert len(shared) >= 2
    for name in shared:
        assert on_page[name] in in_code[name], f"{name} differs between {page.path} and script"


def test_only_docstrings_and_annotations_may_differ() -> None:
    definition = definitions('class A:\n    """Doc."""\n\n    def f(self, x: int) -> int: return x')
    assert definition == definitions("class A:\n    def f(self, x): return x")
    assert definition != definitions("class A:\n    def f(self, x): return -x")
