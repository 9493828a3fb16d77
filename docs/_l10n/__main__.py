"""Check every translation: `python -m docs._l10n`. `nox -s tests` begins with it."""

import sys
from collections.abc import Sequence

from docs._l10n.entry import Entry, UnreadableCatalogue, read
from docs._l10n.gate import findings
from docs._make.options import LOCALE, configured_languages

TRANSLATIONS = list(configured_languages())[1:]


def entries_of(language: str) -> list[Entry]:
    """All entries of a language."""
    return [entry for file in sorted((LOCALE / language).rglob("*.po")) for entry in read(file)]


def main(languages: Sequence[str] = TRANSLATIONS) -> int:
    """Print what is wrong, and how much translators have silenced; 1 if anything is wrong."""
    wrong = 0
    for language in languages:
        try:
            found, silenced = findings(entries_of(language), language)
        except UnreadableCatalogue as error:
            print(error)
            wrong += 1
            continue
        for finding in found:
            print(finding)
        wrong += len(found)
        print(f"{language}: {len(found)} findings, {len(silenced)} silenced with a reason")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
