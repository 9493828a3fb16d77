"""All that is translated, as entries: the .po files, README and CONTRIBUTING."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from markdown_it.tree import SyntaxTreeNode

from docs._guide.options import LOCALE, ROOT, configured_languages
from docs._guide.po.entry import Entry, Finding, UnreadableCatalog, read, split
from docs._guide.po.markdown import nodes

# What differs by language in links and commands: names of files, anchors, options, placeholders.
LANGUAGE = "|".join(configured_languages())
LOCALIZED = re.compile(
    rf"(?<=\w)[.-](?:{LANGUAGE})(?=\.(?:md|png))|(?<=\.md)#[^)]*"
    rf"|(?<=--language )(?:{LANGUAGE})|(?<=<)[^>/]+(?=>)"
)
SWITCHER = re.compile(r"(\[[^]]*\]\([^)]*\)( · )?)+")  # between the languages, in the first line


def translations(language: str) -> Iterator[Entry]:
    """Read all that is translated into a language; raise UnreadableCatalog for what is damaged.

    Fuzzy entries are left out: no page shows them.
    """
    for file in sorted((LOCALE / language).rglob("*.po")):
        yield from (entry for entry in read(file) if entry.msgstr and not entry.fuzzy)
    for name in ("README", "CONTRIBUTING", "examples/README"):
        if (file := ROOT / f"{name}.{language}.md").exists():
            yield from paired(ROOT / f"{name}.md", file)


def paired(source: Path, file: Path) -> Iterator[Entry]:
    """Pair the blocks of a file with those of its translation, in order."""
    originals, translated = blocks(source), blocks(file)
    if [block.type for block in originals] != [block.type for block in translated]:
        raise UnreadableCatalog(f"{file}: paragraphs, cells and code are not those of {source}")
    line = 0
    for original, translation in zip(originals, translated, strict=True):
        line = translation.map[0] + 1 if translation.map else line
        if original.type == "fence":
            if original.info and original.content != translation.content:
                raise UnreadableCatalog(f"{file}:{line}: the code is not that of {source}")
        elif not SWITCHER.fullmatch(original.content):
            msgid, msgstr = (LOCALIZED.sub("", side.content) for side in (original, translation))
            yield Entry(file, line, msgid, msgstr)


def blocks(file: Path) -> list[SyntaxTreeNode]:
    """The blocks of text and of code in a Markdown file."""
    every = nodes(file.read_text(encoding="utf-8"))
    return [node for node in every if node.type in ("inline", "fence") and node.content]


def report(findings: Iterable[Finding], name: str) -> bool:
    """Print the findings that count, and how many there are; return whether there are any."""
    counted, suppressed = split(findings)
    print(*counted, sep="\n", end="\n" if counted else "")
    print(f"{name}: {len(counted)} findings, {len(suppressed)} suppressed by noqa")
    return bool(counted)
