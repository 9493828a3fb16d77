"""The locks hold versions and hashes for every Python, and no registry's address."""

import json
import re
from pathlib import Path

import pytest

from docs._guide.options import ROOT
from docs._guide.tools.locks import NODE, groups

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_every_package_has_a_version_and_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text(encoding="utf-8")
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    for entry in entries:
        assert re.match(r"[\w.-]+(\[[\w,-]+\])?==\S+", entry)
        assert "--hash=sha256:" in entry


def test_both_lines_of_jax_are_locked() -> None:
    text = (ROOT / "requirements" / "guide.txt").read_text(encoding="utf-8")
    for versions in ("< '3\\.12'", ">= '3\\.12'"):
        assert re.search(rf"^jax==\S+ ; python_full_version {versions}", text, re.MULTILINE)


def test_pre_commit_needs_nothing_but_the_locked_ruff() -> None:
    lock = (ROOT / "requirements" / "lint.txt").read_text(encoding="utf-8")
    locked = re.search(r"^ruff==\S+", lock, re.MULTILINE)
    assert locked
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"entry: (\w+)", hooks)
    assert entries == ["ruff", "ruff"]
    assert re.findall(r"ruff==[\d.]+", hooks) == [locked[0]] * 2


@pytest.mark.parametrize("folder", NODE, ids=lambda folder: folder.name)
def test_every_package_of_node_has_a_hash_and_no_address(folder: Path) -> None:
    packages = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    locked = {place: entry for place, entry in packages.items() if place}
    assert locked
    for place, entry in locked.items():
        assert entry["version"], place
        assert entry["integrity"].startswith("sha512-"), place
        assert "resolved" not in entry, place


def test_every_group_has_a_lock_and_no_lock_is_left_over() -> None:
    assert sorted(groups()) == [lock.stem for lock in LOCKS]
    projects = [*ROOT.glob("tests/**/package.json"), *ROOT.glob("locale/**/package.json")]
    assert set(NODE) == {project.parent for project in projects}
