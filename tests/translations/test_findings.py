"""A finding names the place, the rule and the remedy; a comment with a reason suppresses it."""

from pathlib import Path

import pytest

from docs._guide.l10n import __main__ as lint
from docs._guide.l10n import translations
from docs._guide.po.entry import Entry, split
from tests.conftest import po


def entry(*comments: str) -> Entry:
    return Entry(Path("grad.po"), 7, "Call `grad`.", "`grad`を呼び出す。", comments)


def test_a_finding_names_file_line_message_rule_and_remedy() -> None:
    [finding] = lint.check([entry()], "ja")
    first, *messages = str(finding).splitlines()
    assert first.startswith("grad.po:7: ending: ")
    assert [message.strip() for message in messages] == ["Call `grad`.", "`grad`を呼び出す。"]


@pytest.mark.parametrize(
    ("comment", "counted"),
    [
        ("noqa: ending quoted from a slide", 0),
        ("noqa: ending", 1),
        ("noqa: numbers quoted from a slide", 1),
    ],
)
def test_only_a_reason_suppresses(comment: str, counted: int) -> None:
    findings, suppressed = split(lint.check([entry(comment)], "ja"))
    assert (len(findings), len(suppressed)) == (counted, 1 - counted)


@pytest.mark.parametrize(
    ("translation", "status", "output"),
    [
        ("`grad`を呼び出します。", 0, "ja: 0 findings"),
        ("`grad`を呼び出す。", 1, "a.po:4: ending: "),
        ('"`grad`を呼び出します。', 1, "a.po: line 5 is cut off"),
    ],
)
def test_findings_and_unreadable_files_fail(
    translation: str,
    status: int,
    output: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "ja").mkdir()
    (tmp_path / "ja" / "a.po").write_text(po({"Call `grad`.": translation}), encoding="utf-8")
    monkeypatch.setattr(translations, "LOCALE", tmp_path)
    assert lint.main() == status
    assert output in capsys.readouterr().out
