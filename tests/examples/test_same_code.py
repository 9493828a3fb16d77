"""What a page and its script both define is the same code."""

import ast
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
    return ROOT / "examples" / f"{page.name.split('/')[-1].replace('-', '_')}.py"


# A page that defines nothing has nothing that a script could share.
PAGES = [page for page in pages_that_run() if defined_on(page)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_that_draws_has_a_script_that_draws(page: Page) -> None:
    if any("figure" in cell.metadata.get("mystnb", {}) for cell in page.code_cells):
        assert '"--plot"' in script_of(page).read_text()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_and_script_define_the_same(page: Page) -> None:
    on_page = defined_on(page)
    in_script = definitions(script_of(page).read_text())
    shared = on_page.keys() & in_script.keys() - {"main"}
    assert len(shared) >= 2
    for name in shared:
        assert on_page[name] == in_script[name], f"{name} differs between {page.path} and script"


def test_a_difference_is_noticed() -> None:
    one = definitions('def f(x: int) -> int:\n    """Doc."""\n    return x + 1\n')
    assert one == definitions("def f(x):\n    return x + 1\n")
    assert one != definitions("def f(x):\n    return x + 2\n")
