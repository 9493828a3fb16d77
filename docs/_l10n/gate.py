"""The gate: every rule of pure Python, over every entry of a language.

Each module listed here has `check(entry, language)`, which yields findings. Rules that see a
whole language at once (one msgid, one msgstr) have `check_all(entries, language)`.
"""

from collections.abc import Iterator, Sequence

from docs._l10n import (
    japanese_endings,
    japanese_spelling,
    japanese_style,
    japanese_typography,
    korean_endings,
    korean_particles,
    korean_style,
    meaning,
    numbers,
    script,
    structure,
    terms,
    whole,
)
from docs._l10n.entry import Entry, Finding, split

CHECKS = (
    structure,
    terms,
    numbers,
    script,
    meaning,
    japanese_endings,
    japanese_spelling,
    japanese_style,
    japanese_typography,
    korean_endings,
    korean_style,
    korean_particles,
)


def findings(entries: Sequence[Entry], language: str) -> tuple[list[Finding], list[Finding]]:
    """Return what is wrong, and what a translator has silenced with a reason."""
    return split(all_findings(entries, language))


def all_findings(entries: Sequence[Entry], language: str) -> Iterator[Finding]:
    """Apply every rule."""
    for entry in entries:
        for module in CHECKS:
            yield from module.check(entry, language)
    yield from whole.check_all(entries, language)
