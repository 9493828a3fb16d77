"""What the gate reads and what it says: one entry of a .po file, one finding about it."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.pofile import PoFileError, read_po

# A line of a .po with a text in it, whole: what was cut off has no closing quotation mark.
TEXT = re.compile(r'(?:msg(?:id|str|ctxt|id_plural|str\[\d\]) )?"(?:[^"\\]|\\.)*"')
MSGID = re.compile(r'^msgid (".*"(?:\n".*")*)', re.MULTILINE)
NOQA = re.compile(r"noqa:\s*([\w-]+)\s+(\S.*)")


@dataclass(frozen=True)
class Entry:
    """One message with its translation."""

    file: Path
    line: int
    msgid: str
    msgstr: str
    comments: tuple[str, ...] = ()  # the translator's
    fuzzy: bool = False

    def silenced(self) -> set[str]:
        """Rules that the translator silences here, each with a reason: `# noqa: rule reason`."""
        return {found[1] for comment in self.comments if (found := NOQA.search(comment))}


@dataclass(frozen=True)
class Finding:
    """Something wrong with a translation, and what to write instead."""

    entry: Entry
    rule: str
    advice: str

    def __str__(self) -> str:
        entry = self.entry
        told = f"{entry.file}:{entry.line}: {self.rule}: {self.advice}"
        return f"{told}\n    {entry.msgid}\n    {entry.msgstr}"


def split(found: Iterable[Finding]) -> tuple[list[Finding], list[Finding]]:
    """Tell what is wrong from what a translator has silenced with a reason."""
    wrong: list[Finding] = []
    silenced: list[Finding] = []
    for finding in found:
        (silenced if finding.rule in finding.entry.silenced() else wrong).append(finding)
    return wrong, silenced


class UnreadableCatalogue(Exception):
    """A .po that is not one: Babel takes what it can make of it, and Sphinx shows that."""


def read(file: Path) -> Iterator[Entry]:
    """Read the entries of a .po file, in order, without its header.

    Raises:
        UnreadableCatalogue: it is damaged; says where.
    """
    try:
        text = file.read_text(encoding="utf-8")
        require_whole(text)
        catalogue = read_po(text.split("\n"), abort_invalid=True)
    except PoFileError as error:
        raise UnreadableCatalogue(f"{file}:{error.lineno + 1}: {error}") from error
    except ValueError as error:  # also bytes that are no UTF-8
        raise UnreadableCatalogue(f"{file}: {error}") from error
    for message in catalogue:
        if message.id:
            yield Entry(
                file=file,
                line=message.lineno or 0,
                msgid=str(message.id),
                msgstr=str(message.string or ""),
                comments=tuple(message.user_comments),
                fuzzy=message.fuzzy,
            )


def require_whole(text: str) -> None:
    r"""Refuse what Babel would take without a word.

    >>> require_whole('msgid "a"\nmsgstr "b')
    Traceback (most recent call last):
    ...
    ValueError: line 2 is cut off, or a quotation mark has no backslash
    >>> require_whole('msgid "a"\nmsgstr "b"\nmsgid "a"\nmsgstr "c"')
    Traceback (most recent call last):
    ...
    ValueError: there are two entries of "a"
    """
    for number, line in enumerate(map(str.strip, text.split("\n")), start=1):
        if line and not line.startswith("#") and not TEXT.fullmatch(line):
            raise ValueError(f"line {number} is cut off, or a quotation mark has no backslash")
    for msgid, times in Counter(MSGID.findall(text)).items():
        if times > 1:
            raise ValueError(f"there are two entries of {msgid}")
    if "charset=utf-8" not in text.lower():
        raise ValueError("the header must say charset=utf-8")
