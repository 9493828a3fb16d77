"""Patterns that must not occur in Korean, and those that advice.py counts.

One a line of a table in locale/: a rule, a regular expression over the prose, what to write
instead, and an example of each, which a test runs. A line without advice defines «NAME» for the
lines below it. «CODE» matches a code span or formula; «ㄴ» and «ㄹ» match a syllable that ends
in that consonant, and «OPEN» one that ends in a vowel.
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

UNCHANGED = re.compile(r"[가-힣、。「」]|\d[A-Za-z]+$")


class Pattern(NamedTuple):
    """One line."""

    rule: str
    regex: re.Pattern[str]
    advice: str
    wrong: str
    right: str


@cache
def load(table: str) -> tuple[dict[str, str], tuple[Pattern, ...]]:
    """Return the definitions, and the patterns, of a table such as `ko/patterns.tsv`."""
    names = {"CODE": HOLE, "ㄴ": syllables("ㄴ"), "ㄹ": syllables("ㄹ"), "OPEN": syllables("")}
    patterns: list[Pattern] = []
    with (LOCALE / table).open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE):
            source = re.sub("«(.+?)»", lambda name: names[name[1]], row["pattern"])
            if row["advice"]:
                examples = row["wrong"] or row["pattern"], row["right"] or row["advice"]
                patterns.append(Pattern(row["rule"], re.compile(source), row["advice"], *examples))
            else:
                names[row["rule"]] = source
    return names, tuple(patterns)


def matches(entry: Entry, table: str) -> Iterator[Finding]:
    """Yield a finding for each place of a translation that matches."""
    text = prose(entry.msgstr)
    for pattern in load(table)[1]:
        for match in pattern.regex.finditer(text):
            # Units and examples remain as the English has them.
            if not (UNCHANGED.search(match[0]) and match[0] in entry.msgid):
                place = match[0].strip().replace(HOLE, "…")
                yield Finding(entry, pattern.rule, f"{place} → {pattern.advice}")


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield the findings of a language's patterns."""
    return matches(entry, f"{language}/patterns.tsv")
