"""Keep the English of each translated paragraph, for a toggle that shows it below.

It is rendered like the rest of the page, into a file of its own (`_source_text/<page>.js`): the
page stays light, and its search index in its language.
"""

import json
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages
from sphinx.writers.html5 import HTML5Translator


class source_text(nodes.General, nodes.TextElement):
    """The English of one paragraph; its `name` is a class of the paragraph."""


class source_texts(nodes.General, nodes.Element):
    """All source texts of a page: as a part of the page, so that their links are resolved."""


class CopySourceText(SphinxTransform):
    """Copy every paragraph before it is translated."""

    default_priority = 12  # before Sphinx's Locale, at 20

    def apply(self) -> None:
        """Attach each copy to its node: Locale replaces what is inside, and keeps the node."""
        if self.config.language == next(iter(self.config.languages)):  # that of the source
            return
        for node, _ in extract_messages(self.document):
            if isinstance(node, nodes.TextElement) and not isinstance(node, nodes.literal_block):
                node["english"] = copy_without_ids(node)


class CollectSourceTexts(SphinxTransform):
    """Move the copies of translated paragraphs to the end of the page."""

    default_priority = 30  # after Locale, and after Sphinx counted the translations, at 25

    def apply(self) -> None:
        """Drop copies of what is untranslated, or the same, such as a product's name."""
        texts = source_texts(classes=["no-search"])
        for node in self.document.findall(nodes.TextElement):
            english = node.attributes.pop("english", None)
            if english and node.get("translated") and node.astext() != english.astext():
                english["name"] = f"source-text-{len(texts) + 1}"
                node["classes"].append(english["name"])
                texts += english
        if len(texts):
            self.document += texts
            docname = self.env.current_document.docname
            self.env.metadata[docname]["source_text"] = source_text_path(
                docname
            )  # for the page's template


def copy_without_ids(node: nodes.Element) -> source_text:
    """Copy the content of a node, without ids, which must be unique."""
    english = source_text("", "", *(child.deepcopy() for child in node.children))
    for child in english.findall(nodes.Element):
        child["ids"], child["names"] = [], []
    return english


def visit_source_texts(translator: HTML5Translator, node: source_texts) -> None:
    """Render the source texts to their own file instead of into the page."""
    body, builder = translator.body, translator.builder
    texts = {}
    for english in node.findall(source_text):
        translator.body = []
        for child in english.children:
            child.walkabout(translator)
        texts[english["name"]] = "".join(translator.body)
    translator.body = body
    # A script, since a page opened from a disk (file:) can fetch no other file.
    file = Path(builder.outdir, source_text_path(builder.current_docname))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"addSourceText({json.dumps(texts, ensure_ascii=False)});\n", encoding="utf-8")
    raise nodes.SkipNode


def source_text_path(pagename: str) -> str:
    """Return the path of a page's source texts in its language's site."""
    return f"_source_text/{pagename}.js"
