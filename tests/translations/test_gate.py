"""A finding tells what to do, and only a reason silences it: `nox -s tests` runs the whole gate."""

from pathlib import Path

from docs._l10n.entry import Entry
from docs._l10n.gate import findings


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
