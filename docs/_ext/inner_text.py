"""A text inside something that is no text for Sphinx, yet a message of the page's catalogue.

Sphinx asks a node of this kind what its messages are, and has none for a figure or a comment.
"""

from collections.abc import Sequence

from docutils import nodes
from sphinx import addnodes


class inner_text(nodes.General, nodes.Element, addnodes.translatable):
    """One text in English, and what it is in the language of the site."""

    def preserve_original_messages(self) -> None:
        """Keep the English; until it is translated, it is what is shown."""
        self["shown"] = self["english"]

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Take the translation."""
        self["shown"] = translated_message
        self["translated"] = True

    def extract_original_messages(self) -> Sequence[str]:
        """Give the message to the catalogue."""
        return [self["english"]]


def skip(translator: nodes.NodeVisitor, node: nodes.Element) -> None:
    """The text is part of what it is in."""
    raise nodes.SkipNode
