"""What is translated, as entries: the .po files, README and CONTRIBUTING; and findings about it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.pofile import PoFileError, read_po
from markdown_it.tree import SyntaxTreeNode

from docs._guide.l10n.markdown import nodes
from docs._guide.options import LOCALE, ROOT, configured_languages

# A whole line with a string; one that was cut off has no closing quotation mark.
STRING = re.compile(r'(?:msg(?:id|str|ctxt|id_plural|str\[\d\]) )?"(?:[^"\\]|\\.)*"')
MSGID = re.compile(r'^msgid (".*"(?:\n".*")*)', re.MULTILINE)
NOQA = re.compile(r"noqa:\s*([\w-]+)\s+\S")

# What differs by language in links and commands: names of files, anchors, options, placeholders.
LANGUAGE = "|".join(configured_languages())
LOCALIZED = re.compile(
    rf"(?<=\w)[.-](?:{LANGUAGE})(?=\.(?:md|png))|(?<=\.md)#[^)]*"
    rf"|(?<=--language )(?:{LANGUAGE})|(?<=<)[^>/]+(?=>)"
)
SWITCHER = re.compile(r"(\[[^]]*\]\([^)]*\)( · )?)+")


@dataclass(frozen=True)
class Entry:
    """One message with its translation."""

    file: Path
    line: int
    msgid: str
    msgstr: str
    comments: tuple[str, ...] = ()  # the translator's
    fuzzy: bool = False

    @property
    def suppressed(self) -> set[str]:
        """Rules that do not apply here, each with a reason: `# noqa: rule reason`."""
        return {match[1] for comment in self.comments if (match := NOQA.search(comment))}


@dataclass(frozen=True)
class Finding:
    """What is wrong with a translation, and what to write instead."""

    entry: Entry
    rule: str
    advice: str

    def __str__(self) -> str:
        entry = self.entry
        place = f"{entry.file}:{entry.line}: {self.rule}: {self.advice}"
        return f"{place}\n    {entry.msgid}\n    {entry.msgstr}"


def split(findings: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Separate the findings that count from those that a comment suppresses."""
    counted: list[Finding] = []
    suppressed: list[Finding] = []
    for finding in findings:
        (suppressed if finding.rule in finding.entry.suppressed else counted).append(finding)
    return counted, suppressed


def report(findings: Iterable[Finding], name: str) -> bool:
    """Print the findings that count, and how many there are; return whether there are any."""
    counted, suppressed = split(findings)
    print(*counted, sep="\n", end="\n" if counted else "")
    print(f"{name}: {len(counted)} findings, {len(suppressed)} suppressed by noqa")
    return bool(counted)


class UnreadableCatalog(Exception):
    """A damaged .po file; Babel and Sphinx would use the part that they can parse."""


def catalogs(language: str) -> Iterator[Entry]:
    """Read all entries of a language; raise UnreadableCatalog if a file is damaged."""
    for file in sorted((LOCALE / language).rglob("*.po")):
        yield from read(file)


def read(file: Path) -> Iterator[Entry]:
    """Read the entries of a .po file, in order, without its header.

    Damage raises UnreadableCatalog, which names the line.
    """
    try:
        text = file.read_text(encoding="utf-8")
        validate(text)
        catalog = read_po(text.split("\n"), abort_invalid=True)
    except PoFileError as error:
        raise UnreadableCatalog(f"{file}:{error.lineno + 1}: {error}") from error
    except ValueError as error:  # UnicodeDecodeError is one
        raise UnreadableCatalog(f"{file}: {error}") from error
    for message in catalog:
        if message.id:
            yield Entry(
                file=file,
                line=message.lineno or 0,
                msgid=str(message.id),
                msgstr=str(message.string or ""),
                comments=tuple(message.user_comments),
                fuzzy=message.fuzzy,
            )


def validate(text: str) -> None:
    """Raise ValueError for damage that Babel ignores."""
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        if line and not line.startswith("#") and not STRING.fullmatch(line):
            raise ValueError(f"line {number} is cut off, or a quotation mark has no backslash")
    for msgid, count in Counter(MSGID.findall(text)).items():
        if count > 1:
            raise ValueError(f"there are two entries of {msgid}")
    if "charset=utf-8" not in text.lower():
        raise ValueError("the header must declare charset=utf-8")


def translations(language: str) -> Iterator[Entry]:
    """Read all that is translated into a language; raise UnreadableCatalog for what is damaged."""
    yield from catalogs(language)
    for name in ("README", "CONTRIBUTING"):
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
