"""README and CONTRIBUTING, which no .po translates, as entries for the same checks."""

import re
from collections.abc import Iterator
from pathlib import Path

from markdown_it.token import Token

from docs._guide.l10n.entry import Entry, UnreadableCatalog, catalogs
from docs._guide.l10n.markdown import parser
from docs._guide.options import ROOT

DOCUMENTS = ("README", "CONTRIBUTING")
# What differs by language in links and commands: names of files, anchors, options, placeholders.
LOCALIZED = re.compile(
    r"(?<=\w)[.-](?:en|ja|ko)(?=\.(?:md|png))|(?<=\.md)#[^)]*"
    r"|(?<=-- )(?:ja|ko)(?=`)|(?<=--language )(?:ja|ko)|(?<=<)[^>/]+(?=>)"
)
SWITCHER = re.compile(r"(\[[^]]*\]\([^)]*\)( · )?)+")


def translations(language: str) -> Iterator[Entry]:
    """Read all that is translated into a language.

    Raises:
        UnreadableCatalog: a file is damaged, or its structure is not that of the English.
    """
    yield from catalogs(language)
    yield from documents(language)


def documents(language: str) -> Iterator[Entry]:
    """Pair each block of the documents with its translation.

    Raises:
        UnreadableCatalog: a translation has more or fewer blocks, or other commands.
    """
    for name in DOCUMENTS:
        file = ROOT / f"{name}.{language}.md"
        yield from paired(ROOT / f"{name}.md", file)


def paired(source: Path, file: Path) -> Iterator[Entry]:
    """Pair the blocks of a file with those of its translation, in order."""
    originals, translations = blocks(source), blocks(file)
    kinds = [[token.type for token in tokens] for tokens in (originals, translations)]
    if kinds[0] != kinds[1]:
        raise UnreadableCatalog(f"{file}: paragraphs, cells and code are not those of {source}")
    line = 0
    for original, translation in zip(originals, translations, strict=True):
        line = translation.map[0] + 1 if translation.map else line
        if original.type == "fence":
            if original.info and original.content != translation.content:
                raise UnreadableCatalog(f"{file}:{line}: the code is not that of {source}")
        elif not SWITCHER.fullmatch(original.content):
            yield Entry(file, line, neutral(original.content), neutral(translation.content))


def blocks(file: Path) -> list[Token]:
    """The blocks of text and of code in a Markdown file."""
    return [
        token
        for token in parser().parse(file.read_text(encoding="utf-8"))
        if token.type in ("inline", "fence") and token.content
    ]


def neutral(text: str) -> str:
    """Remove from links and commands what differs by language.

    >>> neutral("[a](A.ja.md#b), ![](page-en.png), `nox -s books -- ja`, `<name>.py`")
    '[a](A.md), ![](page.png), `nox -s books -- `, `<>.py`'
    """
    return LOCALIZED.sub("", text)
