"""The gate finds what is wrong in sentences of our own, and nothing in good ones."""

import csv
from functools import cache
from pathlib import Path

import pytest

from docs._l10n import whole
from docs._l10n.entry import Entry, Finding
from docs._l10n.gate import CHECKS

FOLDER = Path(__file__).parent / "sentences"
LANGUAGES = sorted(path.stem for path in FOLDER.glob("*.tsv"))
CAUGHT = 0.95  # of the bad sentences, each by the rule it breaks

Sentence = tuple[str, Entry]  # the rule it breaks, or "" if it is good


@cache
def sentences(language: str) -> tuple[Sentence, ...]:
    """Read the labelled sentences of a language."""
    path = FOLDER / f"{language}.tsv"
    with path.open(encoding="utf-8", newline="") as lines:
        rows = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        return tuple(
            (row["rule"], Entry(path, line, row["msgid"], row["msgstr"]))
            for line, row in enumerate(rows, start=2)
        )


def good(language: str) -> list[Entry]:
    return [entry for rule, entry in sentences(language) if not rule]


def bad(language: str) -> list[Sentence]:
    return [(rule, entry) for rule, entry in sentences(language) if rule]


def findings(entry: Entry, language: str) -> list[Finding]:
    """What the gate says about one sentence, alone and among the good ones."""
    alone = [found for module in CHECKS for found in module.check(entry, language)]
    others = [other for other in good(language) if other is not entry]
    before = {(found.entry, found.rule) for found in whole.check_all(others, language)}
    among = whole.check_all([*others, entry], language)
    return alone + [found for found in among if (found.entry, found.rule) not in before]


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_are_enough_sentences(language: str) -> None:
    assert len(good(language)) >= 60
    assert len(bad(language)) >= 60


@pytest.mark.parametrize("language", LANGUAGES)
def test_good_sentences_pass(language: str) -> None:
    flagged = [str(found) for entry in good(language) for found in findings(entry, language)]
    assert not flagged, "\n".join(flagged)


@pytest.mark.parametrize("language", LANGUAGES)
def test_bad_sentences_are_caught_by_the_rule_they_break(language: str) -> None:
    missed = [
        f"{rule}: {entry.file.name}:{entry.line}: {entry.msgstr}"
        for rule, entry in bad(language)
        if rule not in {found.rule for found in findings(entry, language)}
    ]
    print(*missed, sep="\n")  # pytest -rP shows them even if there are few
    share = 1 - len(missed) / len(bad(language))
    assert share >= CAUGHT, f"{share:.1%} caught; missed:\n" + "\n".join(missed)
