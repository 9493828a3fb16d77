"""The published folder is one whole site or another, never half of one."""

import ctypes
from pathlib import Path

import pytest

from docs._make.exchange import exchange
from docs._make.publish import carried_over


@pytest.mark.parametrize("has_exchange", [True, False])
def test_folders_change_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_exchange: bool
) -> None:
    if not has_exchange:  # as on systems without renameat2
        monkeypatch.setattr(ctypes, "CDLL", lambda *_args, **_options: object())
    new, site = tmp_path / "new", tmp_path / "site"
    for folder, text in ((new, "new"), (site, "old")):
        folder.mkdir()
        (folder / "index.html").write_text(text)
    exchange(new, site)
    assert (site / "index.html").read_text() == "new"
    assert (new / "index.html").read_text() == "old"


def test_the_first_site_needs_none_before(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    exchange(tmp_path / "new", tmp_path / "site")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_languages_not_built_stay(tmp_path: Path) -> None:
    (tmp_path / "ja").mkdir()
    (tmp_path / "en").mkdir()
    assert carried_over(["en", "ja", "ko"], ["en"], tmp_path) == ["ja"]
