"""Parse translated messages, all with one Markdown parser.

Sphinx parses each message by itself, most of them twice. MyST-NB and MyST-Parser then start from
nothing each time: they look for a notebook, assemble a Markdown parser, and read docutils' default
settings, even though the document already has settings (`setup_render` evaluates the default of
`options.get("document", make_document())`). For the 4,500 messages of a language that was a quarter
of the build.
"""

from collections.abc import MutableMapping
from functools import cache
from typing import Any

from docutils import nodes
from markdown_it import MarkdownIt
from myst_nb.sphinx_ import Parser
from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
from myst_parser.parsers.mdit import create_md_parser


class MessageRenderer(SphinxRenderer):
    """Renders one message after another, each into a document of its own."""

    def setup_render(self, options: dict[str, Any], env: MutableMapping[str, Any]) -> None:
        """Set up everything for the first message, then only what belongs to a document."""
        if "document" not in vars(self):
            super().setup_render(options, env)
            return
        self.md_env = env
        self.document = self.current_node = options["document"]
        self.reporter = self.document.reporter
        self._level_to_section = {0: self.document}
        self._heading_slugs = {}


class PageParser(Parser):  # type: ignore[misc]  # MyST-NB has no types
    """MyST-NB's parser of pages, which parses translated messages in a faster way."""

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse a page or a message into the document."""
        if document["source"].endswith(":<translated>"):
            markdown = message_parser(document.settings.env)
            markdown.options["document"] = document
            markdown.render(inputstring)
        else:
            super().parse(inputstring, document)


@cache
def message_parser(env: Any) -> MarkdownIt:
    """Return the parser for all messages of a build."""
    return create_md_parser(env.myst_config, MessageRenderer)
