"""The lists name all that is locked and shipped, and nothing of when and where they were made."""

import json
from pathlib import Path
from typing import Any

import pytest

from docs._ext.licences import works
from docs._make.locks import NODE, read_all
from docs._make.options import ROOT
from docs._make.sbom import FOLDER, SITE, Invalid, checked, of_group, of_node, of_site

LOCKS = read_all()


def made(name: str) -> dict[str, Any]:
    """A list that `nox -s sbom` has just made."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}.cdx.json").read_text(encoding="utf-8"))
    return found


def test_every_lock_has_a_list_and_the_site_too() -> None:
    assert {file.name for file in FOLDER.iterdir()} == {f"{n}.cdx.json" for n in (*LOCKS, SITE)}


@pytest.mark.parametrize("name", LOCKS)
def test_it_names_each_package_with_its_versions_and_hashes(name: str) -> None:
    found: dict[str, set[str]] = {}
    for each in made(name)["components"]:
        found.setdefault(each["name"], set()).add(each["version"])
        distributions = [each, *each.get("externalReferences", [])]
        assert any(one.get("hashes") for one in distributions), each["name"]
    locked = {package: set(lock.versions.split(", ")) for package, lock in LOCKS[name].items()}
    assert found == locked


@pytest.mark.parametrize("name", [*LOCKS, SITE])
def test_it_says_nothing_of_time_and_machine(name: str) -> None:
    listed = made(name)
    assert "serialNumber" not in listed
    assert "timestamp" not in listed.get("metadata", {})
    text = json.dumps(listed)
    assert str(ROOT) not in text and str(Path.home()) not in text


def test_it_is_the_same_when_made_again() -> None:
    again = {"lock": of_group("lock"), SITE: of_site()}
    again |= {lock.parent.name: of_node(lock.parent) for lock in NODE}
    for name, text in again.items():
        assert text == (FOLDER / f"{name}.cdx.json").read_text(encoding="utf-8")


def test_the_list_of_the_site_has_a_licence_for_each_work() -> None:
    licences = {each["name"]: each["licenses"] for each in made(SITE)["components"]}
    assert licences == {work.name: [{"expression": work.licence}] for work in works()}
    own = {each["purl"].partition("@")[0] for each in made(SITE)["components"] if "purl" in each}
    assert own >= {"pkg:pypi/furo", "pkg:pypi/myst-nb", "pkg:pypi/pagefind", "pkg:pypi/sphinx"}


def test_a_list_that_is_not_valid_is_refused() -> None:
    listed = made(SITE)
    listed["components"][0]["type"] = "something"
    with pytest.raises(Invalid):
        checked(listed)
