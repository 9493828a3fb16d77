"""Update the .po files from the English pages: `python -m docs._guide.tools.catalogs`.

The templates are made after the pages ran: without outputs, figures lose their captions. The
update of sphinx-intl does not bring back the translation of a message that was away for a while.
"""

import os
import sys
from pathlib import Path

from sphinx_intl.catalog import dump_po, load_po

from docs._guide.__main__ import main, run_missing_pages
from docs._guide.execute.environment import cache_folder
from docs._guide.options import LOCALE, Options, configured_languages
from docs._guide.site.build import build_languages, output_folder

SOURCE, *TRANSLATIONS = configured_languages()


def make(options: Options, locale: Path = LOCALE) -> int:
    """Update every .po in `locale/`, or in a copy of it."""
    outputs = cache_folder(options.backend)
    os.environ["SOURCE_DATE_EPOCH"] = "0"  # so that templates of unchanged pages stay the same
    if not run_missing_pages(options, outputs) or not build_languages(
        "gettext", [SOURCE], outputs, published=[SOURCE]
    ):
        return 1
    templates = output_folder(SOURCE, "gettext")
    for template in sorted(templates.rglob("*.pot")):
        page = template.relative_to(templates).with_suffix("").as_posix()
        for language in TRANSLATIONS:
            merge(template, locale / language / "LC_MESSAGES" / f"{page}.po", page, language)
    return 0


def merge(template: Path, file: Path, page: str, language: str) -> None:
    """Update a .po: new messages come in empty, changed ones fuzzy, and old ones stay as `#~`."""
    catalog = load_po(file if file.exists() else template)
    before = {message.id for message in catalog}
    for message in catalog.obsolete.values():  # the page may have it again
        catalog[message.id] = message
    catalog.obsolete.clear()
    catalog.update(load_po(template))
    for key, message in list(catalog.obsolete.items()):
        if message.fuzzy or not message.string:  # `#~` has no fuzzy mark
            del catalog.obsolete[key]
    source = "docs/_templates" if page == "sphinx" else f"docs/{page}.md"
    header = f"# {source} in {language}. Text: CC BY 4.0."
    if catalog.header_comment != header:  # a new file's has placeholders
        catalog.locale, catalog.header_comment, catalog.fuzzy = language, header, False
        catalog.last_translator = catalog.language_team = ""
    elif before == {message.id for message in catalog}:
        return
    dump_po(file, catalog, width=0)
    print(f"updated {file}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], make))
