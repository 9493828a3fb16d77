"""Print how far each page is translated: `python -m docs._make.translation_status`."""

import sys
from collections import Counter
from pathlib import Path

from sphinx_intl.catalog import load_po

from docs._make.options import LOCALE, configured_languages

KINDS = ("translated", "fuzzy", "missing")


def count(file: Path) -> Counter[str]:
    """Count the messages of a .po by what they still need."""
    return Counter(
        "fuzzy" if message.fuzzy else "translated" if message.string else "missing"
        for message in load_po(file)
        if message.id
    )


def main() -> int:
    """Print one line a page and language, and a total for each language."""
    _, *translations = configured_languages()
    for language in translations:
        folder = LOCALE / language / "LC_MESSAGES"
        total: Counter[str] = Counter()
        for file in sorted(folder.rglob("*.po")):
            counted = count(file)
            total += counted
            print(line(language, file.relative_to(folder).with_suffix("").as_posix(), counted))
        print(line(language, "total", total))
    return 0


def line(language: str, page: str, counted: Counter[str]) -> str:
    """Say it in columns.

    >>> line("ja", "index", Counter(translated=9, fuzzy=1))
    'ja  index                               9 translated    1 fuzzy    0 missing'
    """
    numbers = "".join(f"{counted[kind]:5} {kind}" for kind in KINDS)
    return f"{language}  {page:32}{numbers}"


if __name__ == "__main__":
    sys.exit(main())
