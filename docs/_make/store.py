"""What the pages printed, kept between builds in a jupyter-cache.

jupyter-cache has no protection against a damaged or half-written entry: each is stored here
with a digest of all it holds, and one that no longer matches counts as missing.
"""

import hashlib
import json
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from jupyter_cache.base import CacheBundleIn
from jupyter_cache.cache.db import DB_NAME
from jupyter_cache.cache.main import JupyterCacheBase
from nbformat import NotebookNode
from sqlalchemy.exc import SQLAlchemyError

from docs._make.page import CLAIM, VERDICTS

ENTRIES_KEPT = 10_000  # jupyter-cache's own limit is 1000, and it deletes silently


class Missing(LookupError):
    """The page has not run in this environment, or what it printed was damaged."""


class OutputStore(JupyterCacheBase):
    """A jupyter-cache in which only what a cell does counts, not how its output is captioned."""

    def create_hashed_notebook(
        self,
        nb: NotebookNode,
        nb_metadata: Iterable[str] | None = ("kernelspec",),
        cell_metadata: Iterable[str] | None = ("tags",),
    ) -> tuple[NotebookNode, str]:
        """Hash code, tags that steer it, and kernelspec; jupyter-cache would hash captions too."""
        cells = [NotebookNode({**cell, "metadata": steering(cell.metadata)}) for cell in nb.cells]
        notebook, key = super().create_hashed_notebook(
            NotebookNode({**nb, "cells": cells}), nb_metadata, cell_metadata
        )
        return notebook, str(key)


def steering(metadata: NotebookNode) -> NotebookNode:
    """Leave out the tags that only say what a cell shows.

    >>> steering(NotebookNode(tags=["claim-fast", "holds", "hide-cell"]))
    {'tags': ['hide-cell']}
    >>> steering(NotebookNode(tags=["claim-fast", "holds"]))
    {}
    """
    kept = [t for t in metadata.get("tags", []) if t not in VERDICTS and not t.startswith(CLAIM)]
    others = {key: value for key, value in metadata.items() if key != "tags"}
    return NotebookNode(others | ({"tags": kept} if kept else {}))


def open_store(folder: Path) -> OutputStore:
    """Open the store; one whose database is broken is moved aside and started anew."""
    store = OutputStore(folder)
    try:
        require_sound(folder / DB_NAME)
        store.change_cache_limit(ENTRIES_KEPT)  # also creates the database, before any worker
        store.list_cache_records()
    except (sqlite3.Error, SQLAlchemyError, RuntimeError, ValueError):  # as jupyter-cache has them
        damaged = folder.with_name(f"{folder.name}.damaged")
        shutil.rmtree(damaged, ignore_errors=True)
        folder.rename(damaged)
        print(f"stored outputs in {folder.name} are damaged: every page runs again", flush=True)
        store = OutputStore(folder)
        store.change_cache_limit(ENTRIES_KEPT)
    return store


def require_sound(database: Path) -> None:
    """Find what is broken in a database before it is written to: a read may go well."""
    if database.exists():
        with closing(sqlite3.connect(database)) as connection:
            [(said,), *_] = connection.execute("pragma integrity_check")
        if said != "ok":
            raise sqlite3.DatabaseError(said)


def digest(executed: NotebookNode, facts: dict[str, Any]) -> str:
    """Digest of what is kept: code, outputs and the facts about the run."""
    cells = [[cell.source, cell.outputs] for cell in executed.cells if cell.cell_type == "code"]
    return hashlib.sha256(json.dumps([cells, facts], sort_keys=True).encode()).hexdigest()


def keep(store: OutputStore, executed: NotebookNode, facts: dict[str, Any]) -> None:
    """Store what a page printed, with the facts about its run.

    Raises:
        OSError: if that cannot be written, for example to a full disk.
    """
    data = {"facts": facts, "digest": digest(executed, facts)}
    bundle = CacheBundleIn(executed, uri=executed.metadata["kernelspec"]["page"], data=data)
    try:
        store.cache_notebook_bundle(bundle, check_validity=False, overwrite=True)
    except (SQLAlchemyError, RuntimeError) as error:  # jupyter-cache makes that of the first
        cause = error.__cause__ or error
        raise OSError(f"cannot write outputs: {getattr(cause, 'orig', cause)}") from error


def load(store: OutputStore, notebook: NotebookNode) -> tuple[NotebookNode, dict[str, Any], str]:
    """Return the notebook with its stored outputs, the facts about the run, and their digest.

    Raises:
        Missing: if the page has not run in this environment, or its entry is damaged.
    """
    try:
        record = store.match_cache_notebook(notebook)
        facts, expected = record.data["facts"], record.data["digest"]
        _, executed = store.merge_match_into_notebook(
            notebook, nb_meta=("language_info", "widgets"), cell_meta=()
        )
        found = digest(executed, facts)
    except Exception as error:  # whatever a damaged file or database raises: run the page again
        raise Missing(str(error)) from error
    if found != expected:
        raise Missing("the stored outputs do not match their digest")
    return executed, facts, found
