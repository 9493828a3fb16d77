"""A message inside something that Sphinx does not translate, such as a figure or a comment."""

from collections.abc import Sequence

from docutils import nodes
from sphinx import addnodes


class translatable_text(nodes.General, nodes.Element, addnodes.translatable):
    """A message: its English, and its text in the build's language, which its parent shows."""

    def preserve_original_messages(self) -> None:
        """Show the English until there is a translation."""
        self["text"] = self["english"]

    def apply_translated_message(self, original_message: str, translated_message: str) -> None:
        """Store the translation."""
        self["text"] = translated_message
        self["translated"] = True

    def extract_original_messages(self) -> Sequence[str]:
        """Return the message for the catalog."""
        return [self["english"]]
