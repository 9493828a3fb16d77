"""Files of an earlier build count only as long as each is what that build left."""

import os
from pathlib import Path

import pytest

from docs._make.seal import content, is_sealed, seal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.html", "part/b.html"):
        file = tmp_path / "made" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name, encoding="utf-8")
    return tmp_path / "made"


def test_a_file_that_was_changed_removed_or_added_breaks_it(folder: Path, tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    assert not is_sealed(mark, [folder])
    for change in (
        lambda: (folder / "a.html").write_text("other"),
        lambda: (folder / "a.html").unlink(),
        lambda: (folder / "c.html").write_text(""),
        lambda: (folder / "c.html").rename(folder / "d.html"),
    ):
        seal(mark, [folder])
        assert is_sealed(mark, [folder])
        change()
        assert not is_sealed(mark, [folder])
    seal(mark, [folder], "of this")
    assert not is_sealed(mark, [folder], "of that")


def test_the_next_build_sees_a_change_that_kept_size_and_time(folder: Path, tmp_path: Path) -> None:
    file, mark = folder / "a.html", tmp_path / "mark"
    seal(mark, [folder])
    before = file.stat()
    file.write_text("A.html", encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    content.cache_clear()  # another process
    assert not is_sealed(mark, [folder])


def test_a_file_is_read_once_until_it_is_written(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    read_bytes = Path.read_bytes

    def counted(file: Path) -> bytes:
        read.append(file.name)
        return read_bytes(file)

    monkeypatch.setattr(Path, "read_bytes", counted)
    mark = tmp_path / "mark"
    seal(mark, [folder])
    (folder / "a.html").write_text("another", encoding="utf-8")
    seal(mark, [folder])
    assert sorted(read) == ["a.html", "a.html", "b.html"]
