"""The built site, parsed: each file once for all tests."""

import gzip
import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag
from bs4.filter import SoupStrainer
from lxml import etree, html  # type: ignore[import-untyped]

from docs._guide.options import ROOT, configured_languages

SITE = ROOT / "site"
LANGUAGES = list(configured_languages())
TRANSLATIONS = LANGUAGES[1:]
DOCS = ROOT / "docs"
PAGES = [
    path.relative_to(DOCS).with_suffix("").as_posix()
    for path in sorted(DOCS.rglob("*.md"))
    if not any(part.startswith("_") for part in path.relative_to(DOCS).parts)
]

PRE = re.compile("<pre>.*?</pre>", re.DOTALL)
SPAN = re.compile("</?span[^>]*>")


def has_class(context: Any, name: str) -> bool:
    """XPath's `has-class('a')`, which lxml lacks."""
    return name in context.context_node.get("class", "").split()


etree.FunctionNamespace(None)["has-class"] = has_class


@cache
def tree(path: Path) -> Any:
    """Parse a page with lxml, four times as fast as BeautifulSoup; do not change the result."""
    return html.fromstring(path.read_bytes())


def page_tree(language: str, name: str) -> Any:
    """Parse a page of a language with lxml."""
    return tree(SITE / language / f"{name}.html")


@cache
def soup(path: Path) -> BeautifulSoup:
    """Parse a page with BeautifulSoup; do not change the result: other tests read it too."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "lxml")


def page(language: str, name: str) -> BeautifulSoup:
    """Parse a page of a language with BeautifulSoup."""
    return soup(SITE / language / f"{name}.html")


def article(language: str, name: str) -> Tag:
    """The part of a page that is about its subject."""
    tag = page(language, name).select_one("article")
    assert tag is not None
    return tag


def read_article(language: str, name: str) -> Tag:
    """The article of a page, parsed anew: for a test that reads each page once, or changes it.

    The code has no colors: their spans are three quarters of all elements. Terms are no links: each
    language may use another one first.
    """
    html = (SITE / language / f"{name}.html").read_text(encoding="utf-8")
    article = element(PRE.sub(lambda pre: SPAN.sub("", pre[0]), html), "article")
    for term in article.select("a.term"):
        term.unwrap()
    return article


def element(html: str, name: str) -> Tag:
    """Parse the first element with this name, and nothing else."""
    tag = BeautifulSoup(html, "lxml", parse_only=SoupStrainer(name)).find(name)
    assert isinstance(tag, Tag)
    return tag


@cache
def anchors(path: Path) -> set[str]:
    """Every place in a page that a link can lead to."""
    return set(tree(path).xpath("//@id"))


@cache
def indexed(language: str) -> list[dict[str, Any]]:
    """What the search index of a language has of each page."""
    fragments = (SITE / language / "pagefind").glob("fragment/*.pf_fragment")
    texts = (gzip.decompress(file.read_bytes()).decode() for file in fragments)
    # Korean is decomposed there: docs/_guide/site/search.py says why.
    composed = (unicodedata.normalize("NFC", text) for text in texts)
    pages = [json.loads(text.removeprefix("pagefind_dcd")) for text in composed]
    return [page | {"content": page["content"].replace("\u200b", "")} for page in pages]


def files(pattern: str) -> Iterator[Path]:
    """Every such file of the site."""
    return (path for path in SITE.rglob(pattern) if path.is_file())


def all_pages() -> Iterator[Path]:
    """Every HTML file of the site."""
    return files("*.html")


def target(source: Path, link: str) -> tuple[Path, str] | None:
    """The file and anchor that a link of a page leads to; None where it leaves the site."""
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return None
    path = (source.parent / unquote(parts.path)).resolve() if parts.path else source
    if path.is_dir():
        path /= "index.html"
    return path, unquote(parts.fragment)
