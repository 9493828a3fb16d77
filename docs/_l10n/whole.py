"""Rules that see all pages of a language: the same words for the same words."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations

from docs._l10n.entry import Entry, Finding
from docs._l10n.markdown import HOLE, prose

# Two labels may well have one translation; two sentences may not.
SENTENCE = 25  # characters of English
# Sentences that differ by less than this share are the same but for a word.
ALIKE = 0.75


def check_all(entries: Sequence[Entry], language: str) -> Iterator[Finding]:
    """One message has one translation, and two different messages have two.

    >>> from pathlib import Path
    >>> def rules(*pairs):
    ...     entries = [Entry(Path("p.po"), 1, *pair) for pair in pairs]
    ...     return [finding.rule for finding in check_all(entries, "ja")]
    >>> rules(("Exercises", "練習問題"), ("Exercises", "演習"), ("Exercises", "練習問題"))
    ['consistent']
    >>> rules(("Next", "次"), ("The next one", "次"))
    []
    >>> both = "ループは値を返します。"
    >>> rules(("The loop returns its value.", both), ("Arrays live on the device here.", both))
    ['repeated']
    """
    translated = [entry for entry in entries if entry.msgstr]
    for same in grouped(translated, "msgid"):
        yield from inconsistent(same)
    for same in grouped(translated, "msgstr"):
        yield from repeated(same)


def grouped(entries: Iterable[Entry], field: str) -> Iterable[list[Entry]]:
    """Entries that share a field."""
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        groups[getattr(entry, field)].append(entry)
    return groups.values()


def inconsistent(same: list[Entry]) -> Iterator[Finding]:
    """Translations of one message that are not the usual one."""
    # One that is meant to differ is not what the others have to follow.
    ordinary = [entry for entry in same if "consistent" not in entry.silenced()] or same
    usual = Counter(entry.msgstr for entry in ordinary).most_common(1)[0][0]
    where = next(entry for entry in ordinary if entry.msgstr == usual)
    for entry in same:
        if entry.msgstr != usual:
            advice = f"{where.file}:{where.line} translates the same as {usual!r}"
            yield Finding(entry, "consistent", advice)


def repeated(same: list[Entry]) -> Iterator[Finding]:
    """A translation that stands for two different sentences: one of them is a slip."""
    messages = {entry.msgid: entry for entry in same if len(words(entry.msgid)) >= SENTENCE}
    for first, second in combinations(messages.values(), 2):
        if SequenceMatcher(None, words(first.msgid), words(second.msgid)).ratio() < ALIKE:
            advice = f"{first.file}:{first.line} has this translation, of other words"
            yield Finding(second, "repeated", advice)


def words(msgid: str) -> str:
    """The words of a message, as far as two may be alike.

    >>> words("The `scan`, and its relatives!")
    'the and its relatives'
    """
    return " ".join(re.findall(r"\w+", prose(msgid).replace(HOLE, " ").lower()))
