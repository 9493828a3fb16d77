"""The .po files belong to the English pages as they are, and are complete."""

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from sphinx_intl.catalog import load_po

from docs._make.catalogues import TRANSLATIONS
from docs._make.options import LOCALE, ROOT

pytestmark = pytest.mark.usefixtures("site")


@cache
def templates() -> dict[str, Catalog]:
    """The messages of the English pages, extracted now."""
    # In a process of its own: it forks, and here JAX has started threads.
    command = "from docs._make.catalogues import make_templates; print(make_templates())"
    made = subprocess.run(
        [sys.executable, "-c", command], cwd=ROOT, check=True, capture_output=True, text=True
    )
    folder = Path(made.stdout.splitlines()[-1])
    return {
        path.relative_to(folder).with_suffix("").as_posix(): load_po(path)
        for path in sorted(folder.rglob("*.pot"))
    }


def messages(catalogue: Catalog) -> list[str]:
    return [str(message.id) for message in catalogue if message.id]


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_page_has_its_file_and_no_file_is_left_over(language: str) -> None:
    folder = LOCALE / language / "LC_MESSAGES"
    found = {po.relative_to(folder).with_suffix("").as_posix() for po in folder.rglob("*.po")}
    assert found == templates().keys()


def test_refreshing_changes_no_byte() -> None:
    before = {po: po.read_bytes() for po in LOCALE.rglob("*.po")}
    command = [sys.executable, "-m", "docs._make.catalogues"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    assert {po: po.read_bytes() for po in LOCALE.rglob("*.po")} == before


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_message_is_translated_and_current(language: str) -> None:
    for name, template in templates().items():
        catalogue = load_po(Path(LOCALE / language / "LC_MESSAGES" / f"{name}.po"))
        assert messages(catalogue) == messages(template), f"{name}: run nox -s translations"
        assert not catalogue.obsolete, f"{name}: run nox -s translations"
        missing = [m.id for m in catalogue if m.id and (m.fuzzy or not m.string)]
        assert missing == [], name
