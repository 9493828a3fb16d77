"""Give an element only to the code that has a colour: a telephone lays out each one.

Pygments wraps every word and every bracket, although names, brackets and spaces look like the text
around them in both of the site's styles; it has no option for that. They are half of the elements
of a page with code. Sphinx says where a formatter of one's own goes.

Sphinx wraps every word of code within a sentence too, for a rule on line breaks that the theme does
not have.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from docutils import nodes
from pygments.formatters import HtmlFormatter
from pygments.token import Name, Punctuation, Text, Whitespace, _TokenType
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge
from sphinx.writers.html5 import HTML5Translator

PLAIN = {Name, Name.Other, Punctuation, Whitespace}  # of these, not of what is below them

FORMATTERS: dict[str, "ColouredOnly"] = {}


def as_text(tokens: Iterable[tuple[_TokenType, str]]) -> Iterator[tuple[_TokenType, str]]:
    """Make text of tokens without a colour.

    >>> list(as_text([(Name, "x"), (Name.Builtin, "len")]))
    [(Token.Text, 'x'), (Token.Name.Builtin, 'len')]
    """
    return ((Text if kind in PLAIN else kind, text) for kind, text in tokens)


class ColouredOnly(HtmlFormatter[str]):
    """Pygments' formatter, with fewer elements."""

    def format_unencoded(self, tokensource: Iterable[tuple[_TokenType, str]], outfile: Any) -> None:
        """Write tokens; called by Pygments."""
        super().format_unencoded(as_text(tokensource), outfile)


def formatter(**options: Any) -> ColouredOnly:
    """The formatter with these options. Sphinx asks for one a block; each reads its whole style."""
    name = str(options)  # lines to emphasise are a list
    if name not in FORMATTERS:
        FORMATTERS[name] = ColouredOnly(**options)
    return FORMATTERS[name]


def visit_literal(translator: HTML5Translator, node: nodes.Element) -> None:
    """Begin code within a sentence as Sphinx does; its words are then written as any text."""
    HTML5Translator.visit_literal(translator, node)
    translator.protect_literal_text = 0


def depart_literal(translator: HTML5Translator, node: nodes.Element) -> None:
    """End it."""
    HTML5Translator.depart_literal(translator, node)
    translator.protect_literal_text = 0


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, whose pages and books make their highlighters after this."""
    PygmentsBridge.html_formatter = staticmethod(formatter)
    app.add_node(nodes.literal, override=True, html=(visit_literal, depart_literal))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
