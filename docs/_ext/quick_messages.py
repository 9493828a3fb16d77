"""Less work for each translated message: half of the CPU time of translating was for nothing.

Sphinx gives each message of a .po to the parser of pages. MyST-NB's sets up Markdown anew for each;
here a parser of ours keeps it for a page. And three patches; tests/site/test_quick_messages.py
fails when one is no longer needed:

- MyST's renderer makes a document for every message, and throws it away:
  `options.get("document", make_document())` evaluates its default even where there is a document,
  and a new document takes docutils milliseconds of option parsing. Sphinx always gives a document,
  so one default made once is enough.
- Sphinx writes each message's node as XML, for a line of its log that nobody sees.
- For each heading Sphinx calls a function for all that is on the page, to find targets: docutils
  finds the nodes of one class faster by itself.
"""

from collections.abc import Iterator
from functools import cache
from typing import ClassVar

from docutils import nodes
from markdown_it import MarkdownIt
from myst_nb.sphinx_ import Parser
from myst_parser.mdit_to_docutils import base
from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
from myst_parser.parsers.mdit import create_md_parser
from sphinx.application import Sphinx
from sphinx.util import nodes as sphinx_nodes
from sphinx.util.nodes import NodeMatcher


class MessageParser(Parser):
    """MyST-NB's parser, but for messages, which are Markdown without front matter or cells."""

    markdown: ClassVar[MarkdownIt | None] = None

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse a page, or a message."""
        if not str(document.current_source).endswith("<translated>"):
            super().parse(inputstring, document)
            return
        config = document.settings.env.myst_config
        markdown = MessageParser.markdown or create_md_parser(config, SphinxRenderer)
        MessageParser.markdown = markdown
        markdown.options["document"] = document
        markdown.render(inputstring)
        for node in document.findall():
            if node is not document:  # or each page would be kept with all that its messages know
                node.document = None  # type: ignore[assignment]


def find(matcher: NodeMatcher[nodes.Node], node: nodes.Node) -> Iterator[nodes.Node]:
    """Find what Sphinx's matcher finds."""
    kind = matcher.classes[0] if len(matcher.classes) == 1 else None
    return filter(matcher, node.findall(kind))


def forget(app: Sphinx, *_page: object) -> None:
    """Let go of the last message: it knows the page that it was in."""
    MessageParser.markdown = None


def setup(app: Sphinx) -> dict[str, bool]:
    """Patch, and take the place of MyST-NB's parser."""
    if not hasattr(base.make_document, "cache_clear"):
        base.make_document = cache(base.make_document)
    sphinx_nodes.repr_domxml = lambda node, length=80: ""
    NodeMatcher.findall = find  # type: ignore[method-assign,assignment]
    app.add_source_parser(MessageParser, override=True)
    app.connect("env-purge-doc", forget)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
