"""The rules find what is wrong in labelled sentences, and nothing in good ones."""

import csv
from functools import cache
from pathlib import Path

import pytest

from docs._guide.l10n.__main__ import check
from docs._guide.l10n.ko import patterns
from docs._guide.po.entry import Entry
from docs._guide.po.markdown import prose
from docs._guide.po.termbase import LANGUAGES

FOLDER = Path(__file__).parent / "sentences"
# Rules of sentences that tests/lint tests.
EXTERNAL = ("textlint", "spelling")
SHARE = 0.95  # of the bad sentences, each found by the rule it breaks


@cache
def sentences(language: str) -> list[tuple[str, Entry]]:
    """The rule that a sentence breaks, or "" for a good one; and the sentence."""
    path = FOLDER / f"{language}.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        return [
            (row["rule"], Entry(path, line, row["msgid"], row["msgstr"]))
            for line, row in enumerate(
                csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), start=2
            )
        ]


def good(language: str) -> list[Entry]:
    return [entry for rule, entry in sentences(language) if not rule]


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_sentences_have_no_findings(language: str) -> None:
    assert len(good(language)) >= 60
    assert list(map(str, check(good(language), language))) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_sentences_are_found_by_the_rule_they_break(language: str) -> None:
    bad = [(rule, entry) for rule, entry in sentences(language) if rule not in ("", *EXTERNAL)]
    entries = [*good(language), *(entry for _, entry in bad)]
    findings = {(finding.entry, finding.rule) for finding in check(entries, language)}
    missed = [f"{rule}: {entry}" for rule, entry in bad if (entry, rule) not in findings]
    assert len(bad) >= 50
    assert len(missed) <= (1 - SHARE) * len(bad), missed


def test_every_pattern_finds_its_example() -> None:
    for row, regex in patterns.load():
        assert regex.search(prose(row["wrong"])), row
        assert not regex.search(prose(row["right"])), row
