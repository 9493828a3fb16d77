"""What several tests need: a small guide of their own, and the real site."""

import os
import re
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs._make.options import ROOT
from tests.machinery import copy_machinery

FRONT_MATTER = """\
---
file_format: mystnb
kernelspec:
  name: python3
  display_name: Python 3
  language: python
{more}---

"""

CONTENTS = "# Guide\n\n:::{toctree}\none\ntwo\nreference/status\n:::\n"


def notebook(*cells: str, prose: str = "Some prose.", more: str = "") -> str:
    """The text of a page with these cells."""
    fenced = "\n\n".join(f"```{{code-cell}} ipython3\n{cell}\n```" for cell in cells)
    return FRONT_MATTER.format(more=more) + f"# A page\n\n{prose}\n\n{fenced}\n"


def po(messages: Mapping[str, str]) -> str:
    """The text of a .po with these translations."""
    entries = {"": "Content-Type: text/plain; charset=utf-8\\n", **messages}
    return "\n".join(f'msgid "{source}"\nmsgstr "{text}"\n' for source, text in entries.items())


@dataclass(frozen=True)
class SmallGuide:
    """A guide with the real machinery and a few small pages, in a folder of its own."""

    root: Path

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def command(self, *options: str) -> list[str]:
        return [sys.executable, "-m", "docs._make", *options]

    def make(self, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*options),
            cwd=self.root,
            env=os.environ | variables,
            capture_output=True,
            text=True,
            timeout=300,
        )

    def ran(self, done: subprocess.CompletedProcess[str]) -> set[str]:
        """Pages that a build ran."""
        return set(re.findall(r"^running (\S+)", done.stdout, re.MULTILINE))

    def page(self, name: str, language: str = "en") -> str:
        return (self.root / "site" / language / f"{name}.html").read_text(encoding="utf-8")


@pytest.fixture
def small_guide(tmp_path: Path) -> SmallGuide:
    guide = SmallGuide(tmp_path)
    copy_machinery(tmp_path)
    guide.write("examples/__init__.py", "")
    guide.write("examples/used.py", "ANSWER = 41 + 1\n")
    guide.write("docs/index.md", CONTENTS)
    guide.write("docs/reference/status.md", "# Status\n\n```{page-status}\n```\n")
    guide.write("docs/one.md", notebook("print(6 * 7)"))
    guide.write("docs/two.md", notebook("from examples.used import ANSWER", "print(ANSWER)"))
    return guide


@pytest.fixture(scope="session")
def site() -> Path:
    """The real site, built from the checkout as it is; `nox -s tests` builds it for its workers."""
    if "PYTEST_XDIST_WORKER" in os.environ:  # two builds at once would refuse each other
        return ROOT / "site"
    subprocess.run([sys.executable, "-m", "docs._make"], cwd=ROOT, check=True, timeout=900)
    return ROOT / "site"
