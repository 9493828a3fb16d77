"""The entries of a .po file, and findings about them."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.pofile import PoFileError, read_po

# A whole line with a string; one that was cut off has no closing quotation mark.
STRING = re.compile(r'(?:msg(?:id|str|ctxt|id_plural|str\[\d\]) )?"(?:[^"\\]|\\.)*"')
MSGID = re.compile(r'^msgid (".*"(?:\n".*")*)', re.MULTILINE)
NOQA = re.compile(r"noqa:\s*([\w-]+)\s+\S")


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
    every = list(findings)
    suppressed = [finding for finding in every if finding.rule in finding.entry.suppressed]
    return [finding for finding in every if finding not in suppressed], suppressed


class UnreadableCatalog(Exception):
    """A damaged .po file; Babel and Sphinx would use the part that they can parse."""


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
            texts = str(message.id), str(message.string or "")
            comments = tuple(message.user_comments)
            yield Entry(file, message.lineno or 0, *texts, comments, message.fuzzy)


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
