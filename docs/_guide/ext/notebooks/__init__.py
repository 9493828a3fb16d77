"""Each executed page as a notebook to download, in the language that it is read in.

In: the translated doctree of a page that is being written, and its cached outputs. Out: an .ipynb
beside the page, and its address for the page's template. MyST-NB's own `nb-download` would give the
English notebook, with MyST's directives in it.

notebook.py: assembles the cells. markdown.py: prose as plain Markdown. install_cell.py: the cell
that installs what the page imports. links.py: where the links of a notebook lead.
"""

from pathlib import Path
from typing import Any

from nbformat import v4
from sphinx.application import Sphinx

from docs._guide.ext.notebooks.links import colab_url, notebook_path
from docs._guide.ext.notebooks.notebook import assemble


def write_notebook(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: Any
) -> None:
    """Write a page's notebook, and give the page's template its address."""
    if doctree is None or "run" not in app.env.metadata[pagename] or app.builder.name != "html":
        return
    file = Path(app.outdir, notebook_path(pagename))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(v4.writes(assemble(app, pagename, doctree)) + "\n", encoding="utf-8")
    context["notebook"] = notebook_path(pagename)
    context["colab"] = colab_url(app.config, pagename)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_config_value("repository_url", "", "html", str)
    app.add_config_value("site_branch", "", "html", str)
    app.connect("html-page-context", write_notebook)
