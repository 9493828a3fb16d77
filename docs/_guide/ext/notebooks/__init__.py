"""Each executed page as a notebook and as a script to download, in the language of the reader.

In: the translated doctree of a page that is being written, and its cached outputs. Out: an .ipynb
and a .py beside the page, and their addresses for the page's template. MyST-NB's own `nb-download`
would give the English notebook, with MyST's directives in it.

notebook.py: assembles the cells. markdown.py: prose as plain Markdown. install_cell.py: the cell
that installs what the page imports. links.py: where the links of a notebook lead.
"""

import re
from pathlib import Path
from textwrap import indent
from typing import Any

import jupytext
from nbformat import NotebookNode, v4
from sphinx.application import Sphinx

from docs._guide.ext.notebooks.links import colab_url, notebook_path, script_path
from docs._guide.ext.notebooks.notebook import assemble

PRINT_ERROR = """except Exception as error:
    print(type(error).__name__, error, sep=": ")"""
PICTURE = re.compile(r'<img alt="[^"]*" src="data:[^"]*">')


def write_notebook(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Write a page's notebook and script, and give the page's template their addresses."""
    if doctree is None or "run" not in app.env.metadata[pagename] or app.builder.name != "html":
        return
    file = Path(app.outdir, notebook_path(pagename))
    file.parent.mkdir(parents=True, exist_ok=True)
    notebook = assemble(app, pagename, doctree)
    file.write_text(v4.writes(notebook) + "\n", encoding="utf-8")
    Path(app.outdir, script_path(pagename)).write_text(script(notebook), encoding="utf-8")
    context["notebook"] = notebook_path(pagename)
    context["script"] = script_path(pagename)
    context["colab"] = colab_url(app.config, pagename)


def script(notebook: NotebookNode) -> str:
    """Return a notebook as Python with its prose in comments, for `python FILE` and for editors.

    The cell that installs packages is a comment, and cells that raise an error print it. Pictures
    in the prose are left out.

    >>> cells = [v4.new_markdown_cell("Add."), v4.new_code_cell("1 + 1")]
    >>> print(script(v4.new_notebook(cells=cells)).split("---")[-1].strip())
    # %% [markdown]
    # Add.
    <BLANKLINE>
    # %%
    1 + 1
    """
    cells = []
    for cell in notebook.cells:
        tags = ["active-ipynb"] if "%pip" in cell.source else []  # Jupytext's, for a comment
        source = PICTURE.sub("", cell.source) if cell.cell_type == "markdown" else cell.source
        if "raises-exception" in cell.metadata.get("tags", []):
            source = f"try:\n{indent(source, '    ')}\n{PRINT_ERROR}"
        metadata = NotebookNode({"tags": tags} if tags else {})
        cells.append(NotebookNode({**cell, "metadata": metadata, "source": source}))
    text: str = jupytext.writes(NotebookNode({**notebook, "cells": cells}), fmt="py:percent")
    return text


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_config_value("repository_url", "", "html", str)
    app.add_config_value("site_branch", "", "html", str)
    app.connect("html-page-context", write_notebook)
