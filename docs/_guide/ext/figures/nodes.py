"""The Sphinx side of figures: nodes for a figure and its labels, and the transforms between."""

import hashlib
from pathlib import Path

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from docs._guide.ext.figures.labels import figure_labels, unreachable
from docs._guide.ext.figures.svg import inline, read, write
from docs._guide.ext.i18n.translatable import translatable_text

logger = logging.getLogger(__name__)


class inline_svg(nodes.General, nodes.Element):
    """A figure that is drawn into the page."""


class ExtractLabels(SphinxTransform):
    """Add the labels of each SVG to its image, before messages are extracted and translated."""

    default_priority = 8  # before Sphinx's PreserveTranslatableMessages, at 10

    def apply(self) -> None:
        """Read every SVG of the page."""
        for image in list(self.document.findall(nodes.image)):
            if not image["uri"].endswith(".svg"):
                continue
            file = Path(self.env.relfn2path(image["uri"], self.env.current_document.docname)[1])
            if not file.is_file():  # Sphinx warns of it
                continue
            image["svg"] = file.read_text(encoding="utf-8")
            texts = figure_labels(read(image["svg"]))
            image += [translatable_text(english=text) for text in texts]
            for text in unreachable(image["svg"]):
                if text not in texts:
                    logger.warning(
                        "a translation cannot reach the words of %r in this figure: write x², µ "
                        "or ∂ instead of a formula, and draw with svg.fonttype 'none'",
                        text,
                        location=image.parent,
                        type="figures",
                    )


class DrawFigures(SphinxPostTransform):
    """Replace the images of figures by inline SVG, in HTML."""

    default_priority = 5  # after MyST-NB chose among the forms of an output, at 4
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Keep the image's classes, ids and alternative text."""
        for image in list(self.document.findall(nodes.image)):
            if "svg" not in image:
                continue
            texts = list(image.findall(translatable_text))
            image.replace_self(
                inline_svg(
                    svg=image["svg"],
                    alt=image.get("alt", ""),
                    classes=["drawing", *image["classes"]],
                    ids=image["ids"],
                    translations={text["english"]: text["text"] for text in texts},
                    untranslated=[t["english"] for t in texts if "untranslated" in t["classes"]],
                )
            )


def visit_inline_svg(translator: HTML5Translator, node: inline_svg) -> None:
    """Write a figure; bitmaps embedded in it become files, as images do."""
    folder = Path(translator.builder.outdir, translator.builder.imagedir)

    def save(png: bytes) -> str:
        name = f"{hashlib.sha256(png).hexdigest()[:16]}.png"
        folder.mkdir(exist_ok=True)
        (folder / name).write_bytes(png)
        return f"{translator.builder.imgpath}/{name}"

    element = inline(
        node["svg"],
        node["translations"],
        untranslated=node["untranslated"],
        alt=node["alt"],
        prefix=f"f{hashlib.sha256(node['svg'].encode()).hexdigest()[:6]}-",
        save_bitmap=save,
    )
    element.set("class", " ".join(node["classes"]))
    if node["ids"]:
        element.set("id", node["ids"][0])
    translator.body.append(write(element) + "\n")
    raise nodes.SkipNode
