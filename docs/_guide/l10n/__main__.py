"""Check every translation: `python -m docs._guide.l10n`. `nox -s tests` begins with it."""

import sys
from collections.abc import Iterable, Iterator

from docs._guide.l10n import characters, ending, leftover_english, length, negation, numbers, terms
from docs._guide.l10n.ko import particles, patterns
from docs._guide.l10n.translations import report, translations
from docs._guide.options import configured_languages
from docs._guide.po import markup
from docs._guide.po.entry import Entry, Finding, UnreadableCatalog

# Each module has `check(entry, language)`, which yields findings. All but `markup` have tables of
# words for the languages here, and for no other.
BOTH = (terms, numbers, characters, leftover_english, negation, length, ending)
CHECKS = {"ja": BOTH, "ko": (*BOTH, particles, patterns)}


def check(entries: Iterable[Entry], language: str) -> Iterator[Finding]:
    """Apply every rule to translated entries of a language."""
    for entry in entries:
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
