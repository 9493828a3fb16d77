"""Mark and count the paragraphs without a translation, and exclude what must not have one.

Sphinx marks untranslated paragraphs itself, with gaps that are filled here: it marks nothing on a
page without a .po; it counts front matter; it counts alternative texts and captions of tables of
contents as untranslated after translating them; and it would translate formulas.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages


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
        for front_matter in self.document.findall(nodes.field_list):
            for node in front_matter.findall(nodes.Element):
                node.attributes.pop("translated", None)


def count(app: Sphinx, doctree: nodes.document) -> None:
    """Count a page's untranslated messages, and remove the mark that would become an attribute."""
    for meta in doctree.findall(nodes.meta):
        meta.attributes.pop("translated", None)
    progress = doctree.get("translation_progress", {"total": 0, "translated": 0})
    app.env.metadata[app.env.docname]["untranslated"] = progress["total"] - progress["translated"]


def write_counts(app: Sphinx, error: Exception | None) -> None:
    """Write the counts to a file, which docs/_guide/site/build.py reads."""
    if error is None and app.builder.format == "html":
        metadata = app.env.metadata
        counts = {page: metadata[page]["untranslated"] for page in sorted(app.env.found_docs)}
        (Path(app.outdir).parent / "untranslated.json").write_text(json.dumps(counts))
