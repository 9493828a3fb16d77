"""What a page and its script both define is the same code."""

import ast
import re
from pathlib import Path

import pytest

from docs._make.options import ROOT
from docs._make.page import Page, pages_that_run


class Plain(ast.NodeTransformer):
    """Leaves out what a page has no room for: docstrings and annotations."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.generic_visit(node)
        node.returns = None
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node


def definitions(source: str) -> dict[str, str]:
    """Top-level functions and classes, without docstrings and annotations."""
    return {
        node.name: ast.dump(Plain().visit(node))
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }


def defined_on(page: Page) -> dict[str, str]:
    # IPython's %magic is no Python.
    lines = "\n".join(cell.source for cell in page.code_cells).splitlines()
    return definitions("\n".join(line for line in lines if not line.startswith("%")))


def script_of(page: Page) -> Path:
    """The script of the page's name, or of its first word: a subject may have several pages."""
    name = page.name.split("/")[-1].replace("-", "_")
    own, subject = (ROOT / "examples" / f"{stem}.py" for stem in (name, name.split("_")[0]))
    return subject if subject.exists() and not own.exists() else own


def code_of(page: Page) -> list[str]:
    """The page's script, the parts that a large one has in a package, and parts that it borrows."""
    script = script_of(page)
    parts = sorted((ROOT / "examples" / f"_{script.stem}").glob("*.py"))
    borrowed = re.findall(r"^from (_\w+)\.(\w+) import", script.read_text(), re.MULTILINE)
    others = [ROOT / "examples" / package / f"{module}.py" for package, module in borrowed]
    return [file.read_text() for file in {script, *parts, *others}]


def defined_in_code(page: Page) -> dict[str, set[str]]:
    """What a name stands for there: perhaps a definition, and a faster form of it."""
    found: dict[str, set[str]] = {}
    for source in code_of(page):
        for name, code in definitions(source).items():
            found.setdefault(name, set()).add(code)
    return found


# A page that defines nothing has nothing that a script could share.
PAGES = [page for page in pages_that_run() if defined_on(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_that_draws_has_a_script_that_draws(page: Page) -> None:
    if any("figure" in cell.metadata.get("mystnb", {}) for cell in page.code_cells):
        assert '"--plot"' in "".join(code_of(page))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_and_script_define_the_same(page: Page) -> None:
    on_page = defined_on(page)
    in_code = defined_in_code(page)
    shared = on_page.keys() & in_code.keys() - {"main"}
    assert len(shared) >= 2
    for name in shared:
        assert on_page[name] in in_code[name], f"{name} differs between {page.path} and script"


def test_a_difference_is_noticed() -> None:
    one = definitions('def f(x: int) -> int:\n    """Doc."""\n    return x + 1\n')
    assert one == definitions("def f(x):\n    return x + 1\n")
    assert one != definitions("def f(x):\n    return x + 2\n")
    documented = definitions('class A:\n    """Doc."""\n\n    b = 1\n')
    assert documented == definitions("class A:\n    b = 1\n")
    assert documented != definitions("class A:\n    b = 2\n")
