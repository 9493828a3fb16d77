"""Pages are read as Sphinx reads them."""

import pytest

from docs._guide.execute.page import Page, UnreadablePage, executed_pages, read_page
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
