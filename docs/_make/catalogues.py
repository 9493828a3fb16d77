"""Bring the .po files up to date with the English pages: `python -m docs._make.catalogues`.

The templates are made after the pages ran: without outputs, figures lose their captions.
"""

import os
import shutil
import sys
from pathlib import Path

from sphinx_intl.basic import update
from sphinx_intl.catalog import dump_po, load_po

from docs._make.__main__ import run
from docs._make.environment import folder_name
from docs._make.languages import BUILD, build
from docs._make.options import LOCALE, configured_languages, parse

SOURCE, *TRANSLATIONS = configured_languages()


def make_templates() -> Path | None:
    """Extract the messages of all pages; return the folder of templates, one a page."""
    options = parse([])
    outputs = BUILD / "outputs" / folder_name(options.backend)
    if not run(options, outputs):
        return None
    os.environ["SOURCE_DATE_EPOCH"] = "0"  # or every template carries the time it was made
    shutil.rmtree(BUILD / SOURCE / "gettext", ignore_errors=True)  # pages may have been removed
    if not build("gettext", [SOURCE], outputs, published=[SOURCE]):
        return None
    return BUILD / SOURCE / "gettext" / "gettext"


def main() -> int:
    """Update every .po: new messages come in empty, changed ones fuzzy, old ones go."""
    templates = make_templates()
    if templates is None:
        return 1
    update(str(LOCALE), str(templates), TRANSLATIONS, line_width=0, ignore_obsolete=True)
    for file in LOCALE.rglob("*.po"):
        tidy(file)
    return 0


def tidy(file: Path) -> None:
    """Replace the header's blanks to fill in by what the file is."""
    catalogue = load_po(file)
    page = file.relative_to(LOCALE / str(catalogue.locale) / "LC_MESSAGES").with_suffix("")
    source = "docs/_templates" if page.name == "sphinx" else f"docs/{page}.md"
    header = f"# {source} in {catalogue.locale}. Text: CC BY 4.0."
    if catalogue.header_comment == header:
        return
    catalogue.header_comment = header
    catalogue.fuzzy = False
    catalogue.last_translator = ""
    catalogue.language_team = ""
    dump_po(file, catalogue, width=0)


if __name__ == "__main__":
    sys.exit(main())
