"""List what the guide is built with and what its site ships, as CycloneDX: `nox -s sbom`.

One file for each lock, by the tools of CycloneDX and npm, and one for the site. npm puts the time
and a random number into its list and has no option against it: they are taken out, so that equal
locks make equal lists. No tool knows what a built site contains: that list is made of
docs/reference/licences.csv, which a test compares with the site. PyTorch is in no lock, and so in
no list.
"""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docs._ext.licences import Work, works
from docs._make import npm
from docs._make.locks import NODE, groups
from docs._make.options import ROOT

FOLDER = ROOT / "sbom"
SITE = "site-contents"  # `site` is a group


class Invalid(Exception):
    """A list is not what CycloneDX demands; the message says where."""


def main() -> int:
    """Write all lists; tell in one line what stopped it."""
    FOLDER.mkdir(exist_ok=True)
    try:
        for group in groups():
            write(group, of_group(group))
        for lock in NODE:
            write(lock.parent.name, of_node(lock.parent))
        write(SITE, of_site())
    except (Invalid, npm.NoNode, subprocess.CalledProcessError) as problem:
        print(f"the lists are not complete: {problem}", file=sys.stderr)
        return 1
    return 0


def write(name: str, text: str) -> None:
    """Write a list, and tell how long it is."""
    file = FOLDER / f"{name}.cdx.json"
    file.write_text(text, encoding="utf-8")
    print(f"{file.relative_to(ROOT)}: {len(json.loads(text)['components'])} components")


def of_group(group: str) -> str:
    """What a group of Python's packages brings, with all hashes; the tool checks its list."""
    command = [
        *(sys.executable, "-m", "cyclonedx_py", "requirements", f"requirements/{group}.txt"),
        *("--output-reproducible", "--validate"),
    ]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def of_node(folder: Path) -> str:
    """What a package-lock.json brings."""
    made = json.loads(npm.run(folder, "sbom", "--sbom-format=cyclonedx", "--package-lock-only"))
    del made["serialNumber"], made["metadata"]["timestamp"]
    return checked(made)


def of_site() -> str:
    """What of others the site ships, with licences."""
    made = {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "components": [component(work) for work in works()],
    }
    return checked(made)


def component(work: Work) -> dict[str, Any]:
    """One work; those that came in within a package have no version of their own there.

    >>> component(Work("gumshoe", "https://example.org", "furo", "MIT", "gumshoe", ""))["licenses"]
    [{'expression': 'MIT'}]
    """
    number = version(work.package)
    described = {
        "type": "data" if work.licence.startswith("CC-") else "library",
        "bom-ref": work.name,
        "name": work.name,
        "description": f"came with {work.package} {number}",
        "licenses": [{"expression": work.licence}],
        "externalReferences": [{"type": "website", "url": work.home}],
    }
    if work.name.lower().replace(" ", "-") != work.package:
        return described
    return described | {"version": number, "purl": f"pkg:pypi/{work.package}@{number}"}


def checked(made: dict[str, Any]) -> str:
    """Write a list as text, after a look at whether it is valid.

    Raises:
        Invalid: it is not.
    """
    from cyclonedx.schema import OutputFormat, SchemaVersion  # only `nox -s sbom` has it
    from cyclonedx.validation import make_schemabased_validator

    text = json.dumps(made, indent=2, ensure_ascii=False) + "\n"
    schema = SchemaVersion.from_version(made["specVersion"])
    if error := make_schemabased_validator(OutputFormat.JSON, schema).validate_str(text):
        raise Invalid(str(error))
    return text


if __name__ == "__main__":
    sys.exit(main())
