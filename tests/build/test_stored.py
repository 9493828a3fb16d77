"""Outputs of other backends: which are stored, which are shown, and where."""

from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from nbformat import NotebookNode, v4
from sphinx.errors import ExtensionError

from docs._guide.execute import cache
from docs._guide.execute.page import Page, code_cells, read_page
from docs._guide.execute.stored import LIMIT_MB, STORED, on_other_backends, stale, store
from docs._guide.ext.devices import add_outputs
from tests.conftest import SmallGuide, notebook

GPU = {
    **{"backend": "gpu", "device": "NVIDIA H100 80GB HBM3", "devices": 1, "driver": "1.2"},
    **{"jax": "0.11.2", "python": "3", "date": "2026-01-01", "commit": "", "seconds": 1.0},
}
TEXT = notebook("print('a')", "print('b')")


def page(text: str = TEXT, name: str = "one") -> Page:
    result = read_page(name, text)
    assert result
    return result


def put(folder: Path, *printed: str, text: str = TEXT, backend: str = "gpu") -> Page:
    """Cache what each cell of a page printed on a backend."""
    ran = page(text)
    for cell, words in zip(ran.code_cells, printed, strict=True):
        output = {"output_type": "stream", "name": "stdout", "text": words}
        cell.update(outputs=[output], execution_count=1)
    cache.put(folder, ran, ran.notebook, GPU | {"backend": backend})
    return ran


def others(folder: Path, text: str = TEXT, backend: str = "cpu") -> list[NotebookNode]:
    return on_other_backends(page(text), backend, folder)


def test_the_repository_s_outputs_are_small() -> None:
    files = [file for file in STORED.rglob("*") if file.is_file()]
    assert sum(file.stat().st_size for file in files) < LIMIT_MB * 1e6


def test_outputs_of_an_accelerator_are_stored_and_found(tmp_path: Path) -> None:
    ran = put(tmp_path / "cache", "a\n", "B\n")
    assert store(tmp_path / "cache", [ran], tmp_path / "stored" / "cuda") == ["one"]
    [shown] = others(tmp_path / "stored")
    assert [cell.outputs[0].text for cell in shown.cells if cell.cell_type == "code"] == [
        "a\n",
        "B\n",
    ]
    assert shown.metadata[cache.RUN]["driver"] == "1.2"
    assert others(tmp_path / "stored", backend="gpu") == []


def test_a_page_that_selects_the_cpu_is_not_stored(tmp_path: Path) -> None:
    ran = put(tmp_path / "cache", "a\n", "b\n", backend="cpu")
    assert store(tmp_path / "cache", [ran], tmp_path / "stored" / "cuda") == []


def test_a_cell_is_shown_as_long_as_the_code_up_to_it_is_the_same(tmp_path: Path) -> None:
    ran = put(tmp_path / "cuda", "a\n", "B\n")
    changed = notebook("print('a')", "print('c')", "print('d')")
    [shown] = others(tmp_path, changed)
    assert ["outputs" in cell for cell in code_cells(shown)] == [True, False, False]
    assert stale([page(changed)], tmp_path) == ["cuda/one (1 of 2 cells are shown)"]
    assert (len(others(tmp_path)), stale([ran], tmp_path)) == (1, [])
    other = notebook("print('A')", "print('b')")
    assert others(tmp_path, other) == []
    assert stale([page(other)], tmp_path) == ["cuda/one (0 of 2 cells are shown)"]
    assert stale([], tmp_path) == ["cuda/one (0 of 2 cells are shown)"]


@pytest.mark.parametrize("damage", ["{", "null", ""])
def test_a_damaged_entry_is_stale_and_not_shown(tmp_path: Path, damage: str) -> None:
    ran = put(tmp_path / "cuda", "a\n", "B\n")
    cache.path(tmp_path / "cuda", "one").write_text(damage)
    assert others(tmp_path) == []
    assert stale([ran], tmp_path) == ["cuda/one (0 of 0 cells are shown)"]


def test_an_edited_output_is_not_shown(tmp_path: Path) -> None:
    put(tmp_path / "cuda", "a\n", "B\n")
    file = cache.path(tmp_path / "cuda", "one")
    file.write_text(file.read_text().replace("B", "C"))
    assert others(tmp_path) == []


def test_only_outputs_of_tagged_cells_are_added(tmp_path: Path) -> None:
    text = notebook("print('a')", ":tags: [gpu]\nprint('b')")
    put(tmp_path / "cuda", "1 x\n", "2 x\n", text=text)
    own, [other] = page(text).notebook, others(tmp_path, text)
    before = len(own.cells)
    shown = add_outputs(own, other, GPU | {"backend": "cpu", "jax": "0.10.2"})
    assert shown and (shown["own"], shown["label"]) == ("CPU · JAX 0.10", "H100 · JAX 0.11")
    [added] = own.cells[before:]
    assert added.outputs[0].text == "2 x\n"
    assert own.cells[added.metadata.device["cell"]].source == "print('b')"
    assert add_outputs(page().notebook, other, GPU) is None


def test_a_figure_with_a_slider_cannot_be_tagged(tmp_path: Path) -> None:
    text = notebook(":tags: [gpu]\nplt.show()")
    put(tmp_path / "cuda", "", text=text)
    [other] = others(tmp_path, text)
    ran = page(text)
    figure = {"image/svg+xml": '<svg><g id="rate = 0.1"/></svg>'}
    ran.code_cells[0].outputs = [v4.new_output("display_data", data=figure)]
    with pytest.raises(ExtensionError, match=r"slider[^$]*plt.show"):
        add_outputs(ran.notebook, other, GPU)


def test_short_texts_are_lines_and_longer_ones_tabs(small_guide: SmallGuide) -> None:
    cells = (":tags: [gpu]\nprint('a')", ":tags: [gpu]\nprint(1, 2, 3, sep='\\n')", "print('c')")
    text = notebook(*cells)
    small_guide.write("docs/one.md", text)
    put(small_guide.root / "docs" / "_outputs" / "cuda", "A\n", "4\n", "C\n", text=text)
    small_guide.build("--language=en")
    html = BeautifulSoup(small_guide.page("one"), "lxml")
    [lines], [tabs] = html.select(".tab-lines"), html.select(".tab-set")
    assert [tab.get_text().strip() for tab in lines.select(".tab")] == ["a", "A"]
    assert [tab.get_text().split() for tab in tabs.select(".tab")] == [["1", "2", "3"], ["4"]]
    for shown, label in ((lines, ".tab-label"), (tabs, "label")):
        assert shown.select(label)[1].get_text() == "H100 · JAX 0.11"
    assert [button["value"] for button in html.select("input[type=radio]")] == ["CPU", "GPU"]
    assert "with driver 1.2" in html.select(".provenance")[0].get_text()
    assert len(html.select("div.cell")) == 3
