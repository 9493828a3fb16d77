"""Show each page with the outputs that docs/_make stored: Sphinx itself never runs a cell.

MyST-NB's own cache mode runs a page whose outputs are missing, and would match outputs of
another backend or of another page. So pages come to MyST-NB as notebooks that already have
their outputs: an event puts them in, and a reader takes them as they are.
"""

import json
from collections.abc import Set
from functools import lru_cache
from pathlib import Path
from typing import Any

import nbformat
from myst_nb.core.read import is_myst_markdown_notebook
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import SphinxError

from docs._make.page import read_if_it_runs, read_notebook
from docs._make.ready import ReadyPages


class NoStoredOutputs(SphinxError):
    """A page came to Sphinx before it ran, or was changed while the site was being built."""

    category = "No stored outputs"


def read(text: str) -> nbformat.NotebookNode:
    """Read a page's source: a notebook that already has outputs, or a page without cells."""
    if text.startswith("{"):
        notebook: nbformat.NotebookNode = nbformat.from_dict(json.loads(text))
        return notebook
    return read_notebook(text)


def put_outputs_in(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace a page's text by its notebook, with the outputs that it had when it ran."""
    run_facts(app.env).pop(docname, None)  # it may have had cells
    if not is_myst_markdown_notebook(source[0]):
        return
    pages = ready(app)
    if notebook := pages.find(docname, source[0]):
        entry = pages.pages[docname]
        run_facts(app.env)[docname] = entry.facts | {"digest": entry.outputs}
        source[0] = notebook
    elif read_if_it_runs(docname, source[0]):
        raise NoStoredOutputs(f"for docs/{docname}.md as it is now: run `nox -s docs`")


def run_facts(env: BuildEnvironment) -> dict[str, dict[str, Any]]:
    """What ran each page, kept with Sphinx's environment between builds."""
    facts: dict[str, dict[str, Any]] = env.__dict__.setdefault("run_facts", {})
    return facts


def ready(app: Sphinx) -> ReadyPages:
    """The pages that this build reads; the command line of docs/_make names their folder."""
    if not app.config.stored_outputs:
        raise NoStoredOutputs("none were named: build with `nox -s docs`")
    return ready_in(app.config.stored_outputs)


@lru_cache(maxsize=1)
def ready_in(folder: str) -> ReadyPages:
    """Read the index once for all pages."""
    return ReadyPages(Path(folder))


def pages_with_new_outputs(
    app: Sphinx,
    env: BuildEnvironment,
    added: Set[str],
    changed: Set[str],
    removed: Set[str],
) -> list[str]:
    """Pages that ran again since Sphinx last read them: their source may be unchanged."""
    for docname in removed:
        run_facts(env).pop(docname, None)
    facts, pages = run_facts(env), ready(app).pages
    return [
        docname
        for docname in facts
        if docname not in pages or facts[docname]["digest"] != pages[docname].outputs
    ]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("stored_outputs", "", "env", str)
    app.add_config_value("machinery", "", "env", str)  # its digest: a change reads all pages anew
    app.connect("source-read", put_outputs_in)
    app.connect("env-get-outdated", pages_with_new_outputs)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
