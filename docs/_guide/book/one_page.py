"""Join the pages of an EPUB into one HTML page: a browser prints one page at a time.

Sphinx's builder `singlehtml` lets headings of different pages share an id, so links lead to the
wrong one. Here each id starts with the name of its page.
"""

import posixpath
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag, XMLParsedAsHTMLWarning
from markupsafe import Markup

from docs._guide.options import ROOT
from docs._guide.site.root import template

TEMPLATES = ROOT / "docs" / "_book"


def one_page(folder: Path) -> str:
    """Return the page made of the files in the EPUB builder's output folder."""
    navigation, package = soup(folder / "nav.xhtml"), soup(folder / "content.opf")
    return template("one-page.html", TEMPLATES).render(
        language=element(package, r"dc\:language").text,
        title=element(package, r"dc\:title").text,
        author=element(package, r"dc\:creator").text,
        contents_title=element(navigation, "title").text,
        print_style=(TEMPLATES / "print.css").as_uri(),
        parts=[read_part(folder, item) for item in navigation.select("nav > ol > li")],
    )


def read_part(folder: Path, item: Tag) -> dict[str, Any]:
    """Read an entry of the navigation: a part with its pages, or a page without a part."""
    link, *pages = item.select(":scope > a, :scope > ol > li > a")
    in_part = str(link["href"]).endswith("#")  # as Book.get_toc() marks a part
    chapters = [read_chapter(folder, page, in_part) for page in (pages if in_part else [link])]
    return {"title": link.text if in_part else "", "chapters": chapters}


def read_chapter(folder: Path, link: Tag, in_part: bool) -> dict[str, str]:
    """Read a page; rewrite its ids and links, and lower its headings below those of parts."""
    address = str(link["href"])
    body = element(soup(folder / address), ".body")
    for tag in body.select("[id]"):
        tag["id"] = anchor(f"{address}#{tag['id']}")
    for attribute in ("href", "src"):
        for tag in body.select(f"[{attribute}]"):
            tag[attribute] = moved(address, str(tag[attribute]))
    for tag in body.select("[clip-path]"):
        tag["clip-path"] = f"url({moved(address, str(tag['clip-path'])[4:-1])})"
    for details in body.find_all("details"):
        details["open"] = ""  # on paper nothing can be opened
    if in_part:
        for heading in body.find_all(["h1", "h2", "h3", "h4", "h5"]):
            heading.name = f"h{int(heading.name[1]) + 1}"
    contents = Markup(body.decode_contents())
    return {"title": link.text, "anchor": anchor(address), "body": contents}


def soup(path: Path) -> BeautifulSoup:
    """Parse a file of the EPUB; Sphinx writes XHTML that a parser of HTML reads too."""
    warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


def element(parsed: BeautifulSoup, selector: str) -> Tag:
    """Return the first element that matches."""
    tag = parsed.select_one(selector)
    assert tag is not None, selector
    return tag


def moved(page: str, url: str) -> str:
    """Rewrite a URL in a page for the joined page.

    >>> moved("transforms/grad.xhtml", "jit.xhtml#try-it")
    '#transforms.jit--try-it'
    >>> moved("transforms/grad.xhtml", "../_images/a.svg")
    '_images/a.svg'
    """
    parts = urlsplit(url)
    if parts.scheme or parts.netloc:
        return url
    path = page
    if parts.path:
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(parts.path)))
    return f"#{anchor(f'{path}#{parts.fragment}')}" if path.endswith(".xhtml") else path


def anchor(address: str) -> str:
    """Return the id of a page or of a place in it."""
    path, _, fragment = address.partition("#")
    page = path.removesuffix(".xhtml").replace("/", ".")
    return f"{page}--{fragment}" if fragment else page
