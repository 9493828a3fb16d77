"""The colours of code: found once for all languages, and never those of other code."""

from pathlib import Path
from typing import Any

import pytest

from docs._ext.colours import Colours


class Highlighter:
    """Stands for Sphinx's, and counts."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def highlight_block(self, source: str, *_language: str, **_more: Any) -> str:
        self.asked.append(source)
        return f"<b>{source}</b>"


def written(file: Path, *cells: str, made_of: str = "page", **more: Any) -> list[str]:
    """Write a page of cells in one language, and return which of them had to be looked at."""
    highlighter = Highlighter()
    colours = Colours(highlighter)  # type: ignore[arg-type]
    colours.begin(file, made_of)
    for cell in cells:
        assert colours.highlight_block(cell, "python", location=cell, **more) == f"<b>{cell}</b>"
    colours.keep()
    return highlighter.asked


def test_each_cell_is_looked_at_once(tmp_path: Path) -> None:
    file = tmp_path / "part" / "page.json"
    assert written(file, "a = 1", "# English", "a = 1") == ["a = 1", "# English"]
    assert written(file, "a = 1", "# 日本語") == ["# 日本語"]
    assert written(file, "a = 1", "# English", "# 日本語") == []
    assert [path.name for path in file.parent.iterdir()] == ["page.json"]


def test_options_and_other_versions_of_a_page_are_not_mixed_up(tmp_path: Path) -> None:
    file = tmp_path / "page.json"
    assert written(file, "a = 1") == ["a = 1"]
    assert written(file, "a = 1", linenos=True) == ["a = 1"]
    assert written(file, "a = 1", made_of="another") == ["a = 1"]


def test_nothing_is_kept_of_a_page_that_does_not_run(tmp_path: Path) -> None:
    file = tmp_path / "page.json"
    assert written(file, "a = 1", made_of="") == ["a = 1"]
    assert not file.exists()


@pytest.mark.parametrize("place", range(0, 100, 7))
def test_a_damaged_file_counts_as_none(tmp_path: Path, place: int) -> None:
    file = tmp_path / "page.json"
    written(file, "a = 1")
    content = bytearray(file.read_bytes())
    content[place * len(content) // 100] ^= 0x11
    file.write_bytes(bytes(content))
    assert written(file, "a = 1") == ["a = 1"]
    file.write_bytes(bytes(content[: place * len(content) // 100]))
    assert written(file, "a = 1") == ["a = 1"]
