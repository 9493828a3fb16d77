"""The execution cache: what the cells of each page printed, as one notebook a page.

The folder stands for the environment (environment.py), the key in an entry for the page's code
(page.py). jupyter-cache would hash captions too, and neither detects a damaged entry nor takes the
environment into account.
"""

import hashlib
import json
import os
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import nbformat
from nbformat import NotebookNode

from docs._guide.execute.page import Page, code_cells

RUN = "run"  # notebook metadata: how the page was run, its key, and a hash of all of it
NOT_HELD = "not_held"  # in it: assertions on measurements that failed, by the index of their cell


class Missing(LookupError):
    """The page has not run in this environment since its code changed, or its entry is damaged."""


def path(folder: Path, page: str) -> Path:
    """The file of a page's entry."""
    return folder / f"{page}.ipynb"


def put(folder: Path, page: Page, executed: NotebookNode, metadata: dict[str, Any]) -> None:
    """Store a page's outputs, without its code; a crash leaves the previous entry or this one."""
    cells = [cell | {"source": "", "metadata": {}} for cell in code_cells(executed)]
    run = {RUN: {NOT_HELD: {}, **metadata, "key": page.key, "cell_keys": page.cell_keys}}
    entry = nbformat.from_dict(executed | {"cells": cells, "metadata": run})
    entry.metadata[RUN].hash = hash_entry(entry)
    file = path(folder, page.name)
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".partial")
    partial.write_text(json.dumps(entry, ensure_ascii=False), encoding="utf-8")
    os.replace(partial, file)


def get(folder: Path, page: Page) -> NotebookNode:
    """The page's notebook with its cached outputs, or Missing; `metadata.run` describes the run."""
    entry = read(folder, page.name)
    if entry.metadata[RUN]["key"] != page.key:
        raise Missing("its code has changed")
    notebook: NotebookNode = nbformat.from_dict(page.notebook)
    notebook.metadata[RUN] = entry.metadata[RUN]
    for index, cached in zip(page.code_indices, code_cells(entry), strict=True):
        notebook.cells[index].outputs = cached.outputs
        notebook.cells[index].execution_count = cached.execution_count
    return notebook


def prune(folder: Path) -> None:
    """Note that a folder is in use, and remove those beside it that were not for 30 days.

    A change of the packages or of the code that runs cells leaves the previous folder behind.
    """
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for other in folder.parent.iterdir():
        if other.stat().st_mtime < time.time() - 30 * 24 * 3600:
            shutil.rmtree(other, ignore_errors=True)


def read(folder: Path, page: str) -> NotebookNode:
    """Read and verify an entry, whatever code it is of; raise Missing if there is none."""
    try:
        content = path(folder, page).read_bytes()
        entry: NotebookNode = nbformat.from_dict(json.loads(content))
        intact = entry.metadata[RUN]["hash"] == hash_entry(entry)
    except FileNotFoundError as error:
        raise Missing("it has not run") from error
    except (OSError, ValueError, LookupError, TypeError, AttributeError) as error:
        raise Missing(f"its cache entry cannot be read: {error}") from error
    if not intact:
        raise Missing("its cache entry is damaged")
    return entry


def hash_entry(entry: NotebookNode) -> str:
    """Hash of everything in an entry that a page shows."""
    cells = [(cell.outputs, cell.execution_count) for cell in code_cells(entry)]
    run = {name: value for name, value in entry.metadata[RUN].items() if name != "hash"}
    return hashlib.sha256(json.dumps([cells, run], sort_keys=True).encode()).hexdigest()


def cached_hash(folder: Path, page: str) -> str:
    """Hash of a page's entry; empty where there is none."""
    try:
        return str(read(folder, page).metadata[RUN]["hash"])
    except Missing:
        return ""


def missing(folder: Path, pages: Sequence[Page], strict: bool = False) -> list[Page]:
    """The pages that have to run; if `strict`, also those with a measurement that did not hold."""
    todo = list(pages)
    for page in pages:
        with suppress(Missing):
            held = not get(folder, page).metadata[RUN][NOT_HELD]
            if held or not strict:
                todo.remove(page)
    return todo


def not_held(folder: Path, pages: Sequence[Page]) -> list[str]:
    """A line for each assertion on a measurement that did not hold on this machine."""
    lines = []
    for page in pages:
        with suppress(Missing):  # an author edits the page meanwhile
            for index, assertion in get(folder, page).metadata[RUN][NOT_HELD].items():
                lines.append(f"{page.path}:{page.line(int(index))}: {assertion}")
    return lines
