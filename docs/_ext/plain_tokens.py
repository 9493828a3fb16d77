"""Give an element only to the code that has a colour: a telephone lays out each one.

Pygments wraps every word and every bracket, although names, brackets and spaces look like the text
around them in both of the site's styles; it has no option for that. They are half of the elements
of a page with code. Sphinx says where a formatter of one's own goes.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from pygments.formatters import HtmlFormatter
from pygments.token import Name, Punctuation, Text, Whitespace, _TokenType
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

PLAIN = {Name, Name.Other, Punctuation, Whitespace}  # of these, not of what is below them


def joined(tokens: Iterable[tuple[_TokenType, str]]) -> Iterator[tuple[_TokenType, str]]:
    """Make text of tokens without a colour.

    >>> list(joined([(Name, "x"), (Name.Builtin, "len")]))
    [(Token.Text, 'x'), (Token.Name.Builtin, 'len')]
    """
    return ((Text if kind in PLAIN else kind, text) for kind, text in tokens)


class ColouredOnly(HtmlFormatter[str]):
    """Pygments' formatter, with fewer elements."""

    def format_unencoded(self, tokensource: Iterable[tuple[_TokenType, str]], outfile: Any) -> None:
        """Write tokens; called by Pygments."""
        super().format_unencoded(joined(tokensource), outfile)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, whose pages and books make their highlighters after this."""
    PygmentsBridge.html_formatter = ColouredOnly
    return {"parallel_read_safe": True, "parallel_write_safe": True}
