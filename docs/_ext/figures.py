"""Figures stand in the page itself, and their words go through the page's catalogue.

MyST-NB shows a figure as an image, whose words stay as they were drawn. Here each text of an SVG
that has words becomes a message, in a node of its own inside the image: no cell runs again for
another language. In HTML the figure is then drawn into the page (docs/_ext/drawings.py says how).
"""

import hashlib
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from docs._ext.drawings import draw, put_on_paper, write
from docs._ext.inner_text import inner_text, skip
from docs._ext.svg_words import labels, unreachable

logger = logging.getLogger(__name__)


class figure_text(inner_text):
    """One text of a figure."""


class drawing(nodes.General, nodes.Element):
    """A figure that is part of the page."""


class FindTexts(SphinxTransform):
    """Read the figures of a page, before its messages are taken down and translated."""

    default_priority = 8  # before Sphinx's PreserveTranslatableMessages, at 10

    def apply(self) -> None:
        """Put every text with words into a node."""
        for image in list(self.document.findall(nodes.image)):
            if not image["uri"].endswith(".svg"):
                continue
            file = Path(self.env.relfn2path(image["uri"], self.env.current_document.docname)[1])
            if not file.is_file():  # Sphinx warns of it
                continue
            svg = file.read_text(encoding="utf-8")
            image["svg"] = svg
            image += [figure_text(english=text) for text in labels(svg)]
            for text in unreachable(svg):
                if text not in labels(svg):
                    logger.warning(
                        "a translation cannot reach the words of %r in this figure: write x², µ "
                        "or ∂ instead of a formula, and draw with svg.fonttype 'none'",
                        text,
                        location=image.parent,
                        type="figures",
                    )


class DrawIntoPage(SphinxPostTransform):
    """Exchange images for drawings, where the page is HTML."""

    default_priority = 5  # after MyST-NB chose among the forms of an output, at 4
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Take over what the image had, and the words."""
        for image in list(self.document.findall(nodes.image)):
            if "svg" not in image:
                continue
            texts = list(image.findall(figure_text))
            image.replace_self(
                drawing(
                    svg=image["svg"],
                    alt=image.get("alt", ""),
                    classes=["drawing", *image["classes"]],
                    ids=image["ids"],
                    words={text["english"]: text["shown"] for text in texts},
                    untranslated=[t["english"] for t in texts if "untranslated" in t["classes"]],
                )
            )


def visit_drawing(translator: HTML5Translator, node: drawing) -> None:
    """Draw a figure; pictures inside it become files, as images do."""
    folder = Path(translator.builder.outdir, translator.builder.imagedir)

    def keep(picture: bytes) -> str:
        name = f"{hashlib.sha256(picture).hexdigest()[:16]}.png"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(picture)
        return f"{translator.builder.imgpath}/{name}"

    prefix = f"f{hashlib.sha256(node['svg'].encode()).hexdigest()[:6]}-"
    element = draw(
        node["svg"], node["alt"], prefix, node["words"], frozenset(node["untranslated"]), keep
    )
    if translator.builder.name != "html":  # a book: its reader's device may show white letters
        put_on_paper(element)
    element.set("class", " ".join(node["classes"]))
    if node["ids"]:
        element.set("id", node["ids"][0])
    translator.body.append(write(element) + "\n")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    visitors = (skip, None)
    app.add_node(figure_text, html=visitors, latex=visitors, text=visitors)
    app.add_node(drawing, html=(visit_drawing, None))
    app.add_transform(FindTexts)
    app.add_post_transform(DrawIntoPage)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
