"""Put the pages of an EPUB into one, to be printed: a browser prints one page at a time.

Sphinx's own builder of one page (`singlehtml`) lets headings of different pages share an id, so
that links lead to the wrong one. Here each id carries the name of its page.
"""

import posixpath
import warnings
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from docs._make.options import ROOT

TEMPLATES = ROOT / "docs" / "_book"


class Chapter(NamedTuple):
    """A page of the guide, as it is in the book."""

    title: str
    anchor: str
    body: Markup


class Part(NamedTuple):
    """Pages under a common title; the first page of all is under none."""

    title: str
    chapters: list[Chapter]


def one_page(folder: Path) -> str:
    """Join what the EPUB's builder left in a folder."""
    navigation, package = soup(folder / "nav.xhtml"), soup(folder / "content.opf")
    templates = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, autoescape=True
    )
    templates.filters["css_string"] = css_string
    return templates.get_template("one-page.html").render(
        language=text(package, r"dc\:language"),
        title=text(package, r"dc\:title"),
        author=text(package, r"dc\:creator"),
        contents_title=text(navigation, "title"),
        print_style=(TEMPLATES / "print.css").as_uri(),
        parts=[read_part(folder, item) for item in navigation.select("nav > ol > li")],
    )


def read_part(folder: Path, item: Tag) -> Part:
    """Read what an entry of the navigation has below it, or the single page that it is."""
    title, *pages = item.select(":scope > a, :scope > ol > li > a")
    # The address of a part is that of its first page, but for the `#` at its end.
    if str(title["href"]).endswith("#"):
        return Part(title.get_text(), [read_chapter(folder, page, True) for page in pages])
    return Part("", [read_chapter(folder, title, False)])


def read_chapter(folder: Path, link: Tag, in_part: bool) -> Chapter:
    """One page: ids and links as they must be beside all others, headings under their part's."""
    address = str(link["href"])
    body = soup(folder / address).select_one(".body")
    assert body is not None
    for element in body.select("[id]"):
        element["id"] = anchor(f"{address}#{element['id']}")
    for attribute in ("href", "src"):
        for element in body.select(f"[{attribute}]"):
            element[attribute] = moved(address, str(element[attribute]))
    for element in body.select("[clip-path]"):
        element["clip-path"] = f"url({moved(address, str(element['clip-path'])[4:-1])})"
    for details in body.find_all("details"):
        details["open"] = ""  # paper opens nothing
    if in_part:
        for heading in body.find_all(["h1", "h2", "h3", "h4", "h5"]):
            heading.name = f"h{int(heading.name[1]) + 1}"
    return Chapter(link.get_text(), anchor(address), Markup(body.decode_contents()))


def soup(path: Path) -> BeautifulSoup:
    """Parse one of the EPUB's files; all of them are written so that HTML's parser reads them."""
    warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def text(parsed: BeautifulSoup, selector: str) -> str:
    """The words of the element that there is one of."""
    found = parsed.select_one(selector)
    assert found is not None
    return found.get_text()


def moved(page: str, reference: str) -> str:
    """Say from the joined page what a page said from its own place.

    >>> moved("transforms/grad.xhtml", "jit.xhtml#try-it")
    '#transforms.jit--try-it'
    >>> moved("transforms/grad.xhtml", "../_images/a.svg")
    '_images/a.svg'
    """
    parts = urlsplit(reference)
    if parts.scheme or parts.netloc:
        return reference
    path = page
    if parts.path:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
    return f"#{anchor(f'{path}#{parts.fragment}')}" if path.endswith(".xhtml") else path


def anchor(address: str) -> str:
    """Name a place of the book.

    >>> anchor("transforms/grad.xhtml#try-it"), anchor("index.xhtml")
    ('transforms.grad--try-it', 'index')
    """
    path, _, fragment = address.partition("#")
    page = path.removesuffix(".xhtml").replace("/", ".")
    return f"{page}--{fragment}" if fragment else page


def css_string(words: str) -> Markup:
    r"""Quote some words for a style sheet.

    >>> print(css_string('the "scan"'))
    "the \"scan\""
    """
    quoted = words.replace("\\", r"\\").replace('"', r"\"").replace("<", r"\3c ")
    return Markup(f'"{quoted}"')
