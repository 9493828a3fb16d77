"""The guide as an EPUB: Sphinx's builder, and what it lacks for books in three languages.

Upstream gaps, one method each: no `lang` on the pages, English strings in the navigation, no parts
(captions of toctrees are lost), no manifest properties for MathML, SVG and the cover, another
identifier in toc.ncx than in content.opf, and the time of the build in the ZIP.
"""

import os
import re
import time
import uuid
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.epub3 import Epub3Builder
from sphinx.config import Config
from sphinx.locale import _

from docs._guide.options import BUILD, ROOT

BOOKS = ROOT / "books"
PROPERTIES = {"<math": "mathml", "<svg": "svg"}  # of pages that contain such a tag


class Book(Epub3Builder):
    """Replaces Sphinx's builder `epub`."""

    def init(self) -> None:
        """Use the templates and styles of a book instead of the site's."""
        language, config = self.config.language, self.config
        config.templates_path = ["_book", "_templates"]
        config.html_static_path = ["_book/static", str(cover(language))]
        config.html_additional_pages = {}
        config.html_extra_path = []
        config.pygments_style = "a11y-high-contrast-light"
        self.guide_titles = {"toc": _("Contents"), "cover": _("Cover")}
        namespaces = (
            'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
        )
        self.html_tag = f'<html {namespaces} lang="{language}" xml:lang="{language}">'
        super().init()

    def get_toc(self) -> None:
        """Nest the pages of each toctree under its caption, which links to the first of them."""
        super().get_toc()
        captions = {
            self.get_target_uri(toctree["includefiles"][0]): toctree["caption"]
            for toctree in self.env.master_doctree.findall(addnodes.toctree)
            if toctree.get("caption")
        }
        nested, in_part = [], False
        for node in self.refnodes:
            if caption := captions.get(node["refuri"]):
                nested.append({"level": 1, "refuri": f"{node['refuri']}#", "text": caption})
                in_part = True
            nested.append(node | {"level": node["level"] + in_part})
        self.refnodes = nested

    def toc_metadata(self, level: int, navpoints: list[Any]) -> dict[str, Any]:
        """Identify the book in toc.ncx as in content.opf."""
        return super().toc_metadata(level, navpoints) | {"uid": self.config.epub_identifier}

    def build_content(self) -> None:
        """Add to the manifest what the pages contain, and which image is the cover."""
        super().build_content()
        path = Path(self.outdir, "content.opf")
        package = path.read_text(encoding="utf-8")
        item = r'<item [^>]*?href="([^"]+)"[^>]*?(?= />)'
        path.write_text(re.sub(item, self.add_properties, package), encoding="utf-8")

    def add_properties(self, item: re.Match[str]) -> str:
        """Add the properties of a file to its item of the manifest."""
        properties = ""
        if item[1] == f"_static/{cover(self.config.language).name}":
            properties = "cover-image"
        elif item[1].endswith(self.out_suffix):
            page = Path(self.outdir, item[1]).read_text(encoding="utf-8")
            properties = " ".join(name for tag, name in PROPERTIES.items() if tag in page)
        return f'{item[0]} properties="{properties}"' if properties else item[0]

    def build_epub(self) -> None:
        """Give all files the same time, so that the same pages make the same book."""
        moment = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
        for name in ("mimetype", "META-INF/container.xml", "content.opf", "toc.ncx", *self.files):
            os.utime(Path(self.outdir, name), (moment, moment))
        super().build_epub()


def configure(app: Sphinx, config: Config) -> None:
    """Set the book's metadata in its language, and that the site has the books beside its pages."""
    config.version = version("jax")
    config.epub_basename = basename(config.language)
    config.epub_title = _("JAX guide")
    config.epub_description = _("Every code cell was run, unless it says otherwise.")
    books = sorted(BOOKS.glob(f"{config.epub_basename}.*"))
    config.html_extra_path = list(map(str, books))
    config.html_context["books"] = [(book.name, book.stat().st_size / 1e6) for book in books]
    config.epub_identifier = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_DNS, config.epub_basename)}"


def basename(language: str) -> str:
    """The name of a language's books, without the suffix."""
    return f"jax-guide-{language}"


def cover(language: str) -> Path:
    """The image of a book's cover, which only a browser can typeset well (__main__.py)."""
    return BUILD / language / "cover" / "cover.png"


def repair_summaries(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Replace the paragraphs in MyST-NB's summaries of hidden cells, which EPUB forbids there."""
    if isinstance(app.builder, Book) and "body" in context:
        body = context["body"].replace(' aria-label="Toggle hidden content"', "")
        paragraph = r'<p class="((?:collapsed|expanded) [^"]*)">(.*?)</p>'
        context["body"] = re.sub(paragraph, r'<span class="\1">\2</span>', body)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_builder(Book, override=True)
    app.connect("config-inited", configure)
    app.connect("html-page-context", repair_summaries)
