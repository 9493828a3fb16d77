"""GPU outputs that are committed to the repository, since most builders have no GPU.

`nox -s docs -- --backend cuda --store` writes them into docs/_outputs/cuda/, one entry of the
execution cache a page. A cell shows them as long as the page's code up to that cell is the code
that printed them.
"""

import shutil
from collections.abc import Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from docs._guide.execute import cache
from docs._guide.execute.page import Page, code_cells
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
    """The page's notebook with the stored outputs of each other backend.

    Code cells without stored outputs that are of their present code have no key `outputs`.
    """
    notebooks = []
    for outputs in sorted(folder.glob("*/")):
        with suppress(cache.Missing):
            entry = cache.read(outputs, page.name)
            valid = valid_cells(entry, page)
            if entry.metadata[cache.RUN]["backend"] == backend or not valid:
                continue
            notebook: NotebookNode = nbformat.from_dict(page.notebook)
            notebook.metadata[cache.RUN] = entry.metadata[cache.RUN]
            stored = code_cells(entry)
            for number, cell in enumerate(code_cells(notebook)):
                del cell["outputs"]
                if number < valid:
                    cell.outputs = stored[number].outputs
            notebooks.append(notebook)
    return notebooks


def valid_cells(entry: NotebookNode, page: Page) -> int:
    """How many code cells of a page, from its first one, have the code that the entry is of."""
    pairs = zip(entry.metadata[cache.RUN]["cell_keys"], page.cell_keys, strict=False)
    return sum(1 for _pair in takewhile(lambda pair: pair[0] == pair[1], pairs))


def stale(pages: Sequence[Page], folder: Path = STORED) -> list[str]:
    """The stored entries of which cells are not shown: their code has changed, or they are gone."""
    named = {page.name: page for page in pages}
    entries = []
    for outputs in sorted(folder.glob("*/")):
        for file in sorted(outputs.rglob("*.ipynb")):
            name = file.relative_to(outputs).with_suffix("").as_posix()
            valid = count = 0
            with suppress(cache.Missing):
                entry = cache.read(outputs, name)
                count = len(entry.metadata[cache.RUN]["cell_keys"])
                valid = valid_cells(entry, named[name]) if name in named else 0
            if valid < max(count, 1):
                entries.append(f"{outputs.name}/{name} ({valid} of {count} cells are shown)")
    return entries
