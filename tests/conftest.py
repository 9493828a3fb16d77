"""Fixtures of several folders: a small guide with the real build, and the real site."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from docs._guide.execute import cache
from docs._guide.execute.environment import cache_folder
from docs._guide.execute.page import read_page
from docs._guide.machine import at_once
from docs._guide.options import ROOT

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

# Kernels of small guides import this: JAX itself takes seconds.
FAKE_JAX = """
__version__ = "0"
class Device: device_kind = "a device"
def devices(): return [Device]
def default_backend(): return "cpu"
class monitoring:
    def register_event_duration_secs_listener(listener): pass
"""


def notebook(*cells: str, prose: str = "Some prose.", more: str = "") -> str:
    """The text of a page with these cells."""
    fenced = "\n\n".join(f"```{{code-cell}} ipython3\n{cell}\n```" for cell in cells)
    return FRONT_MATTER.format(more=more) + f"# A page\n\n{prose}\n\n{fenced}\n"


def po(messages: Mapping[str, str]) -> str:
    """The text of a .po with these translations."""
    entries = {"": "Content-Type: text/plain; charset=utf-8\\n", **messages}
    return "\n".join(f'msgid "{source}"\nmsgstr "{text}"\n' for source, text in entries.items())


Lag = Callable[[Sequence[object]], None]  # the fixture `lag`


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--strict-translations", action="store_true", help="none may be missing")


@pytest.fixture
def lag(request: pytest.FixtureRequest) -> Lag:
    """Report what is not translated yet: a warning, or a failure with --strict-translations."""

    def report(missing: Sequence[object]) -> None:
        assert not (missing and request.config.getoption("strict_translations")), missing
        if missing:
            warnings.warn(f"not translated: {len(missing)}, such as {missing[0]}", stacklevel=2)

    return report


def pytest_xdist_auto_num_workers() -> int:
    """As many workers as pages run at once."""
    return at_once()


@dataclass(frozen=True)
class SmallGuide:
    """A guide with the real build and a few small pages; its kernels have no JAX."""

    root: Path
    python: Path

    def write(self, name: str, text: str) -> None:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def command(self, *options: str) -> list[str]:
        return [str(self.python), "-m", "docs._guide", *options]

    def environment(self, **variables: str) -> dict[str, str]:
        return os.environ | variables

    def make(self, *options: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*options),
            cwd=self.root,
            env=self.environment(**variables),
            capture_output=True,
            encoding="utf-8",
            timeout=300,
        )

    def build(self, *options: str) -> subprocess.CompletedProcess[str]:
        """Make the guide; an unsuccessful build fails the test with what it printed."""
        made = self.make(*options)
        assert made.returncode == 0, made.stdout + made.stderr
        return made

    def ran(self, done: subprocess.CompletedProcess[str]) -> set[str]:
        """The pages that a build ran."""
        return set(re.findall(r"^running (\S+)", done.stdout, re.MULTILINE))

    def page(self, name: str, language: str = "en") -> str:
        return (self.root / "site" / language / f"{name}.html").read_text(encoding="utf-8")

    def site(self) -> dict[str, bytes]:
        """The published files."""
        folder = self.root / "site"
        files = (file for file in folder.rglob("*") if file.is_file())
        return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}

    def reset(self, state: Path) -> None:
        """Bring back a copy of the guide: at the same path, which Sphinx's files name."""
        shutil.rmtree(self.root, ignore_errors=True)
        shutil.copytree(state, self.root)


@pytest.fixture(scope="session")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A Python that imports the fake JAX, and all else from the environment of the tests."""
    folder = tmp_path_factory.mktemp("python")
    venv.create(folder / "venv", symlinks=True)
    (folder / "fake").mkdir()
    (folder / "fake" / "jax.py").write_text(FAKE_JAX, encoding="utf-8")
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    site_packages = folder / "venv" / "lib" / version / "site-packages"
    paths = f"{folder / 'fake'}\n{sysconfig.get_path('purelib')}\n"
    (site_packages / "fake.pth").write_text(paths, encoding="utf-8")
    return folder / "venv" / "bin" / "python"


@pytest.fixture(scope="session")
def states(tmp_path_factory: pytest.TempPathFactory, python: Path) -> tuple[SmallGuide, Path]:
    """The small guide of all tests, and a copy of it before any build; its pages have run."""
    folder = tmp_path_factory.mktemp("guide")
    guide = SmallGuide(folder / "guide", python)
    for name in ("_guide", "_templates", "_static", "_locale"):
        ignored = shutil.ignore_patterns("__pycache__", "*.mo")
        shutil.copytree(ROOT / "docs" / name, guide.root / "docs" / name, ignore=ignored)
    for name in ("conf.py", "__init__.py"):
        shutil.copy(ROOT / "docs" / name, guide.root / "docs")
    shutil.copytree(ROOT / "requirements", guide.root / "requirements")
    (guide.root / "locale").mkdir()
    for table in ("terms.csv", "taught.csv", "meanings.csv"):
        shutil.copy(ROOT / "locale" / table, guide.root / "locale")
    for file in ROOT.glob("locale/*/LC_MESSAGES/sphinx.po"):
        guide.write(str(file.relative_to(ROOT)), file.read_text(encoding="utf-8"))
    guide.write("docs/index.md", CONTENTS)
    guide.write("docs/reference/status.md", "# Status\n\n```{page-status}\n```\n")
    for name, cell in (("one", "print(6 * 7)"), ("two", "print(43)")):
        text = notebook(cell)
        guide.write(f"docs/{name}.md", text)
        page = read_page(name, text)
        assert page
        page.code_cells[0].outputs = [
            {"output_type": "stream", "name": "stdout", "text": f"{eval(cell[6:-1])}\n"}
        ]
        run = {
            "seconds": 0.1,
            "cpu_seconds": 0.1,
            "compilations": 2,
            "cells": 1,
            "date": "2026-01-02",
            "jax": "0",
            "python": "3.11.0",
        }
        run |= {"backend": "cpu", "device": "a device", "devices": 2, "commit": "0"}
        outputs = guide.root / "_build" / "outputs" / cache_folder("cpu").name
        cache.put(outputs, page, page.notebook, run)
    shutil.copytree(guide.root, folder / "unbuilt")
    return guide, folder / "unbuilt"


@pytest.fixture
def small_guide(states: tuple[SmallGuide, Path]) -> SmallGuide:
    """A small guide that has not been built; the outputs of its pages are cached."""
    guide, unbuilt = states
    guide.reset(unbuilt)
    return guide


@pytest.fixture(scope="session")
def built(states: tuple[SmallGuide, Path]) -> Path:
    """A copy of the small guide after a build of all languages."""
    guide, unbuilt = states
    folder = unbuilt.with_name("built")
    guide.reset(unbuilt)
    made = guide.make()
    assert made.returncode == 0, made.stdout + made.stderr
    shutil.copytree(guide.root, folder)
    return folder


@pytest.fixture
def built_guide(states: tuple[SmallGuide, Path], built: Path) -> SmallGuide:
    """A small guide that was built in all languages."""
    guide, _unbuilt = states
    guide.reset(built)
    return guide


@pytest.fixture(scope="session")
def site() -> Path:
    """The real site, built from the checkout as it is; `nox -s tests` builds it for its workers."""
    if "PYTEST_XDIST_WORKER" in os.environ:  # two builds at once would refuse each other
        return ROOT / "site"
    subprocess.run([sys.executable, "-m", "docs._guide"], cwd=ROOT, check=True, timeout=900)
    return ROOT / "site"
