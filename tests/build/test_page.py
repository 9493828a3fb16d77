"""Pages are read as Sphinx reads them."""

import ast

import pytest
from nbformat import NotebookNode

from docs._guide.execute.page import (
    Page,
    UnreadablePage,
    executed_pages,
    has_tag,
    read_page,
    statements,
)
from tests.conftest import FRONT_MATTER, notebook


def page(text: str) -> Page:
    result = read_page("some/page", text)
    assert result
    return result


def test_every_page_with_cells_runs() -> None:
    names = {page.name for page in executed_pages()}
    assert {"measure/async-dispatch", "transforms/grad", "transforms/scan"} <= names
    assert not any(name.startswith("_") for name in names)


@pytest.mark.parametrize("text", ["# A page\n", FRONT_MATTER.format(more="") + "# A page\n"])
def test_a_page_without_cells_does_not_run(text: str) -> None:
    assert read_page("some/page", text) is None


def test_line_of_a_cell_is_its_line_in_the_file() -> None:
    text = notebook("first = 1", ":tags: [hide-cell]\nsecond = 2\nthird = 3")
    index = page(text).code_indices[1]
    lines = text.splitlines()
    assert lines[page(text).line(index) - 1] == "second = 2"
    assert lines[page(text).line(index, 2) - 1] == "third = 3"


def test_front_matter_sets_the_limit() -> None:
    assert page(notebook("1", more="guide:\n  cell_limit_s: 300\n")).cell_limit_s == 300
    assert page(notebook("1")).cell_limit_s == 120


@pytest.mark.parametrize(
    "text",
    [
        notebook("1", more="guide: {cell_limit_s: 1\n"),
        notebook("1", more="guide: 3\n"),
        notebook("1", more="guide: {cell_limit_s: long}\n"),
        notebook("---\ntags: [a, b\n---\n1"),
        "",
        "\n\n",
    ],
)
def test_what_cannot_be_read_names_the_page_in_one_line(text: str) -> None:
    with pytest.raises(UnreadablePage, match=r"^docs/some/page\.md(: [^\n]+| is empty: [^\n]+)$"):
        read_page("some/page", text)


def test_code_is_at_most_79_columns_wide() -> None:
    """Wider code is cut off on a laptop; only rows of tables, in folded cells, may be wider."""
    wide = [
        f"{page.path}:{page.line(index, number)}"
        for page in executed_pages()
        for index in page.code_indices
        for number, line in enumerate(page.notebook.cells[index].source.split("\n"), 1)
        if len(line) > 79 and number not in table_rows(page.notebook.cells[index])
    ]
    assert not wide


def table_rows(cell: NotebookNode) -> set[int]:
    """The lines of a folded cell that are inside strings of several lines."""
    folded = has_tag(cell, "hide-input") or has_tag(cell, "hide-cell")
    strings = [
        node
        for tree in statements(cell.source if folded else "")
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return {
        n
        for node in strings
        for n in range(node.lineno, (node.end_lineno or node.lineno) + 1)
        if node.end_lineno != node.lineno
    }
