"""`nox -s translations -- status`."""

import subprocess
import sys

import pytest

from docs._make import translation_status
from docs._make.options import ROOT
from tests.conftest import SmallGuide

JAPANESE = """\
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "One"
msgstr "1つ目"

#, fuzzy
msgid "Two"
msgstr "2つ目"

msgid "Three"
msgstr ""

#~ msgid "Gone"
#~ msgstr "なくなった"
"""


def test_each_page_is_counted(
    small_guide: SmallGuide, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small_guide.write("locale/ja/LC_MESSAGES/subject/page.po", JAPANESE)
    small_guide.write("locale/ja/LC_MESSAGES/other.po", JAPANESE)
    monkeypatch.setattr(translation_status, "LOCALE", small_guide.root / "locale")
    assert translation_status.main() == 0
    assert [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()] == [
        "ja other 1 translated 1 fuzzy 1 missing",
        "ja subject/page 1 translated 1 fuzzy 1 missing",
        "ja total 2 translated 2 fuzzy 2 missing",
        "ko total 0 translated 0 fuzzy 0 missing",
    ]


def test_an_unknown_word_is_refused_before_anything_is_installed(small_guide: SmallGuide) -> None:
    small_guide.write("noxfile.py", (ROOT / "noxfile.py").read_text())
    refused = subprocess.run(
        [sys.executable, "-m", "nox", "-s", "translations", "--", "stat"],
        cwd=small_guide.root,
        capture_output=True,
        text=True,
    )
    assert refused.returncode != 0
    assert "'stat' is not known: nox -s translations [-- status]" in refused.stderr
    assert not (small_guide.root / ".nox" / "guide").exists()
