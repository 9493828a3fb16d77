"""What the gate reads and what it says: one entry of a .po file, one finding about it."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sphinx_intl.catalog import load_po

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


def read(file: Path) -> Iterator[Entry]:
    """Read the entries of a .po file, in order, without its header."""
    for message in load_po(file):
        if message.id:
            yield Entry(
                file=file,
                line=message.lineno or 0,
                msgid=str(message.id),
                msgstr=str(message.string or ""),
                comments=tuple(message.user_comments),
                fuzzy=message.fuzzy,
            )
