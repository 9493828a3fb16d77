"""The books that `nox -s books` made, and what they must contain."""

import re
from pathlib import Path

import pytest

from docs._ext.book import basename
from docs._make.books import BOOKS
from docs._make.options import ROOT, configured_languages

LANGUAGES = [code for code in configured_languages() if (BOOKS / f"{basename(code)}.pdf").exists()]
each_language = pytest.mark.parametrize("language", LANGUAGES)


def pages() -> list[str]:
    """The pages of the guide, in the order of its tables of contents."""
    contents = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    found = ["index"]
    for block in re.findall(r"^:::\{toctree\}\n(.*?)^:::", contents, re.MULTILINE | re.DOTALL):
        found += [line for line in block.splitlines() if line and not line.startswith(":")]
    return found


def epub(language: str) -> Path:
    """The EPUB of a language."""
    return BOOKS / f"{basename(language)}.epub"


def pdf(language: str) -> Path:
    """The PDF of a language."""
    return BOOKS / f"{basename(language)}.pdf"
