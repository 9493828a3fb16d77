"""The books that `nox -s books` made, and the pages that they must contain."""

import re
from pathlib import Path

import pytest

from docs._guide.book.epub import BOOKS, basename
from docs._guide.options import ROOT, configured_languages

LANGUAGES = [code for code in configured_languages() if (BOOKS / f"{basename(code)}.pdf").exists()]
each_language = pytest.mark.parametrize("language", LANGUAGES)


def pages() -> list[str]:
    """The pages of the guide, in the order of its tables of contents."""
    contents = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    names = ["index"]
    for block in re.findall(r"^:::\{toctree\}\n(.*?)^:::", contents, re.MULTILINE | re.DOTALL):
        names += [line for line in block.splitlines() if line and not line.startswith(":")]
    return names


def epub(language: str) -> Path:
    """The EPUB of a language."""
    return BOOKS / f"{basename(language)}.epub"


def pdf(language: str) -> Path:
    """The PDF of a language."""
    return BOOKS / f"{basename(language)}.pdf"
