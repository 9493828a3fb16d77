"""textlint finds what it is there for, and says where."""

from pathlib import Path

import pytest

from docs._l10n import textlint

CATALOGUE = """\
msgid ""
msgstr "Content-Type: text/plain; charset=utf-8\\n"

msgid "Good."
msgstr "この関数は配列を返します。"

msgid "Too many commas."
msgstr "この関数は、配列を受け取り、形状を調べ、値を足し、軸を入れ替え、結果を返します。"

msgid "Another spelling."
msgstr "グラジエントを計算します。"
"""


def test_findings_name_the_line_of_the_catalogue(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    catalogue = tmp_path / "locale" / "ja" / "LC_MESSAGES" / "a.po"
    catalogue.parent.mkdir(parents=True)
    catalogue.write_text(CATALOGUE, encoding="utf-8")
    monkeypatch.setattr(textlint, "ROOT", tmp_path)
    textlint.install()
    found = {(finding.entry.line, finding.rule) for finding in textlint.findings("ja")}
    assert (7, "textlint-max-ten") in found
    assert (10, "textlint-prh") in found
    assert not any(line == 4 for line, _ in found)
