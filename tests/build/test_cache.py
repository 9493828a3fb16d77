"""Cached outputs are exactly those of the page's code, or count as missing."""

import os
import random
from pathlib import Path

import pytest
from nbformat import NotebookNode

from docs._guide.execute import cache
from docs._guide.execute.page import Page, code_cells, read_page
from tests.conftest import notebook

RUN = {"seconds": 1.5, "device": "a device"}


def page(text: str, name: str = "one") -> Page:
    result = read_page(name, text)
    assert result
    return result


def shown(notebook: NotebookNode) -> list[object]:
    """What a page shows of its entry."""
    cells = [(cell.outputs, cell.execution_count) for cell in code_cells(notebook)]
    return [*cells, notebook.metadata[cache.RUN]]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A cache with the page `one`, which prints 42."""
    executed = page(notebook("print(42)"))
    output = {"output_type": "stream", "name": "stdout", "text": "42\nand more\n"}
    executed.code_cells[0].update(outputs=[output], execution_count=1)
    cache.put(tmp_path, executed, executed.notebook, RUN)
    return tmp_path


def test_the_outputs_and_the_run_come_back(folder: Path) -> None:
    cached = cache.get(folder, page(notebook("print(42)", prose="Other prose.")))
    assert code_cells(cached)[0].outputs[0].text == "42\nand more\n"
    assert cached.metadata[cache.RUN].items() >= RUN.items()
    assert "Other prose." in cached.cells[0].source


@pytest.mark.parametrize(
    ("cells", "cached"),
    [
        (["---\nmystnb:\n  figure:\n    caption: A caption.\n---\nprint(42)"], True),
        ([":tags: [claim-a, holds]\nprint(42)"], True),
        (["print(43)"], False),
        (["print(42)", "print(1)"], False),
        ([":tags: [raises-exception]\nprint(42)"], False),
    ],
)
def test_the_code_matters_and_which_cells_raise(
    folder: Path, cells: list[str], cached: bool
) -> None:
    assert (cache.missing(folder, [page(notebook(*cells))]) == []) == cached


def test_another_page_with_the_same_code_is_missing(folder: Path) -> None:
    other = page(notebook("print(42)"), "two")
    assert cache.missing(folder, [other]) == [other]
    os.replace(cache.path(folder, "one"), cache.path(folder, "two"))
    assert cache.missing(folder, [other]) == [other]


def test_a_newer_run_with_the_same_outputs_has_another_hash(folder: Path) -> None:
    before = cache.cached_hash(folder, "one")
    executed = cache.get(folder, page(notebook("print(42)")))
    cache.put(folder, page(notebook("print(42)")), executed, RUN | {"seconds": 2.0})
    assert cache.cached_hash(folder, "one") not in (before, "")


def test_a_damaged_entry_gives_the_same_or_is_missing(folder: Path) -> None:
    chance = random.Random(0)
    text = notebook("print(42)")
    whole = cache.path(folder, "one").read_bytes()
    sound = shown(cache.get(folder, page(text)))
    damaged = [b"", whole[: len(whole) // 2], b"[]", whole.replace(b"a device", b"b device")]
    for _ in range(50):
        place = chance.randrange(len(whole))
        before, after = whole[:place], whole[place:]
        damaged += [before, before + bytes([after[0] ^ 1 << chance.randrange(8)]) + after[1:]]
    for content in damaged:
        cache.path(folder, "one").write_bytes(content)
        if not cache.missing(folder, [page(text)]):  # a byte that does not count, such as a space
            assert shown(cache.get(folder, page(text))) == sound, content
