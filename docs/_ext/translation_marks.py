"""Mark and count what has no translation yet, and keep out of translation what must stay.

Sphinx marks untranslated paragraphs by itself, with gaps that are filled here: it marks nothing
on a page without any .po; it counts front matter, and counts alternative texts and captions of
tables of contents as untranslated after translating them; it would translate formulas.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages


class KeepFormulas(SphinxTransform):
    """Displayed formulas are the same in every language."""

    default_priority = 9  # before Sphinx's PreserveTranslatableMessages, at 10

    def apply(self) -> None:
        """Take them out of what is extracted and translated."""
        for formula in self.document.findall(nodes.math_block):
            formula["translatable"] = False
        for picture in self.document.findall(nodes.image):
            picture["english_alt"] = picture.get("alt")


class MarkUntranslated(SphinxTransform):
    """Say of every message whether it was translated."""

    default_priority = 22  # between Sphinx's Locale, at 20, and its count, at 25

    def apply(self) -> None:
        """Fill the gaps that Sphinx leaves."""
        if self.config.language == next(iter(self.config.languages)):  # the pages' own
            return
        for node, _ in extract_messages(self.document):
            node.setdefault("translated", False)
        for picture in self.document.findall(nodes.image):
            if picture["english_alt"]:
                picture["translated"] = picture.get("alt") != picture["english_alt"]
        for contents in self.document.findall(addnodes.toctree):
            contents["translated"] = contents.get("caption") != contents.get("rawcaption", "")
        for front_matter in self.document.findall(nodes.field_list):
            for node in front_matter.findall(nodes.Element):
                node.attributes.pop("translated", None)


def count(app: Sphinx, doctree: nodes.document) -> None:
    """Count a page's untranslated messages."""
    progress = doctree.get("translation_progress", {"total": 0, "translated": 0})
    counts(app.env)[app.env.docname] = progress["total"] - progress["translated"]


def unmark_meta(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Take the mark off descriptions: docutils would write it into the page as an attribute."""
    for meta in doctree.findall(nodes.meta):
        meta.attributes.pop("translated", None)


def counts(env: BuildEnvironment) -> dict[str, int]:
    """Untranslated messages a page, kept with Sphinx's environment between builds."""
    untranslated: dict[str, int] = env.__dict__.setdefault("untranslated", {})
    return untranslated


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is gone or about to be read again."""
    counts(env).pop(docname, None)


def write_counts(app: Sphinx, error: Exception | None) -> None:
    """Leave the counts where the build finds them."""
    if error is None and app.builder.format == "html":
        (Path(app.outdir).parent / "untranslated.json").write_text(json.dumps(counts(app.env)))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_transform(KeepFormulas)
    app.add_transform(MarkUntranslated)
    app.connect("doctree-read", count)
    app.connect("doctree-resolved", unmark_meta)
    app.connect("env-purge-doc", forget)
    app.connect("build-finished", write_counts)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
