"""Mark the paragraphs without a translation, and exclude what must not have one.

Sphinx marks untranslated paragraphs itself, with gaps that are filled here: it marks nothing on a
page without a .po; it counts front matter; it counts alternative texts and captions of tables of
contents as untranslated after translating them; and it would translate formulas.
"""

from docutils import nodes
from sphinx import addnodes
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages

# Front matter, and metadata, where a mark would become an attribute.
UNMARKED = (nodes.field_list, nodes.meta)


class ExcludeFormulas(SphinxTransform):
    """Keep displayed formulas out of the catalogs, and note the English alternative texts."""

    default_priority = 9  # before Sphinx's PreserveTranslatableMessages, at 10

    def apply(self) -> None:
        """Prepare the page for Sphinx's extraction and translation."""
        for formula in self.document.findall(nodes.math_block):
            formula["translatable"] = False
        for image in self.document.findall(nodes.image):
            image["english_alt"] = image.get("alt")


class MarkUntranslated(SphinxTransform):
    """Set `translated` where Sphinx does not, or sets it wrongly."""

    default_priority = 22  # between Sphinx's Locale, at 20, and its count, at 25

    def apply(self) -> None:
        """Correct the marks of a page, unless it is in the language of its source."""
        if self.config.language == next(iter(self.config.languages)):
            return
        for node, _ in extract_messages(self.document):
            node.setdefault("translated", False)
        for image in self.document.findall(nodes.image):
            if image["english_alt"]:
                image["translated"] = image.get("alt") != image["english_alt"]
        for contents in self.document.findall(addnodes.toctree):
            contents["translated"] = contents.get("caption") != contents.get("rawcaption", "")
        for part in self.document.findall(lambda node: isinstance(node, UNMARKED)):
            for node in part.findall(nodes.Element):
                node.attributes.pop("translated", None)
