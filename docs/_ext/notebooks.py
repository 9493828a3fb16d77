"""Every page that runs can be taken away as a notebook, in the language that it is read in.

A notebook is made when its page is written, of the same translated document: prose becomes
Markdown (docs/_ext/markdown.py), code is the page's, and outputs are those that the page shows.
MyST-NB's own `nb-download` would give the English notebook, with MyST's directives in it.
"""

import json
import posixpath
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from docutils import nodes
from nbformat import NotebookNode, from_dict, v4
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.locale import _

from docs._ext import first_cell
from docs._ext.figures import drawing
from docs._ext.languages import absolute
from docs._ext.markdown import Prose, UnknownNode
from docs._ext.originals import originals
from docs._ext.stored_outputs import ready, run_facts

FOLDER = "_notebooks"
# Tags that Jupyter and its tools know; the others are for this site.
KNOWN_TAGS = {"raises-exception", "hide-cell", "hide-input", "hide-output"}
# What a site needs and a notebook does not.
LEFT_OUT = (nodes.meta, nodes.comment, nodes.target, originals, addnodes.toctree)


def offer(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Write a page's notebook beside it, and tell the page's template where it is."""
    if doctree is None or pagename not in run_facts(app.env) or app.builder.name != "html":
        return
    file = Path(app.outdir, address(pagename))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(v4.writes(notebook(app, pagename, doctree)) + "\n", encoding="utf-8")
    context["notebook"] = address(pagename)
    # As it is called in a folder of downloads, where languages and subjects meet.
    context["notebook_name"] = f"{pagename.replace('/', '-')}-{app.config.language}.ipynb"
    context["colab"] = colab(app, pagename)


def address(page: str) -> str:
    """Where the notebook of a page is, from the start of its language's site."""
    return f"{FOLDER}/{page}.ipynb"


def colab(app: Sphinx, page: str) -> str:
    """Address at which Colab opens a notebook: it knows those in a branch on GitHub."""
    repository = urlsplit(app.config.repository_url)
    if repository.netloc != "github.com" or not app.config.site_branch:
        return ""
    file = f"{app.config.language}/{address(page)}"
    return (
        f"https://colab.research.google.com/github{repository.path.rstrip('/')}"
        f"/blob/{app.config.site_branch}/{file}"
    )


def notebook(app: Sphinx, page: str, document: nodes.document) -> NotebookNode:
    """Put a page's notebook together."""
    executed = read_executed(app, page)
    prose = Prose(page, Path(app.srcdir), addresses(app.builder, page, document))
    more = executed.metadata.get("guide", {}).get("packages", [])
    cells = [*beginning(app, page, document, prose, more)]
    text: list[str] = []
    for part in parts(document, prose):
        if isinstance(part, str) and not part.startswith("#"):  # not a heading
            text.append(part)
            continue
        cells += [markdown_cell(text)] if text else []
        text = [part] if isinstance(part, str) else []
        if not isinstance(part, str):
            cells.append(code_cell(part, executed, prose))
            text += captions(part, prose)
    cells += [markdown_cell(text)] if text else []
    shown = sum(cell.cell_type == "code" for cell in cells) - 1
    if shown != sum(cell.cell_type == "code" for cell in executed.cells):
        raise UnknownNode(f"docs/{page}.md: not every cell of the page is in its notebook")
    for number, cell in enumerate(cells, start=1):
        cell.id = f"cell-{number}"  # nbformat's own are random
    metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    version = {"nbformat": v4.nbformat, "nbformat_minor": v4.nbformat_minor}
    return NotebookNode({"cells": cells, "metadata": NotebookNode(metadata), **version})


def read_executed(app: Sphinx, page: str) -> NotebookNode:
    """Read the page's cells and what they printed, as the store has them."""
    executed: NotebookNode = from_dict(json.loads(ready(app).notebook(page)))
    return executed


def beginning(
    app: Sphinx, page: str, document: nodes.document, prose: Prose, packages: Sequence[str]
) -> Iterator[NotebookNode]:
    """Write what comes first: the title, where this is from, and the cell that installs."""
    install = first_cell.source(ready(app).pages[page].imports, packages)
    title = next(iter(document.findall(nodes.title)))
    said = [f"# {prose.sentence(title)}", origin(app, page)]
    said.append(
        _("The next cell installs what this page needs. Where JAX is installed, you can skip it.")
    )
    if "matplotlib" in install:
        said.append(_("It also lays out the figures as on the page."))
    yield markdown_cell(said)
    yield new_cell("code", install, outputs=[], execution_count=None)


def origin(app: Sphinx, page: str) -> str:
    """Say which page this is, and what it ran with."""
    facts = run_facts(app.env)[page]
    published = absolute(app.config, f"{app.config.language}/{app.builder.get_target_uri(page)}")
    named = f"[{page}]({published})" if published else f"`{page}`"
    return _(
        "This notebook is the page %(page)s of the JAX guide. "
        "Its outputs are those of %(date)s, with JAX %(jax)s and Python %(python)s."
    ) % {**facts, "page": named}


def parts(document: nodes.document, prose: Prose) -> Iterator[str | nodes.container]:
    """Go through a page in order: Markdown for prose, the nodes of cells as they are."""

    def walk(node: nodes.Element, level: int) -> Iterator[str | nodes.container]:
        for child in node.children:
            if isinstance(child, nodes.section):
                yield from walk(child, level + 1)
            elif isinstance(child, nodes.title):
                if level > 1:  # the page's own is written first
                    yield f"{'#' * level} {prose.sentence(child)}"
            elif isinstance(child, nodes.container) and "cell_index" in child:
                yield child
            elif not isinstance(child, LEFT_OUT) and not is_contents(child):
                yield prose.block(child)

    return walk(document, 0)


def markdown_cell(text: Sequence[str]) -> NotebookNode:
    """Put parts of a text into a cell."""
    return new_cell("markdown", "\n\n".join(text))


def new_cell(kind: str, source: str, **more: Any) -> NotebookNode:
    """Make a cell. nbformat's own functions compare each with their schema, which takes long."""
    return NotebookNode({"cell_type": kind, "metadata": NotebookNode(), "source": source} | more)


def is_contents(node: nodes.Node) -> bool:
    """Tell a table of contents."""
    return isinstance(node, nodes.compound) and "toctree-wrapper" in node["classes"]


def code_cell(container: nodes.container, executed: NotebookNode, prose: Prose) -> NotebookNode:
    """Take a cell as the page shows it."""
    cell = executed.cells[container["cell_index"]]
    drawings = iter([*container.findall(drawing)])
    outputs = [with_picture(output, drawings, prose) for output in cell.outputs]
    source = next(iter(container.findall(nodes.literal_block))).astext().rstrip("\n")
    tags = [tag for tag in cell.metadata.get("tags", []) if tag in KNOWN_TAGS]
    return new_cell(
        "code",
        source,
        outputs=outputs,
        execution_count=cell.execution_count,
        metadata=NotebookNode(metadata(tags)),
    )


def metadata(tags: Sequence[str]) -> dict[str, Any]:
    """Say the tags, and for programs that do not know them, that an answer begins hidden."""
    if not tags:
        return {}
    if "hide-cell" not in tags:
        return {"tags": [*tags]}
    hidden = {"source_hidden": True, "outputs_hidden": True}
    return {"tags": [*tags], "jupyter": hidden, "cellView": "form"}  # for JupyterLab; for Colab


def with_picture(output: NotebookNode, drawings: Iterator[drawing], prose: Prose) -> NotebookNode:
    """Show a figure as an image, in the page's language and with its alternative text.

    JupyterLab shows no `image/svg+xml` of a notebook from elsewhere before its reader says that
    it is trusted; an image in HTML it does show.
    """
    data = output.get("data", {})
    if "image/svg+xml" not in data:
        return output
    kept = {kind: content for kind, content in data.items() if kind != "image/svg+xml"}
    html = prose.block(next(drawings))
    return NotebookNode({**output, "data": NotebookNode({"text/html": html, **kept})})


def captions(container: nodes.container, prose: Prose) -> Iterator[str]:
    """Write the captions of a cell's figures, to stand below it."""
    for caption in container.findall(nodes.caption):
        yield f"> {prose.sentence(caption)}"


def addresses(
    builder: Builder, page: str, document: nodes.document
) -> Callable[[nodes.Element], str]:
    """Say where the links of a page lead from its notebook.

    To the published site, where that is known. Else to the notebook beside this one, or to the
    page where there is none; Jupyter cannot follow the address of a section of another notebook.
    """
    config, env = builder.config, builder.env
    here = builder.get_target_uri(page)

    def find(node: nodes.Element) -> str:
        if "filename" in node:  # a file to download
            return elsewhere(f"_downloads/{node['filename']}", "")
        parts = urlsplit(node.get("refuri", f"#{node.get('refid')}"))
        if parts.scheme or parts.netloc:
            return str(node["refuri"])
        if not parts.path:
            return f"#{heading(document, parts.fragment)}"
        path = posixpath.normpath(posixpath.join(posixpath.dirname(here), parts.path))
        return elsewhere(path, parts.fragment)

    def elsewhere(path: str, anchor: str) -> str:
        ending = f"#{anchor}" if anchor else ""
        if config.site_url:
            return absolute(config, f"{config.language}/{path}{ending}")
        other = path.removesuffix(".html")
        target = address(other) if other in run_facts(env) else path + ending
        return posixpath.relpath(target, posixpath.dirname(address(page)))

    return find


def heading(document: nodes.document, anchor: str) -> str:
    """Name the section that an anchor is in, as Jupyter names it: by its heading."""
    node = document.ids.get(anchor) or next(
        found for found in document.findall(nodes.Element) if anchor in found["ids"]
    )
    while not isinstance(node, nodes.section):
        node = node.parent
    title = next(iter(node.findall(nodes.title))).astext()
    return quote(title.replace(" ", "-"), safe="")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("site_branch", "", "html", str)
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
