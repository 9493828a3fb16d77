"""Directives that are replaced once all pages have been read, such as `{page-status}`.

Their pages are written in every build, since what they show comes from other pages or files.
"""

from collections.abc import Callable

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


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_node(placeholder)
    app.connect("env-updated", marked_pages)
