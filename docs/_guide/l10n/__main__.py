"""Check every translation: `python -m docs._guide.l10n`. `nox -s tests` begins with it."""

import sys
from collections.abc import Iterator, Sequence

from docs._guide.l10n import charset, leftovers, markup, meaning, numbers, terms, whole
from docs._guide.l10n.entry import Entry, Finding, UnreadableCatalog, report, translations
from docs._guide.l10n.ja import endings as ja_endings
from docs._guide.l10n.ko import endings as ko_endings
from docs._guide.l10n.ko import particles, patterns
from docs._guide.options import configured_languages

# Each module has `check(entry, language)`, which yields findings. All but `markup` have tables of
# words for the languages here, and for no other.
TABLES = (terms, numbers, charset, leftovers, meaning, whole)
CHECKS = {"ja": (*TABLES, ja_endings), "ko": (*TABLES, ko_endings, particles, patterns)}


def check(entries: Sequence[Entry], language: str) -> Iterator[Finding]:
    """Apply every rule to the translated entries of a language."""
    translated = [entry for entry in entries if entry.msgstr]
    for entry in translated:
        for module in (markup, *CHECKS.get(language, ())):
            yield from module.check(entry, language)


def main() -> int:
    """Print the findings; return 1 if there are any."""
    failed = False
    for language in list(configured_languages())[1:]:
        try:
            failed |= report(check(list(translations(language)), language), language)
        except UnreadableCatalog as error:
            print(error)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
