"""Patterns that must not occur in Korean: the table locale/ko/patterns.tsv.

One a line: a rule, a regular expression over the prose, what to write instead, and an example of
each, which a test runs. A line without advice defines «NAME» for the lines below it. «CODE» matches
a code span or formula; «ㄴ» and «ㄹ» match a syllable that ends in that consonant, and «OPEN» one
that ends in a vowel.
"""

import csv
import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.ko.sounds import syllables
from docs._guide.l10n.markdown import HOLE, prose
from docs._guide.options import LOCALE

TABLE = LOCALE / "ko" / "patterns.tsv"
UNCHANGED = re.compile(r"[가-힣、。「」]|\d[A-Za-z]+$")


class Pattern(NamedTuple):
    """One line."""

    rule: str
    regex: re.Pattern[str]
    advice: str
    wrong: str
    right: str


@cache
def load() -> tuple[dict[str, str], tuple[Pattern, ...]]:
    """Return the definitions and the patterns of the table."""
    names = {"CODE": HOLE, "ㄴ": syllables("ㄴ"), "ㄹ": syllables("ㄹ"), "OPEN": syllables("")}
    patterns: list[Pattern] = []
    with TABLE.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            source = re.sub("«(.+?)»", lambda name: names[name[1]], row["pattern"])
            if row["advice"]:
                examples = row["wrong"] or row["pattern"], row["right"] or row["advice"]
                patterns.append(Pattern(row["rule"], re.compile(source), row["advice"], *examples))
            else:
                names[row["rule"]] = source
    return names, tuple(patterns)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each place of a translation that matches."""
    text = prose(entry.msgstr)
    for pattern in load()[1]:
        for match in pattern.regex.finditer(text):
            # Units and examples remain as the English has them.
            if not (UNCHANGED.search(match[0]) and match[0] in entry.msgid):
                place = match[0].strip().replace(HOLE, "…")
                yield Finding(entry, pattern.rule, f"{place} → {pattern.advice}")
