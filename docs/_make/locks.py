"""Write every lock anew, Python's and Node's, and show what changed: `nox -s lock`.

`python -m docs._make.locks [--upgrade]`; other options of `uv pip compile` work as well. uv and
npm do not say which of some hundred packages moved, and nobody can read a diff of hashes: here the
versions before and after are compared. A version with other hashes than before is shown too, for
files were added to it, or exchanged.
"""

import json
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from docs._make import npm
from docs._make.options import ROOT

REQUIREMENTS = ROOT / "requirements"
NODE = sorted(
    lock for top in ("locale", "tests") for lock in ROOT.glob(f"{top}/**/package-lock.json")
)
OLDEST_PYTHON = "3.11"


class Locked(NamedTuple):
    """What a lock says of a package: it can have several versions, for several Pythons or users."""

    versions: str
    hashes: frozenset[str]


Lock = Mapping[str, Locked]


def main(arguments: Sequence[str]) -> int:
    """Write all locks, and print one line for each package that is not as it was."""
    before = read_all()
    try:
        for group in groups():
            write_python(group, arguments)
        for lock in NODE:
            npm.lock(lock.parent, upgrade="--upgrade" in arguments)
    except (npm.NoNode, subprocess.CalledProcessError) as problem:
        print(f"the locks are not complete: {problem}", file=sys.stderr)
        return 1
    lines = changes(before, read_all())
    print("\n".join(lines) or "nothing changed")
    return 0


def groups() -> list[str]:
    """The groups of packages in pyproject.toml; that of the guide first, the others agree with it.

    >>> groups()[0], "lint" in groups()
    ('guide', True)
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return sorted(project["dependency-groups"], key=lambda group: group != "guide")


def write_python(group: str, arguments: Sequence[str]) -> None:
    """Write the lock of a group, without registry addresses."""
    command = [
        *(sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-header", "--no-annotate"),
        # One file for all systems and Pythons.
        *("--universal", f"--python-version={OLDEST_PYTHON}"),
        *("--generate-hashes", "--no-emit-index-url", "--no-emit-find-links"),
        # What is already locked for the guide stays as it is there.
        *(["--constraint=requirements/guide.txt"] if group not in ("guide", "nox") else []),
        *(f"--group={group}", f"--output-file=requirements/{group}.txt"),
        *arguments,
    ]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)


def read_all() -> dict[str, Lock]:
    """All locks, by the name of the group or of the folder."""
    python = {lock.stem: read_python(lock.read_text()) for lock in REQUIREMENTS.glob("*.txt")}
    node = {lock.parent.name: read_node(lock.read_text(encoding="utf-8")) for lock in NODE}
    return python | node


def read_python(text: str) -> Lock:
    r"""Read a lock of requirements.

    >>> read_python("jax[k8s]==0.12.0 ; python_version >= '3.12' \\\n    --hash=sha256:ab")
    {'jax': Locked(versions='0.12.0', hashes=frozenset({'sha256:ab'}))}
    """
    entries = re.split(r"\n(?=\S)", text)
    return collect(
        (found[1], found[2], re.findall(r"--hash=(\S+)", entry))
        for entry in entries
        if (found := re.match(r"([\w.-]+)(?:\[[\w,-]+\])?==([^\s;\\]+)", entry))
    )


def read_node(text: str) -> Lock:
    """Read a package-lock.json, where a package may also lie below the one that needs it.

    >>> entry = {"version": "1.2.0", "integrity": "sha512-ab"}
    >>> read_node(json.dumps({"packages": {"": {}, "node_modules/x/node_modules/@a/b": entry}}))
    {'@a/b': Locked(versions='1.2.0', hashes=frozenset({'sha512-ab'}))}
    """
    packages = json.loads(text)["packages"]
    return collect(
        (place.rpartition("node_modules/")[2], each["version"], [each["integrity"]])
        for place, each in packages.items()
        if place  # the folder itself has no name
    )


def collect(entries: Iterable[tuple[str, str, Iterable[str]]]) -> Lock:
    """Put the entries of each package together."""
    versions: dict[str, set[str]] = {}
    hashes: dict[str, set[str]] = {}
    for name, version, those in entries:
        versions.setdefault(name, set()).add(version)
        hashes.setdefault(name, set()).update(those)
    return {
        name: Locked(", ".join(sorted(versions[name])), frozenset(hashes[name]))
        for name in versions
    }


def changes(before: Mapping[str, Lock], after: Mapping[str, Lock]) -> list[str]:
    """One line for each change, with the locks that it is in.

    >>> old, new = read_python("a==1 --hash=x\\nb==1"), read_python("a==2 --hash=y\\nc==3")
    >>> for line in changes({"guide": old, "site": old}, {"guide": new, "site": old}): print(line)
    a 1 -> 2 (guide)
    b 1 removed (guide)
    c 3 added (guide)
    """
    found: dict[str, list[str]] = {}
    for lock in sorted(before.keys() | after.keys()):
        old, new = before.get(lock, {}), after.get(lock, {})
        for name in old.keys() | new.keys():
            if said := change(old.get(name), new.get(name)):
                found.setdefault(f"{name} {said}", []).append(lock)
    return [f"{said} ({', '.join(found[said])})" for said in sorted(found)]


def change(old: Locked | None, new: Locked | None) -> str:
    """Say what became of a package, or nothing."""
    if not old:
        return f"{new.versions} added" if new else ""
    if not new:
        return f"{old.versions} removed"
    if old.versions != new.versions:
        return f"{old.versions} -> {new.versions}"
    return f"{new.versions} has other hashes" if old.hashes != new.hashes else ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
