"""What extensions make of data: tables, and directives that wait for all pages (`{page-status}`).

What such a directive shows comes from other pages or files, so its page is written in every build.
"""

from collections.abc import Callable, Iterable, Sequence

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.util.docutils import SphinxDirective


class placeholder(nodes.General, nodes.Element):
    """The place of the directive `name`: read as a page's own, its text would be translated."""


class Placeholder(SphinxDirective):
    """A directive without arguments."""

    def run(self) -> list[nodes.Node]:
        """Return the placeholder."""
        write_always(self.env)
        return [placeholder("", name=self.name)]


def write_always(env: BuildEnvironment) -> None:
    """Mark the page that is being read as one to write in every build."""
    env.metadata[env.docname]["write_always"] = True


def marked_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return the marked pages."""
    return [page for page, values in env.metadata.items() if "write_always" in values]


def add_placeholder(app: Sphinx, name: str, content: Callable[[Builder, str], nodes.Node]) -> None:
    """Register a directive; `content` is called with the name of the page that is written."""

    def replace(app: Sphinx, doctree: nodes.document, docname: str) -> None:
        for node in list(doctree.findall(placeholder)):
            if node["name"] == name:
                node.replace_self(content(app.builder, docname))

    app.setup_extension(__name__)
    app.add_directive(name, Placeholder)
    app.connect("doctree-resolved", replace)


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


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("env-updated", marked_pages)
