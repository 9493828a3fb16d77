"""Keep the English original of every translated paragraph, for readers who want it beside.

The originals are rendered like the rest of the page, into a file of their own
(`_originals/<page>.js`): the page stays as light as before, and its search index in its language.
"""

import json
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.util.nodes import extract_messages
from sphinx.writers.html5 import HTML5Translator


class original(nodes.General, nodes.TextElement):
    """One English text; the paragraph that translates it has its name as a class."""


class originals(nodes.General, nodes.Element):
    """All originals of a page, carried through the build at its end: their links work there."""


class KeepEnglish(SphinxTransform):
    """Copy every text of a page before it is translated."""

    default_priority = 12  # before Sphinx's Locale, at 20

    def apply(self) -> None:
        """Leave each copy with its node: Locale exchanges what is inside it, not the node."""
        if self.config.language == next(iter(self.config.languages)):  # the pages' own
            return
        for node, _ in extract_messages(self.document):
            if isinstance(node, nodes.TextElement) and not isinstance(node, nodes.literal_block):
                node["english"] = copy(node)


class GatherOriginals(SphinxTransform):
    """Give the originals of what was translated a place at the end of the page."""

    default_priority = 30  # after Locale, and after Sphinx counted the translations, at 25

    def apply(self) -> None:
        """Name the translated nodes; let the copies of all others go."""
        found = originals(classes=["no-search"])
        for node in self.document.findall(nodes.TextElement):
            english = node.attributes.pop("english", None)
            if english is None or not node.get("translated") or same(node, english):
                continue
            english["name"] = f"original-{len(found) + 1}"
            node["classes"].append(english["name"])
            found += english
        if len(found):
            self.document += found


def copy(node: nodes.Element) -> original:
    """Copy what is inside a node, without what may be on a page only once."""
    english = original("", "", *(child.deepcopy() for child in node.children))
    for child in list(english.findall(nodes.Element)):
        if isinstance(child, nodes.footnote_reference):
            child.parent.remove(child)
        child["ids"], child["names"] = [], []
    return english


def same(node: nodes.Element, english: nodes.Element) -> bool:
    """Tell whether a translation says the same letters, such as a product's name."""
    return node.astext() == english.astext()


def write_originals(translator: HTML5Translator, node: originals) -> None:
    """Render the originals to their own file instead of into the page."""
    page, builder = translator.body, translator.builder
    texts = {}
    for english in node.findall(original):
        translator.body = []
        for child in english.children:
            child.walkabout(translator)
        texts[english["name"]] = "".join(translator.body)
    translator.body = page
    # A script, since a page that was opened from a disk (file:) can read no other file.
    path = Path(builder.outdir, address(builder.current_docname))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"addOriginals({json.dumps(texts, ensure_ascii=False)});\n", encoding="utf-8")
    raise nodes.SkipNode


def address(pagename: str) -> str:
    """Where the originals of a page are, from the start of its language's site."""
    return f"_originals/{pagename}.js"


def offer(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Tell the page's template whether there are originals to show."""
    if doctree and any(doctree.findall(originals)):
        context["originals"] = address(pagename)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_node(originals, html=(write_originals, None))
    app.add_node(original)
    app.add_transform(KeepEnglish)
    app.add_transform(GatherOriginals)
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
