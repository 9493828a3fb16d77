"""A language that was only added to docs/conf.py has no terms, no rules and no translations."""

import re
from pathlib import Path

from bs4 import BeautifulSoup

from docs._guide.l10n.__main__ import check
from docs._guide.po.entry import Entry
from tests.conftest import SmallGuide, notebook


def test_a_language_without_terms_and_translations_is_built(small_guide: SmallGuide) -> None:
    conf = small_guide.root / "docs" / "conf.py"
    text = conf.read_text(encoding="utf-8").replace('국어"}', '국어", "fr": "Français"}')
    small_guide.write("docs/conf.py", text)
    index = (small_guide.root / "docs" / "index.md").read_text(encoding="utf-8")
    small_guide.write("docs/index.md", index.replace("one\n", "one\nreference/glossary\n"))
    small_guide.write("docs/reference/glossary.md", "# Glossary\n\n```{terms}\n```\n")
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose="A gradient."))
    small_guide.build("--language=fr")
    page = BeautifulSoup(small_guide.page("one", "fr"), "lxml")
    assert "A gradient." in page.get_text() and not page.select("a.term")
    glossary = small_guide.page("reference/glossary", "fr")
    assert re.search("自動微分.*자동 미분", glossary, re.DOTALL)


def test_its_translations_are_checked_for_their_markup() -> None:
    good, bad = (Entry(Path(), 1, "Call `f`.", f"Appelez {code}.") for code in ("`f`", "f"))
    assert [finding.rule for finding in check([good, bad], "fr")] == ["code"]
