"""The built site, as the tests read it."""

import gzip
import json
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from bs4 import BeautifulSoup, Tag

from docs._make.options import ROOT, configured_languages
from docs._make.versions import older_lines

SITE = ROOT / "site"
LANGUAGES = list(configured_languages())
TRANSLATIONS = LANGUAGES[1:]
DOCS = ROOT / "docs"
PAGES = [
    path.relative_to(DOCS).with_suffix("").as_posix()
    for path in sorted(DOCS.rglob("*.md"))
    if not any(part.startswith("_") for part in path.relative_to(DOCS).parts)
]


@cache
def soup(path: Path) -> BeautifulSoup:
    """Parse a built page; do not change it: other tests read it too."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@cache
def anchors(path: Path) -> set[str]:
    """Every place in a page that a link can lead to."""
    return {str(tag["id"]) for tag in soup(path).select("[id]")}


def page(language: str, name: str) -> BeautifulSoup:
    """Parse a page of a language."""
    return soup(SITE / language / f"{name}.html")


def article(language: str, name: str) -> Tag:
    """The part of a page that is about its subject."""
    found = page(language, name).select_one("article")
    assert found is not None
    return found


def indexed(language: str) -> list[dict[str, Any]]:
    """What the search of a language knows of each page."""
    fragments = (SITE / language / "pagefind").glob("*/fragment/*.pf_fragment")
    texts = (gzip.decompress(file.read_bytes()) for file in fragments)
    # Korean letters are apart there: docs/_make/search_index.py says why.
    whole = (unicodedata.normalize("NFC", text.decode()) for text in texts)
    found = [json.loads(text.removeprefix("pagefind_dcd")) for text in whole]
    return [page | {"content": page["content"].replace("\u200b", "")} for page in found]


def files(pattern: str) -> Iterator[Path]:
    """Every such file of the newest line; older ones were tested when they were built."""
    older = set(older_lines(SITE).values())
    found = (path for path in SITE.rglob(pattern) if path.is_file())
    return (path for path in found if older.isdisjoint(path.parents))


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
