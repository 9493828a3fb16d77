"""Show each page with the outputs that docs/_make stored: Sphinx itself never runs a cell.

MyST-NB's own cache mode runs a page whose outputs are missing, and would match outputs of
another backend or of another page. So pages come to MyST-NB as notebooks that already have
their outputs: an event puts them in, and a reader takes them as they are.
"""

import json
from collections.abc import Set
from pathlib import Path
from typing import Any

import nbformat
from myst_nb.core.read import is_myst_markdown_notebook
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import SphinxError

from docs._make.page import read_notebook, read_page
from docs._make.store import DIGESTS, Missing, OutputStore, load


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
    if not is_myst_markdown_notebook(source[0]):
        return
    page = read_page(docname, source[0])
    if not page.code_cells:
        return
    try:
        notebook, facts, digest = load(store(app), page.notebook)
    except Missing as error:
        raise NoStoredOutputs(f"for {page.path} as it is now: run `nox -s docs`") from error
    run_facts(app.env)[docname] = facts | {"digest": digest}
    source[0] = json.dumps(notebook)


def run_facts(env: BuildEnvironment) -> dict[str, dict[str, Any]]:
    """What ran each page, kept with Sphinx's environment between builds."""
    facts: dict[str, dict[str, Any]] = env.__dict__.setdefault("run_facts", {})
    return facts


def store(app: Sphinx) -> OutputStore:
    """The store that this build reads; the command line of docs/_make names it."""
    if not app.config.stored_outputs:
        raise NoStoredOutputs("none were named: build with `nox -s docs`")
    return OutputStore(Path(app.config.stored_outputs))


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
    digests = json.loads((Path(app.config.stored_outputs) / DIGESTS).read_text())
    facts = run_facts(env)
    return [docname for docname in facts if facts[docname]["digest"] != digests.get(docname)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("stored_outputs", "", "env", str)
    app.add_config_value("machinery", "", "env", str)  # its digest: a change reads all pages anew
    app.connect("source-read", put_outputs_in)
    app.connect("env-get-outdated", pages_with_new_outputs)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
