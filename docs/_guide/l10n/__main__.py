"""Check every translation: `python -m docs._guide.l10n`. `nox -s tests` begins with it."""

import sys
from collections.abc import Iterator, Sequence

from docs._guide.l10n import (
    charset,
    ja,
    ko,
    leftovers,
    markup,
    negation,
    numbers,
    opposite,
    repeated,
    terms,
    truncation,
)
from docs._guide.l10n.documents import translations
from docs._guide.l10n.entry import Entry, Finding, UnreadableCatalog, split

# Each module has `check(entry, language)`, which yields findings.
CHECKS = (
    *(markup, terms, numbers, charset, leftovers, negation, opposite, truncation, ja),
    *ko.CHECKS,
)


def check(entries: Sequence[Entry], language: str) -> Iterator[Finding]:
    """Apply every rule to the translated entries of a language."""
    translated = [entry for entry in entries if entry.msgstr]
    for entry in translated:
        for module in CHECKS:
            yield from module.check(entry, language)
    yield from repeated.check_all(translated)


def main() -> int:
    """Print the findings; return 1 if there are any."""
    failed = False
    for language in terms.LANGUAGES:
        try:
            findings, suppressed = split(check(list(translations(language)), language))
        except UnreadableCatalog as error:
            print(error)
            failed = True
            continue
        print(*findings, sep="\n", end="\n" if findings else "")
        print(f"{language}: {len(findings)} findings, {len(suppressed)} suppressed by noqa")
        failed = failed or bool(findings)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
