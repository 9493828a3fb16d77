"""Files of an earlier build count only as long as each is what that build left."""

import os
import time
from pathlib import Path

import pytest

from docs._make.seal import is_sealed, seal, sealed

A_TICK_S = 0.02  # the system's clock for files may be as coarse


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
    assert not is_sealed(mark, [folder])


def test_a_file_is_read_only_when_it_was_touched(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = []
    read_bytes = Path.read_bytes

    def counted(file: Path) -> bytes:
        if file.suffix == ".html":
            read.append(file.name)
        return read_bytes(file)

    monkeypatch.setattr(Path, "read_bytes", counted)
    mark = tmp_path / "mark"
    time.sleep(A_TICK_S)
    seal(mark, [folder])
    assert sorted(read) == ["a.html", "b.html"]
    os.utime(folder / "a.html")
    time.sleep(A_TICK_S)
    assert is_sealed(mark, [folder])
    assert read[2:] == ["a.html"]
    assert is_sealed(mark, [folder])
    seal(mark, [folder])
    assert read[3:] == []


def test_a_file_of_the_moment_in_which_it_was_sealed_is_read_again(
    folder: Path, tmp_path: Path
) -> None:
    mark = tmp_path / "mark"
    seal(mark, [folder])
    of_that_moment = (folder / "a.html").stat().st_ctime_ns
    os.utime(mark, ns=(of_that_moment, of_that_moment))
    assert not sealed(mark).files.keys() & {str(folder / "a.html")}
    assert is_sealed(mark, [folder])


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"files": {"a": 1}}', b'{"digest": 1}'])
def test_a_damaged_mark_seals_nothing(folder: Path, tmp_path: Path, damage: bytes) -> None:
    mark = tmp_path / "mark"
    mark.write_bytes(damage)
    assert not is_sealed(mark, [folder])
