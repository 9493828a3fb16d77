"""The guide as an EPUB: Sphinx's own builder, with what it lacks for books in three languages.

Upstream gaps, each filled by one method below: Sphinx's EPUB has no `lang` on its pages, English
words in its navigation, no parts (captions of tables of contents are lost), no manifest properties
for MathML, SVG and the cover, another identifier in toc.ncx, and the time of the build in its ZIP.
"""

import os
import re
import shutil
import time
import uuid
from importlib.metadata import version
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders._epub_base import NavPoint
from sphinx.builders.epub3 import Epub3Builder
from sphinx.config import Config
from sphinx.locale import _

from docs._ext.originals import originals

COVER = "cover.png"  # drawn by docs/_make/books.py, since only a browser sets CJK titles well
# What EPUB wants to be told of a page: its name there, by how it begins.
INSIDE = {"<math": "mathml", "<svg": "svg"}


class Book(Epub3Builder):
    """Takes the place of Sphinx's builder `epub`."""

    def init(self) -> None:
        """Take a book's templates and styles instead of the site's."""
        language, config = self.config.language, self.config
        config.templates_path = ["_book", "_templates"]
        config.html_static_path = ["_book/static", str(cover_of(self.outdir).parent)]
        config.pygments_style = "a11y-high-contrast-light"
        self.guide_titles = {"toc": _("Contents"), "cover": _("Cover")}
        names = 'xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"'
        self.html_tag = f'<html {names} lang="{language}" xml:lang="{language}">'
        super().init()

    def get_toc(self) -> None:
        """Put the pages of each table of contents under its caption, which leads to the first."""
        super().get_toc()
        nested = []
        captions = self.captions()
        inside = False
        for node in self.refnodes:
            if caption := captions.get(node["refuri"]):
                nested.append({"level": 1, "refuri": f"{node['refuri']}#", "text": caption})
                inside = True
            nested.append(node | {"level": node["level"] + inside})
        self.refnodes = nested

    def captions(self) -> dict[str, str]:
        """The caption of each table of contents, by the file that comes first in it."""
        contents = self.env.master_doctree.findall(addnodes.toctree)
        return {
            self.get_target_uri(each["includefiles"][0]): each["caption"]
            for each in contents
            if each.get("caption")
        }

    def toc_metadata(self, level: int, navpoints: list[NavPoint]) -> dict[str, Any]:
        """Identify the book in toc.ncx as in content.opf."""
        return super().toc_metadata(level, navpoints) | {"uid": self.config.epub_identifier}

    def build_content(self) -> None:
        """Say in the manifest what is inside the pages, and which picture is the cover."""
        super().build_content()
        path = Path(self.outdir, "content.opf")
        lines = path.read_text(encoding="utf-8").splitlines()
        for number, line in enumerate(lines):
            href = line.partition('href="')[2].partition('"')[0]
            if line.strip().startswith("<item ") and (found := self.properties(href)):
                lines[number] = line.replace(" />", f' properties="{found}" />')
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def properties(self, href: str) -> str:
        """The manifest's properties of a file."""
        if href == f"_static/{COVER}":
            return "cover-image"
        if href.endswith(self.out_suffix) and href in self.files:
            page = Path(self.outdir, href).read_text(encoding="utf-8")
            return " ".join(name for start, name in INSIDE.items() if start in page)
        return ""

    def build_epub(self) -> None:
        """Give every file the same time, so that the same pages make the same book."""
        moment = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
        for name in ("mimetype", "META-INF/container.xml", "content.opf", "toc.ncx", *self.files):
            os.utime(Path(self.outdir, name), (moment, moment))
        super().build_epub()


def describe_the_book(app: Sphinx, config: Config) -> None:
    """Say in the book's language what conf.py says before the language is known."""
    config.version = version("jax")  # an edition for each JAX
    config.epub_basename = basename(config.language)
    config.epub_title = _("JAX guide")
    config.epub_description = _("Every line of code was run to make this book.")
    config.epub_identifier = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_DNS, config.epub_basename)}"


def basename(language: str) -> str:
    """Name a language's books, without the ending."""
    return f"jax-guide-{language}"


def cover_of(outdir: Path) -> Path:
    """Where the cover of the book that is built in a folder must be."""
    return Path(outdir).parent / "cover" / COVER


def leave_out_originals(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """No script can show the English originals in a book."""
    if isinstance(app.builder, Book):
        for each in list(doctree.findall(originals)):
            each.parent.remove(each)


def tidy_summaries(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Write MyST-NB's labels of hidden cells as EPUB demands: a summary holds no paragraph."""
    if isinstance(app.builder, Book) and "body" in context:
        body = context["body"].replace(' aria-label="Toggle hidden content"', "")
        paragraph = r'<p class="((?:collapsed|expanded) [^"]*)">(.*?)</p>'
        context["body"] = re.sub(paragraph, r'<span class="\1">\2</span>', body)


def offer_books(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give the page's template what `nox -s books` made."""
    context["books"] = [
        {
            "kind": path.suffix[1:].upper(),
            "address": context["pathto"](path.name, resource=True),
            "megabytes": f"{path.stat().st_size / 1e6:.1f}",
        }
        for path in map(Path, app.config.books)
    ]


def publish_books(app: Sphinx, error: Exception | None) -> None:
    """Copy the books beside the pages, and remove those that are no longer there."""
    if error is None and app.builder.name == "html":
        for published in app.outdir.glob(f"{basename(app.config.language)}.*"):
            published.unlink()
        for path in app.config.books:
            shutil.copy(path, app.outdir)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("books", [], "html", list)
    app.add_builder(Book, override=True)
    app.connect("config-inited", describe_the_book)
    app.connect("html-page-context", tidy_summaries)
    app.connect("html-page-context", offer_books)
    app.connect("build-finished", publish_books)
    app.connect("doctree-resolved", leave_out_originals)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
