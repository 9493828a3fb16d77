"""Assemble a notebook from a page's translated doctree and its cached outputs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeGuard

from docutils import nodes
from nbformat import NotebookNode, v4
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.locale import _

from docs._guide.execute import cache
from docs._guide.execute.page import code_cells, read_page
from docs._guide.ext.components.exercises import answer
from docs._guide.ext.components.tabs import tab, tab_set
from docs._guide.ext.figures.nodes import inline_svg
from docs._guide.ext.i18n.languages import absolute
from docs._guide.ext.i18n.source_text import source_texts
from docs._guide.ext.notebooks import install_cell
from docs._guide.ext.notebooks.links import Links
from docs._guide.ext.notebooks.markdown import MarkdownWriter, is_cell
from docs._guide.ext.outputs import outputs_folder

# Tags of Jupyter; the others are for this site.
JUPYTER_TAGS = {"raises-exception", "hide-cell", "hide-input", "hide-output"}
# Parts of a page that its notebook has no use for.
OMITTED = (nodes.meta, nodes.comment, nodes.target, source_texts, addnodes.toctree)


def assemble(app: Sphinx, page: str, document: nodes.document) -> NotebookNode:
    """Return a page's notebook; UnsupportedNode stops the build if Markdown cannot show a part."""
    source = read_page(page, Path(app.srcdir, f"{page}.md").read_text(encoding="utf-8"))
    assert source is not None  # it has outputs
    executed = cache.get(outputs_folder(app), source)
    writer = MarkdownWriter(page, Links(app.builder, page, document).target)
    title = writer.sentence(next(document.findall(nodes.title)))
    cells = introduction(app, page, title, executed)
    for part in parts(document, writer, executed):
        if not isinstance(part, str):
            cells.append(part)
        elif cells[-1].cell_type == "code" or part.startswith("#"):  # a heading
            cells.append(new_cell("markdown", part))
        else:
            cells[-1].source += f"\n\n{part}"
    for number, cell in enumerate(cells, start=1):
        cell.id = f"cell-{number}"  # nbformat's own are random
    metadata = {
        "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        "language_info": {"name": "python"},
    }
    version = {"nbformat": v4.nbformat, "nbformat_minor": v4.nbformat_minor}
    return NotebookNode({"cells": cells, "metadata": NotebookNode(metadata), **version})


def introduction(app: Sphinx, page: str, title: str, executed: NotebookNode) -> list[NotebookNode]:
    """Return the first cells: the title and the origin of the notebook, and the install cell."""
    packages = executed.metadata.get("guide", {}).get("packages", [])
    code = [cell.source for cell in code_cells(executed)]
    install = install_cell.install_code(code, packages)
    url = absolute(app.config, f"{app.config.language}/{app.builder.get_target_uri(page)}")
    run = executed.metadata[cache.RUN] | {"page": f"[{page}]({url})" if url else f"`{page}`"}
    text = [
        f"# {title}",
        _(
            "This notebook is the page %(page)s of the JAX guide. "
            "Its outputs are those of %(date)s, with JAX %(jax)s and Python %(python)s."
        )
        % run,
        _("The next cell installs what this page needs. Where JAX is installed, you can skip it."),
    ]
    if "matplotlib" in install:
        text.append(_("It also lays out the figures as on the page."))
    return [
        new_cell("markdown", "\n\n".join(text)),
        new_cell("code", install, outputs=[], execution_count=None),
    ]


def parts(
    document: nodes.document, writer: MarkdownWriter, executed: NotebookNode
) -> Iterator[str | NotebookNode]:
    """Yield the page in order: Markdown for each block of prose, and the code cells."""

    def cell_parts(cell: nodes.container) -> Iterator[str | NotebookNode]:
        yield code_cell(cell, executed, writer)
        for caption in own_captions(cell):
            yield f"> {writer.sentence(caption)}"

    def walk(node: nodes.Element, level: int) -> Iterator[str | NotebookNode]:
        for child in node.children:
            if isinstance(child, nodes.section):
                yield from walk(child, level + 1)
            elif isinstance(child, nodes.title):
                if level > 1:  # the page's own is in the introduction
                    yield f"{'#' * level} {writer.sentence(child)}"
            elif isinstance(child, tab_set):
                for shown in filter(is_tab, child.children):  # not those within a cell
                    yield f"**{shown['label']}**"
                    yield from walk(shown, level)
            elif is_cell(child):
                yield from cell_parts(child)
            elif not isinstance(child, OMITTED) and not is_toctree(child):
                yield writer.write(child)
                if isinstance(child, answer):
                    for cell in filter(is_cell, child.children):
                        yield from cell_parts(cell)

    return walk(document, 0)


def is_tab(node: nodes.Node) -> TypeGuard[tab]:
    """Whether a node is one of a set of tabs."""
    return isinstance(node, tab)


def own_captions(cell: nodes.container) -> list[nodes.caption]:
    """The captions of a cell's figures, without those of another device's."""
    others = [tabbed for tabbed in cell.findall(tab) if tabbed.get("other")]
    repeated = {id(caption) for other in others for caption in other.findall(nodes.caption)}
    return [caption for caption in cell.findall(nodes.caption) if id(caption) not in repeated]


def is_toctree(node: nodes.Node) -> bool:
    """Return whether a node is a rendered table of contents."""
    return isinstance(node, nodes.compound) and "toctree-wrapper" in node["classes"]


def new_cell(kind: str, source: str, **more: Any) -> NotebookNode:
    """Return a cell. nbformat's own functions validate each cell, which takes long."""
    return NotebookNode({"cell_type": kind, "metadata": NotebookNode(), "source": source} | more)


def code_cell(
    container: nodes.container, executed: NotebookNode, writer: MarkdownWriter
) -> NotebookNode:
    """Return a cell as the page shows it, with its outputs."""
    cell = executed.cells[container["cell_index"]]
    figures = container.findall(inline_svg)
    # What a page folds or drops is in the attribute.
    source = container.get("source") or next(container.findall(nodes.literal_block)).astext()
    return new_cell(
        "code",
        str(source).rstrip("\n"),
        outputs=[with_image(output, figures, writer) for output in cell.outputs],
        execution_count=cell.execution_count,
        metadata=NotebookNode(cell_metadata(cell)),
    )


def cell_metadata(cell: NotebookNode) -> dict[str, Any]:
    """Return the metadata of a cell; a hidden one is folded in JupyterLab and in Colab too."""
    tags = [tag for tag in cell.metadata.get("tags", []) if tag in JUPYTER_TAGS]
    if cell.metadata.get("needs") and "raises-exception" not in tags:
        tags.append("raises-exception")  # without its package it may raise, and "Run all" goes on
    if "hide-cell" not in tags:
        return {"tags": tags} if tags else {}
    hidden = {"source_hidden": True, "outputs_hidden": True}
    return {"tags": tags, "jupyter": hidden, "cellView": "form"}


def with_image(
    output: NotebookNode, figures: Iterator[inline_svg], writer: MarkdownWriter
) -> NotebookNode:
    """Replace a figure by an image in HTML, in the page's language and with its alternative text.

    JupyterLab shows `image/svg+xml` only in a notebook that its reader trusts.
    """
    data = dict(output.get("data", {}))
    if data.pop("image/svg+xml", None) is None:
        return output
    html = writer.write(next(figures))
    return NotebookNode({**output, "data": NotebookNode({"text/html": html, **data})})
