"""The locks hold versions and hashes, for every Python, and nothing of where they came from."""

import json
import re
from pathlib import Path

import pytest

from docs._make.locks import NODE, changes, groups, read_all, read_node, read_python
from docs._make.options import ROOT

LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


@pytest.mark.parametrize("lock", LOCKS, ids=lambda lock: lock.stem)
def test_every_package_has_a_version_and_hashes_and_no_address(lock: Path) -> None:
    text = lock.read_text()
    assert "://" not in text
    entries = re.split(r"\n(?=\S)", text.strip())
    for entry in entries:
        assert re.match(r"[\w.-]+(\[[\w,-]+\])?==\S+", entry)
        assert "--hash=sha256:" in entry


def test_both_lines_of_jax_are_locked() -> None:
    text = (ROOT / "requirements" / "guide.txt").read_text()
    assert re.search(r"^jax==0\.10\.2 ; python_full_version < '3\.12'", text, re.MULTILINE)
    assert re.search(r"^jax==\S+ ; python_full_version >= '3\.12'", text, re.MULTILINE)


def test_pre_commit_uses_the_locked_ruff() -> None:
    locked = re.search(r"^ruff==\S+", (ROOT / "requirements" / "lint.txt").read_text(), re.M)
    assert locked
    named = re.findall(r"ruff==[\d.]+", (ROOT / ".pre-commit-config.yaml").read_text())
    assert named == [locked[0]] * 2


@pytest.mark.parametrize("lock", NODE, ids=lambda lock: lock.parent.name)
def test_every_package_of_node_has_a_hash_and_no_address(lock: Path) -> None:
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    locked = {place: entry for place, entry in packages.items() if place}
    assert locked
    for place, entry in locked.items():
        assert entry["version"], place
        assert entry["integrity"].startswith("sha512-"), place
        assert "resolved" not in entry, place


def test_every_group_has_a_lock_and_no_lock_is_left_over() -> None:
    assert sorted(groups()) == [lock.stem for lock in LOCKS]
    projects = [*ROOT.glob("tests/**/package.json"), *ROOT.glob("locale/*/package.json")]
    assert {lock.parent for lock in NODE} == {project.parent for project in projects}


def test_all_locks_can_be_read() -> None:
    locks = read_all()
    assert len(locks) == len(LOCKS) + len(NODE)
    assert all(
        locked.versions and locked.hashes for lock in locks.values() for locked in lock.values()
    )
    assert locks["guide"]["jax"].versions.startswith("0.10.2, ")  # one for each line
    assert {"axe-core", "lighthouse"} <= locks["audit"].keys()


NUMPY = """\
numpy=={} ; python_full_version >= '3.12' \\
    --hash=sha256:{} \\
    --hash=sha256:{}
"""
AXE = '{{"packages": {{"": {{}}, "node_modules/axe": {{"version": "{}", "integrity": "{}"}}}}}}'


def test_the_same_change_of_several_locks_is_one_line() -> None:
    old, new = (
        read_python(NUMPY.format(*entry)) for entry in (("2.4.1", "a", "b"), ("2.4.2", "c", "d"))
    )
    before = {"guide": old, "lint": old, "audit": read_node(AXE.format("1.0.0", "x"))}
    after = {"guide": new, "lint": new, "audit": read_node(AXE.format("1.1.0", "y"))}
    assert changes(before, after) == [
        "axe 1.0.0 -> 1.1.0 (audit)",
        "numpy 2.4.1 -> 2.4.2 (guide, lint)",
    ]


def test_what_stays_as_it_was_is_no_change() -> None:
    locks = read_all()
    assert changes(locks, locks) == []


def test_other_hashes_of_the_same_version_are_told() -> None:
    old, new = (read_python(NUMPY.format("2.4.1", "a", last)) for last in "bc")
    assert changes({"guide": old}, {"guide": new}) == ["numpy 2.4.1 has other hashes (guide)"]


def test_a_new_lock_adds_its_packages() -> None:
    lock = {"sbom": read_python(NUMPY.format("2.4.1", "a", "b"))}
    assert changes({}, lock) == ["numpy 2.4.1 added (sbom)"]
    assert changes(lock, {}) == ["numpy 2.4.1 removed (sbom)"]
