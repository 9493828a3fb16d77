"""The published folder is one whole site or another, wherever publishing stops."""

from pathlib import Path

import pytest

from docs._guide.site.publish import carried_over, replaced, restore


def tree(folder: Path) -> dict[str, str]:
    """The files in a folder, hidden ones included."""
    files = (file for file in folder.rglob("*") if file.is_file())
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}


def write(folder: Path, text: str) -> None:
    folder.mkdir(exist_ok=True)
    (folder / "index.html").write_text(text, encoding="utf-8")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    write(tmp_path / "site", "old")
    return tmp_path / "site"


def test_the_new_site_replaces_the_old_one(site: Path) -> None:
    with replaced(site) as new:
        write(new, "new")
        assert tree(site) == {"index.html": "old"}
    assert tree(site.parent) == {"site/index.html": "new"}


def test_the_first_site_goes_where_no_folder_is(tmp_path: Path) -> None:
    with replaced(tmp_path / "public" / "site") as new:
        write(new, "new")
    assert tree(tmp_path) == {"public/site/index.html": "new"}


@pytest.mark.parametrize("problem", [OSError, KeyboardInterrupt])
def test_the_old_site_stays_when_the_new_one_is_not_complete(
    site: Path, problem: type[BaseException]
) -> None:
    with pytest.raises(problem), replaced(site) as new:
        write(new, "half")
        raise problem
    assert tree(site.parent) == {"site/index.html": "old"}


@pytest.mark.parametrize("failing_rename", [1, 2])
@pytest.mark.parametrize("problem", [OSError, KeyboardInterrupt])
def test_a_swap_that_fails_is_undone(
    site: Path, monkeypatch: pytest.MonkeyPatch, failing_rename: int, problem: type[BaseException]
) -> None:
    rename, renames = Path.rename, 0

    def failing(path: Path, target: Path) -> Path:
        nonlocal renames
        renames += 1
        if renames == failing_rename:
            raise problem
        return rename(path, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(problem), replaced(site) as new:
        write(new, "new")
    assert tree(site.parent) == {"site/index.html": "old"}


@pytest.mark.parametrize("published", [False, True])
def test_what_a_killed_swap_left_is_repaired(site: Path, published: bool) -> None:
    site.rename(site.parent / ".site.old")
    write(site.parent / ".site.new", "new")
    if published:  # killed while it removed the old site
        (site.parent / ".site.new").rename(site)
    restore(site)
    assert tree(site) == {"index.html": "new" if published else "old"}
    assert not (site.parent / ".site.old").exists()
    with replaced(site) as new:
        write(new, "newer")
    assert tree(site.parent) == {"site/index.html": "newer"}


def test_languages_that_are_not_built_stay(tmp_path: Path) -> None:
    (tmp_path / "ja").mkdir()
    (tmp_path / "en").mkdir()
    assert carried_over(["en", "ja", "ko"], ["en"], tmp_path) == ["ja"]
