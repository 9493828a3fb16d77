"""Each executed page as a notebook and as a script to download, in the language of the reader.

In: the translated doctree of a page that is being written, and its cached outputs. Out: an .ipynb,
a .py and an .md beside the page, their addresses for the page's template, and an llms.txt with the
addresses of all .md. MyST-NB's own `nb-download` would give the English notebook, with MyST's
directives in it.

notebook.py: assembles the cells. markdown.py: prose as plain Markdown. install_cell.py: the cell
that installs what the page imports. links.py: where the links of a notebook lead.
"""

import json
import re
import shlex
from html import unescape
from pathlib import Path
from textwrap import indent
from typing import Any

import jupytext
from nbformat import NotebookNode, v4
from sphinx.application import Sphinx

from docs._guide.execute.traceback import ANSI
from docs._guide.ext.i18n.languages import absolute
from docs._guide.ext.notebooks.links import FILES, colab_url, file_path
from docs._guide.ext.notebooks.markdown import longer_than_any
from docs._guide.ext.notebooks.notebook import assemble

PRINT_ERROR = """except Exception as error:
    print(type(error).__name__, error, sep=": ")"""
PICTURE = re.compile(r'<img alt="([^"]*)" src="data:[^"]*">')
INSTALL = re.compile(r"^%pip install -q (.*)", re.MULTILINE)


def write_notebook(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Write a page's files, and give the page's template their addresses."""
    if doctree is None or "run" not in app.env.metadata[pagename] or app.builder.name != "html":
        return
    notebook = assemble(app, pagename, doctree)
    texts = (f"{v4.writes(notebook)}\n", script(notebook), markdown(notebook))
    for end, text in zip(FILES, texts, strict=True):
        file = Path(app.outdir, file_path(pagename, end))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    context["files"] = {end: file_path(pagename, end) for end in FILES}
    context["colab"] = colab_url(app.config, pagename)


def script(notebook: NotebookNode) -> str:
    """Return a notebook as Python with its prose in comments, for `uv run FILE` and for editors.

    The cell that installs packages is a comment, with its packages above for uv; cells that raise
    an error print it. Pictures in the prose are left out.

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
    if install := INSTALL.search("\n".join(cell.source for cell in cells)):
        packages = json.dumps(shlex.split(install[1].replace("[{extras}]", "")))
        text = text.replace("# %%", f"# /// script\n# dependencies = {packages}\n# ///\n\n# %%", 1)
    return text


def markdown(notebook: NotebookNode) -> str:
    """Return a notebook as Markdown with what its cells printed, for readers and for programs.

    Where the notebook came from and the cell that installs packages are left out. Pictures are
    their alternative texts, and links lead to the Markdown of other pages.

    >>> cells = [v4.new_markdown_cell("# Sums\\n\\nA notebook."), v4.new_code_cell("%pip")]
    >>> cells += [v4.new_code_cell("1 + 1", outputs=[v4.new_output("stream", text="2")])]
    >>> print(markdown(v4.new_notebook(cells=cells)))
    # Sums
    <BLANKLINE>
    ```python
    1 + 1
    ```
    <BLANKLINE>
    ```
    2
    ```
    <BLANKLINE>
    """
    parts = notebook.cells[0].source.split("\n")[:1]
    for cell in notebook.cells[2:]:
        if cell.cell_type == "markdown":
            parts.append(re.sub(r"(\]\([^):]+)\.ipynb\)", r"\1.md)", cell.source))
        else:
            parts += [fenced(cell.source, "python"), *map(printed, cell.outputs)]
    text = PICTURE.sub(lambda match: f"({unescape(match[1])})", "\n\n".join(parts))
    return f"{text}\n"


def printed(output: NotebookNode) -> str:
    """Return an output of a cell as Markdown; a picture as it is."""
    data = output.get("data", {})
    if PICTURE.match(data.get("text/html", "")):
        return str(data["text/html"])
    text = output.get("text") or data.get("text/plain") or "\n".join(output.get("traceback", []))
    return fenced(ANSI.sub("", text))


def fenced(text: str, language: str = "") -> str:
    """Return a block of code."""
    fence = longer_than_any("`", text, at_least=3)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def list_markdown(app: Sphinx, exception: Exception | None) -> None:
    """Write llms.txt, the list of the pages' Markdown: https://llmstxt.org/."""
    if exception or app.builder.name != "html":
        return
    titles, metadata = app.env.titles, app.env.metadata
    lines = [f"# {app.config.project}", ""]
    for page in sorted(titles):
        if "run" in metadata[page]:
            path = file_path(page, "md")
            url = absolute(app.config, f"{app.config.language}/{path}") or path
            about = metadata[page].get("description", "")
            lines.append(f"- [{titles[page].astext()}]({url}): {about}")
    Path(app.outdir, "llms.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_config_value("repository_url", "", "html", str)
    app.add_config_value("site_branch", "", "html", str)
    app.connect("html-page-context", write_notebook)
    app.connect("build-finished", list_markdown)
