"""Stored outputs are exactly those of the cells, or count as missing."""

import random
import shutil
import sqlite3
from pathlib import Path

import nbformat
import pytest

from docs._make.page import read_page
from docs._make.store import Missing, OutputStore, keep, load, open_store
from tests.conftest import notebook

FACTS = {"seconds": 1.5, "device": "a device"}


def executed(name: str, text: str) -> nbformat.NotebookNode:
    """A page's notebook, with an output as if it had run."""
    result: nbformat.NotebookNode = nbformat.from_dict(read_page(name, text).notebook)
    for cell in result.cells:
        if cell.cell_type == "code":
            cell.outputs = [nbformat.v4.new_output("stream", text="42\nand more\n")]
    return result


@pytest.fixture
def store(tmp_path: Path) -> OutputStore:
    return open_store(tmp_path / "cpu")


def has(store: OutputStore, name: str, text: str) -> bool:
    try:
        load(store, read_page(name, text).notebook)
    except Missing:
        return False
    return True


def test_what_was_kept_comes_back(store: OutputStore) -> None:
    text = notebook("print(42)")
    keep(store, executed("one", text), FACTS)
    found, facts, _ = load(store, read_page("one", text).notebook)
    assert [c.outputs[0].text for c in found.cells if c.cell_type == "code"] == ["42\nand more\n"]
    assert facts == FACTS


def test_cells_and_tags_matter_and_nothing_else(store: OutputStore) -> None:
    keep(store, executed("one", notebook("print(42)")), FACTS)
    assert has(store, "one", notebook("print(42)", prose="Other prose."))
    captioned = "---\nmystnb:\n  figure:\n    caption: A caption.\n---\nprint(42)"
    assert has(store, "one", notebook(captioned))
    assert not has(store, "one", notebook("print(43)"))
    assert not has(store, "one", notebook("print(42)", "print(1)"))
    assert not has(store, "one", notebook(":tags: [raises-exception]\nprint(42)"))
    assert has(store, "one", notebook(":tags: [claim-a, holds]\nprint(42)"))
    steered = ":tags: [raises-exception, claim-a, no-longer]\nprint(42)"
    assert not has(store, "one", notebook(steered))


def test_pages_with_equal_cells_keep_their_own_outputs(store: OutputStore) -> None:
    keep(store, executed("one", notebook("print(42)")), FACTS)
    assert not has(store, "two", notebook("print(42)"))


def test_every_damaged_byte_is_noticed(store: OutputStore) -> None:
    text = notebook("print(42)")
    keep(store, executed("one", text), FACTS)
    file = next(store.path.rglob("base.ipynb"))
    whole = file.read_bytes()
    start = whole.index(b'"outputs"')
    for place in range(start, start + 250, 7):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0b10]) + whole[place + 1 :])
        if has(store, "one", text):  # the byte was one that JSON does not count
            found, _, _ = load(store, read_page("one", text).notebook)
            outputs = [cell.outputs for cell in found.cells if cell.cell_type == "code"]
            assert outputs[0][0].text == "42\nand more\n"
    file.write_bytes(whole[: len(whole) // 2])
    assert not has(store, "one", text)
    file.unlink()
    assert not has(store, "one", text)


def test_changed_facts_are_noticed(store: OutputStore) -> None:
    text = notebook("print(42)")
    keep(store, executed("one", text), FACTS)
    with sqlite3.connect(store.path / "global.db") as database:
        database.execute("update nbcache set data = replace(data, 'a device', 'b device')")
    assert not has(store, "one", text)


def test_a_broken_database_is_moved_aside(
    store: OutputStore, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(store, executed("one", notebook("print(42)")), FACTS)
    (store.path / "global.db").write_bytes(b"not a database" * 100)
    again = open_store(store.path)
    assert "are damaged: every page runs again" in capsys.readouterr().out
    assert not has(again, "one", notebook("print(42)"))
    assert (store.path.parent / "cpu.damaged").is_dir()
    keep(again, executed("one", notebook("print(42)")), FACTS)
    assert has(again, "one", notebook("print(42)"))


def test_outputs_can_be_replaced(store: OutputStore) -> None:
    text = notebook("print(42)")
    keep(store, executed("one", text), FACTS)
    keep(store, executed("one", text), FACTS | {"seconds": 2.0})
    assert load(store, read_page("one", text).notebook)[1]["seconds"] == 2.0


def damaged(whole: bytes, chance: random.Random) -> bytes:
    """Some bytes with a fault in them, as a disk or a killed program leaves it."""
    place = chance.randrange(len(whole))
    before, after = whole[:place], whole[place:]
    return chance.choice(
        [
            before + bytes([after[0] ^ 1 << chance.randrange(8)]) + after[1:],
            before + chance.randbytes(5) + after,
            before + after[chance.randrange(200) :],
            before,
            before + bytes(len(after[:512])) + after[512:],
            b"",
        ]
    )


def test_damaged_in_50_ways_it_gives_the_same_or_nothing(tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    texts = {name: notebook(f"print({name!r})") for name in ("one", "two", "three")}
    whole = open_store(tmp_path / "whole")
    for name, text in texts.items():
        keep(whole, executed(name, text), FACTS)
    files = sorted(file for file in whole.path.rglob("*") if file.is_file())
    for number in range(50):
        folder = shutil.copytree(whole.path, tmp_path / str(number))
        file = files[number % len(files)]
        (folder / file.relative_to(whole.path)).write_bytes(damaged(file.read_bytes(), chance))
        store = open_store(folder)
        for name, text in texts.items():
            if not has(store, name, text):
                keep(store, executed(name, text), FACTS)  # the page runs again
            found, facts, _ = load(store, read_page(name, text).notebook)
            outputs = [cell.outputs for cell in found.cells if cell.cell_type == "code"]
            assert (outputs[0][0].text, facts) == ("42\nand more\n", FACTS), (number, file)
