"""No translation of the guide breaks a rule; what is silenced has a reason, and is counted."""

from pathlib import Path

import pytest

from docs._l10n.__main__ import entries_of
from docs._l10n.entry import Entry
from docs._l10n.gate import findings
from docs._make.catalogues import TRANSLATIONS


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_translation_passes(language: str) -> None:
    found, silenced = findings(entries_of(language), language)
    print(f"{language}: {len(silenced)} findings are silenced with a reason")
    assert found == [], "\n".join(str(finding) for finding in found)


def entry(*comments: str) -> Entry:
    return Entry(Path("grad.po"), 7, "Call `grad`.", "`grad`を呼び出す。", comments)


def test_a_finding_names_file_line_message_rule_and_remedy() -> None:
    found, _ = findings([entry()], "ja")
    assert [finding.rule for finding in found] == ["ending"]
    told = str(found[0])
    assert told.startswith("grad.po:7: ending: ")
    assert "Call `grad`." in told
    assert "`grad`を呼び出す。" in told


def test_only_a_reason_silences() -> None:
    assert findings([entry("noqa: ending quoted from a slide")], "ja")[0] == []
    assert len(findings([entry("noqa: ending quoted from a slide")], "ja")[1]) == 1
    assert len(findings([entry("noqa: ending")], "ja")[0]) == 1
    assert len(findings([entry("noqa: numbers quoted from a slide")], "ja")[0]) == 1
