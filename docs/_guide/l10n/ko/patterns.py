"""Patterns that must not occur in Korean: the table locale/ko/patterns.tsv.

One a line: a rule, a regular expression over the prose, what to write instead, and an example of
each, which a test runs. «CODE» matches a code span or formula, «END» the end of a word.
"""

import csv
import re
from collections.abc import Iterator
from functools import cache

from docs._guide.options import LOCALE
from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import HOLE, prose

UNCHANGED = re.compile(r"[가-힣、。「」]|\d[A-Za-z]+$")


@cache
def load() -> list[tuple[dict[str, str], re.Pattern[str]]]:
    """Return the lines, each with its regular expression."""
    with (LOCALE / "ko" / "patterns.tsv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
    names = {"«CODE»": HOLE, "«END»": "(?![가-힣])"}
    return [
        (row, re.compile(re.sub("«.+?»", lambda name: names[name[0]], row["pattern"])))
        for row in rows
    ]


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each place of a translation that matches."""
    text = prose(entry.msgstr)
    for row, regex in load():
        for match in regex.finditer(text):
            # Units and examples remain as the English has them.
            if not (UNCHANGED.search(match[0]) and match[0] in entry.msgid):
                place = match[0].strip().replace(HOLE, "…")
                yield Finding(entry, row["rule"], f"{place} → {row['advice']}")
