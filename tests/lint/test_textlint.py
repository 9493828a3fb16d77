"""textlint with its settings finds the labelled bad sentences, and nothing in good ones."""

import pytest

from docs._guide.l10n.ja import textlint
from docs._guide.tools import npm
from tests.translations.test_sentences import good, sentences


@pytest.fixture(autouse=True, scope="module")
def installed() -> None:
    npm.install(textlint.SETTINGS, textlint.WORK)


def test_labelled_sentences() -> None:
    bad = [entry for rule, entry in sentences("ja") if rule == "textlint"]
    expected = bad + [entry for rule, entry in sentences("ja") if not rule]
    wrong = {finding.entry for finding in textlint.check(expected)}
    assert [entry.msgstr for entry in bad if entry not in wrong] == []
    assert [entry.msgstr for entry in good("ja") if entry in wrong] == []
