"""Less work for each translated message: half of the CPU time of translating was for nothing.

Sphinx gives each message of a .po to the parser of pages. MyST-NB's sets up Markdown anew for each;
here a parser of ours keeps it. And a patch: MyST's renderer makes a document for every message, and
throws it away. `options.get("document", make_document())` evaluates its default even where there is
a document, and a new document takes docutils milliseconds of option parsing. Sphinx always gives a
document, so one default made once is enough. tests/site/test_quick_messages.py fails when MyST no
longer does this.
"""

from functools import cache
from typing import ClassVar

from docutils import nodes
from markdown_it import MarkdownIt
from myst_nb.sphinx_ import Parser
from myst_parser.config.main import MdParserConfig
from myst_parser.mdit_to_docutils import base
from myst_parser.mdit_to_docutils.sphinx_ import SphinxRenderer
from myst_parser.parsers.mdit import create_md_parser
from sphinx.application import Sphinx


class MessageParser(Parser):
    """MyST-NB's parser, but for messages, which are Markdown without front matter or cells."""

    made: ClassVar[tuple[MdParserConfig, MarkdownIt] | None] = None

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse a page, or a message."""
        if not str(document.current_source).endswith("<translated>"):
            super().parse(inputstring, document)
            return
        config = document.settings.env.myst_config
        if MessageParser.made is None or MessageParser.made[0] is not config:
            MessageParser.made = config, create_md_parser(config, SphinxRenderer)
        markdown = MessageParser.made[1]
        markdown.options["document"] = document
        markdown.render(inputstring)


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the default document once, and take the place of MyST-NB's parser."""
    if not hasattr(base.make_document, "cache_clear"):
        base.make_document = cache(base.make_document)
    app.add_source_parser(MessageParser, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
