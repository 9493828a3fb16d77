"""What the site before has already is taken over, and never changes with the new site."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from docs._make.same_files import copy, write_anew


@pytest.fixture
def made(tmp_path: Path) -> Path:
    for name in ("a.html", "part/b.html", "part/c.whole"):
        file = tmp_path / "made" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    return tmp_path / "made"


def texts(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_text() for file in files}


def test_only_what_changed_is_copied(made: Path, tmp_path: Path) -> None:
    before, new = tmp_path / "before", tmp_path / "new"
    copy(made, before, tmp_path / "none", ["*.whole"])
    assert texts(before) == {"a.html": "a.html", "part/b.html": "part/b.html"}
    (made / "a.html").write_text("another", encoding="utf-8")
    copy(made, new, before, ["*.whole"])
    assert texts(new) == {"a.html": "another", "part/b.html": "part/b.html"}
    assert (new / "part" / "b.html").samefile(before / "part" / "b.html")
    assert not (new / "part" / "b.html").samefile(made / "part" / "b.html")
    assert texts(before)["a.html"] == "a.html"


@pytest.mark.parametrize(
    "change",
    [
        lambda file: file.write_text("of another size"),
        lambda file: os.utime(file, ns=(1, 1)),
        lambda file: file.unlink(),
    ],
)
def test_a_site_that_was_changed_is_mended(
    made: Path, tmp_path: Path, change: Callable[[Path], object]
) -> None:
    copy(made, tmp_path / "before", tmp_path / "none")
    change(tmp_path / "before" / "a.html")
    copy(made, tmp_path / "new", tmp_path / "before")
    assert texts(tmp_path / "new") == texts(made)


def test_a_disk_without_links_gets_copies(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_arguments: object) -> None:
        raise PermissionError

    copy(made, tmp_path / "before", tmp_path / "none")
    monkeypatch.setattr(os, "link", refused)
    copy(made, tmp_path / "new", tmp_path / "before")
    assert texts(tmp_path / "new") == texts(made)


def test_a_file_written_anew_stays_in_the_site_before(made: Path, tmp_path: Path) -> None:
    before, new = tmp_path / "before", tmp_path / "new"
    copy(made, before, tmp_path / "none")
    copy(made, new, before)
    write_anew(new / "a.html", "with links")
    assert texts(new)["a.html"] == "with links"
    assert texts(before)["a.html"] == "a.html"
