"""Show each page with its cached outputs: Sphinx itself never runs a cell.

MyST-NB's cache mode runs a page whose outputs are missing, and would use the outputs of another
backend or of another page with the same code. So MyST-NB gets each page as a notebook that has its
outputs: `source-read` inserts them, and a reader for `.md` parses the result.
"""

import json
from collections.abc import Set
from pathlib import Path
from typing import Any, ClassVar

import nbformat
from ipython_pygments_lexers import IPython3Lexer, IPythonPartialTracebackLexer
from nbformat import v4
from pygments.lexer import DelegatingLexer, bygroups, inherit
from pygments.token import Generic, Name, Text
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import SphinxError
from sphinx.locale import _

from docs._guide.execute import cache
from docs._guide.execute.page import assertions, code_cells, read_notebook, read_page
from docs._guide.execute.stored import on_other_backends
from docs._guide.ext import devices


class MissingOutputs(SphinxError):
    """A page has not run, or it changed while the site was being built."""

    category = "No cached outputs"


def read(text: str) -> nbformat.NotebookNode:
    """Parse a page's source: a notebook that already has outputs, or a page without cells."""
    if text.startswith("{"):
        notebook: nbformat.NotebookNode = nbformat.from_dict(json.loads(text))
        return notebook
    return read_notebook(text)


def insert_outputs(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace a page's text by its notebook with the cached outputs."""
    page = read_page(docname, source[0])
    if page is None:
        return
    try:
        notebook = cache.get(outputs_folder(app), page)
    except cache.Missing as error:
        raise MissingOutputs(f"for {page.path} ({error}): run `nox -s docs`") from error
    # Left in the notebook, it would become front matter. Templates have it as `meta.run`.
    note_not_held(notebook)
    run = notebook.metadata.pop(cache.RUN)
    # A cell that needs a missing package was not run.
    ran = [cell for cell in code_cells(notebook) if cell.execution_count]
    shown = {
        "device": f"{run['device']} × {run['devices']}",
        "cells": len(ran),
        "assertions": sum(assertions(cell.source) for cell in ran),
    }
    others = on_other_backends(page, run["backend"])
    for other in others:
        note_not_held(other)
    added = [devices.add_outputs(notebook, other, run) for other in others]
    shown["others"] = list(filter(None, added))
    app.env.metadata[docname]["run"] = {**run, **shown}
    source[0] = json.dumps(notebook)


def note_not_held(notebook: nbformat.NotebookNode) -> None:
    """Write below each cell whose measurement did not hold that it did not."""
    for index, assertion in notebook.metadata[cache.RUN][cache.NOT_HELD].items():
        cell, text = notebook.cells[int(index)], _("did not hold on this machine: %s") % assertion
        if "outputs" in cell:  # else the code has changed since it was stored
            cell.outputs.append(v4.new_output("stream", text=f"{text}\n"))
            cell.metadata[cache.NOT_HELD] = True


def outputs_folder(app: Sphinx) -> Path:
    """The execution cache of this build, an option of Sphinx's command line."""
    if not app.config.cached_outputs:
        raise MissingOutputs("`cached_outputs` is not set: build with `nox -s docs`")
    return Path(app.config.cached_outputs)


def outdated_pages(
    app: Sphinx, env: BuildEnvironment, added: Set[str], changed: Set[str], removed: Set[str]
) -> list[str]:
    """Return the pages that ran again since Sphinx read them: their source may be unchanged."""
    folder = outputs_folder(app)
    runs = {page: env.metadata[page].get("run") for page in env.found_docs - removed}
    return [
        page for page, run in runs.items() if run and run["hash"] != cache.cached_hash(folder, page)
    ]


class TracebackParts(IPythonPartialTracebackLexer):  # type: ignore[misc]
    """The parts of a traceback as IPython has them, but the words of a message are no code."""

    message = bygroups(Name.Exception, Generic.Error, Text)
    tokens: ClassVar = {"root": [(r"(?s)^([\w.]+)(:.*?\n)(.*)", message), inherit]}


class TracebackLexer(DelegatingLexer):  # type: ignore[misc]
    """Highlights the code in the frames of a traceback."""

    def __init__(self, **options: Any) -> None:
        super().__init__(IPython3Lexer, TracebackParts, **options)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_lexer("ipythontb", TracebackLexer)  # instead of IPython's
    app.add_config_value("cached_outputs", "", "env", str)
    # A hash of what all pages are made with: where it changes, Sphinx reads all pages again.
    app.add_config_value("shared_files", "", "env", str)
    app.connect("source-read", insert_outputs)
    app.connect("env-get-outdated", outdated_pages)
