"""textlint with its settings finds the labelled bad sentences, and nothing in good ones."""

from pathlib import Path

import pytest

from docs._guide.l10n import textlint
from docs._guide.l10n.entry import Entry
from docs._guide.tools import npm
from tests.translations.test_sentences import EXTERNAL, good, sentences


@pytest.fixture(autouse=True, scope="module")
def installed() -> None:
    npm.install(textlint.SETTINGS, textlint.WORK)


def test_labelled_sentences() -> None:
    bad = [entry for rule, entry in sentences("ja") if rule == EXTERNAL]
    expected = bad + [entry for rule, entry in sentences("ja") if not rule]
    wrong = {finding.entry for finding in textlint.check(expected, "ja")}
    assert [entry.msgstr for entry in bad if entry not in wrong] == []
    assert [entry.msgstr for entry in good("ja") if entry in wrong] == []


def test_a_refused_spelling_of_a_term_is_found_without_its_english() -> None:
    entry = Entry(Path("a.po"), 10, "Another spelling.", "グラジエントを計算します。")
    assert [finding.rule for finding in textlint.check([entry], "ja")] == ["textlint-prh"]
