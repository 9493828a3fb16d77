"""The .po files are current and complete, and an update loses no translation."""

import shutil
from functools import partial
from pathlib import Path

import pytest
from sphinx_intl.catalog import load_po

from docs._guide.__main__ import main
from docs._guide.options import LOCALE
from docs._guide.po.entry import read
from docs._guide.site.build import output_folder
from docs._guide.tools.catalogs import SOURCE, TRANSLATIONS, make, merge
from tests.conftest import Lag, po


@pytest.mark.usefixtures("site")
def test_every_message_of_every_page_is_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lag: Lag
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")  # `make` sets it
    copy = shutil.copytree(LOCALE, tmp_path / "locale")
    assert main([], partial(make, locale=copy)) == 0
    updated = {po.relative_to(copy): po.read_bytes() for po in copy.rglob("*.po")}
    before = {po.relative_to(LOCALE): po.read_bytes() for po in LOCALE.rglob("*.po")}
    # nox -s translations updates these
    lag([str(po) for po, text in updated.items() if text != before.get(po)])

    templates = output_folder(SOURCE, "gettext")
    pages = {pot.relative_to(templates).with_suffix("") for pot in templates.rglob("*.pot")}
    incomplete = []
    for language in TRANSLATIONS:
        folder = LOCALE / language / "LC_MESSAGES"
        catalogs = {po.relative_to(folder).with_suffix(""): po for po in folder.rglob("*.po")}
        assert catalogs.keys() == pages
        for catalog in catalogs.values():
            messages = [message for message in load_po(catalog) if message.id]
            incomplete += [(catalog, m.id) for m in messages if m.fuzzy or not m.string]
    lag(incomplete)


def test_a_paragraph_that_was_away_for_a_while_is_still_translated(tmp_path: Path) -> None:
    whole, part, file = (tmp_path / name for name in ("one.pot", "part.pot", "one.po"))
    whole.write_text(po({"Some prose.": "", "A page": ""}), encoding="utf-8")
    part.write_text(po({"A page": ""}), encoding="utf-8")
    merge(whole, file, "one", "ja")
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace('prose."\nmsgstr ""', 'prose."\nmsgstr "文章"'), encoding="utf-8")
    merge(part, file, "one", "ja")
    assert '#~ msgstr "文章"' in file.read_text(encoding="utf-8")
    assert [entry.msgid for entry in read(file)] == ["A page"]
    merge(whole, file, "one", "ja")
    assert {entry.msgid: entry.msgstr for entry in read(file)} == {
        "A page": "",
        "Some prose.": "文章",
    }
    assert "#~" not in file.read_text(encoding="utf-8")
