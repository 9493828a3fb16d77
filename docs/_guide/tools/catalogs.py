"""Update the .po files from the English pages: `python -m docs._guide.tools.catalogs`.

The templates are made after the pages ran: without outputs, figures lose their captions.
"""

import os
import sys
from pathlib import Path

from sphinx_intl.basic import update
from sphinx_intl.catalog import dump_po, load_po

from docs._guide.__main__ import run
from docs._guide.execute.environment import cache_folder
from docs._guide.options import LOCALE, configured_languages, parse
from docs._guide.site.build import build, output

SOURCE, *TRANSLATIONS = configured_languages()


def main() -> int:
    """Update every .po: new messages come in empty, changed ones fuzzy, old ones go."""
    options = parse([])
    outputs = cache_folder(options.backend)
    os.environ["SOURCE_DATE_EPOCH"] = "0"  # so that templates of unchanged pages stay the same
    if not run(options, outputs) or not build("gettext", [SOURCE], outputs, published=[SOURCE]):
        return 1
    templates = str(output(SOURCE, "gettext"))
    update(str(LOCALE), templates, TRANSLATIONS, line_width=0, ignore_obsolete=True)
    for file in LOCALE.rglob("*.po"):
        set_header(file)
    return 0


def set_header(file: Path) -> None:
    """Replace the placeholders in a new file's header."""
    catalog = load_po(file)
    page = file.relative_to(LOCALE / str(catalog.locale) / "LC_MESSAGES").with_suffix("")
    source = "docs/_templates" if page.name == "sphinx" else f"docs/{page}.md"
    header = f"# {source} in {catalog.locale}. Text: CC BY 4.0."
    if catalog.header_comment != header:
        catalog.header_comment = header
        catalog.fuzzy = False
        catalog.last_translator = catalog.language_team = ""
        dump_po(file, catalog, width=0)


if __name__ == "__main__":
    sys.exit(main())
