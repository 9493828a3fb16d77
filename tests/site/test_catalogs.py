"""The .po files are current and complete."""

import subprocess
import sys

import pytest
from sphinx_intl.catalog import load_po

from docs._guide.options import LOCALE, ROOT
from docs._guide.site.build import output
from docs._guide.tools.catalogs import SOURCE, TRANSLATIONS


@pytest.mark.usefixtures("site")
def test_every_message_of_every_page_is_translated() -> None:
    before = {po: po.read_bytes() for po in LOCALE.rglob("*.po")}
    command = [sys.executable, "-m", "docs._guide.tools.catalogs"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    after = {po: po.read_bytes() for po in LOCALE.rglob("*.po")}
    outdated = [str(po) for po in after if after[po] != before.get(po)]
    assert outdated == [], "nox -s translations has updated them"

    templates = output(SOURCE, "gettext")
    pages = {pot.relative_to(templates).with_suffix("") for pot in templates.rglob("*.pot")}
    incomplete = []
    for language in TRANSLATIONS:
        folder = LOCALE / language / "LC_MESSAGES"
        catalogs = {po.relative_to(folder).with_suffix(""): po for po in folder.rglob("*.po")}
        assert catalogs.keys() == pages
        for po in catalogs.values():
            incomplete += [(po, m.id) for m in load_po(po) if m.id and (m.fuzzy or not m.string)]
    assert incomplete == []
