"""Tables that an extension makes of data, in the docutils nodes that a page's own tables have."""

from collections.abc import Iterable, Sequence

from docutils import nodes


def table(titles: nodes.row, rows: Iterable[nodes.row], name: str) -> nodes.container:
    """Return a table whose class is `name`; a narrow screen scrolls it sideways."""
    group = nodes.tgroup(cols=len(titles))
    group += [nodes.colspec(colwidth=1) for _title in titles]
    group += nodes.thead("", titles)
    group += nodes.tbody("", *rows)
    return nodes.container("", nodes.table("", group, classes=[name]), classes=["table-wrapper"])


def row(
    cells: Sequence[str | nodes.Node], kind: type[nodes.TextElement] = nodes.paragraph
) -> nodes.row:
    """Return a row of texts and links.

    A table that is made while its page is read has `inline` cells, since Sphinx would look up
    paragraphs in the page's catalog.
    """
    contents = (nodes.Text(cell) if isinstance(cell, str) else cell for cell in cells)
    return nodes.row("", *(nodes.entry("", kind("", "", node)) for node in contents))
