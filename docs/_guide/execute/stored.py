"""Outputs that the repository holds: those of a machine that most builders do not have.

`nox -s docs -- --backend cuda --store` writes them, one entry of the execution cache a page, into
docs/_outputs/cuda/. Each has the key of the code that printed it; those of other code are not
shown.
"""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from nbformat import NotebookNode

from docs._guide.execute import cache
from docs._guide.execute.page import Page
from docs._guide.options import ROOT

STORED = ROOT / "docs" / "_outputs"  # a folder a backend
LIMIT_MB = 10  # of all files, since every clone has them


def store(outputs: Path, pages: Sequence[Page], folder: Path) -> list[str]:
    """Copy the entries of pages that ran on an accelerator; return the names of these pages.

    A page that selects the CPU itself has nothing that a build elsewhere would not print.
    """
    names = []
    for page in pages:
        if cache.read(outputs, page.name).metadata[cache.RUN]["backend"] == "cpu":
            continue
        file = cache.path(folder, page.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(cache.path(outputs, page.name), file)
        names.append(page.name)
    return names


def on_other_backends(page: Page, backend: str, folder: Path = STORED) -> list[NotebookNode]:
    """The page's stored outputs of other backends, where they are of its present code."""
    notebooks = []
    for outputs in sorted(folder.glob("*/")):
        with suppress(cache.Missing):
            notebook = cache.get(outputs, page)
            if notebook.metadata[cache.RUN]["backend"] != backend:
                notebooks.append(notebook)
    return notebooks


def stale(pages: Sequence[Page], folder: Path = STORED) -> list[str]:
    """The stored entries that no page shows: the page has other code now, or is gone."""
    keys = {page.name: page.key for page in pages}
    entries = []
    for outputs in sorted(folder.glob("*/")):
        for file in sorted(outputs.rglob("*.ipynb")):
            name = file.relative_to(outputs).with_suffix("").as_posix()
            with suppress(cache.Missing):
                if cache.read(outputs, name).metadata[cache.RUN]["key"] == keys.get(name):
                    continue
            entries.append(f"{outputs.name}/{name}")
    return entries
