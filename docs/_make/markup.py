"""Refuse a translation whose code, formulas, links or other markup are not those of its English.

Sphinx shows what it can make of such a paragraph and warns of lost references only, so its page
would be wrong without a word. This is the part of the gate (docs/_l10n) that no build can do
without. A file that was found right is not read again until it, or a rule, changes.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from docs._l10n import structure
from docs._l10n.entry import UnreadableCatalogue, read, split
from docs._make.options import LOCALE, ROOT

RULES = sorted((ROOT / "docs" / "_l10n").glob("*.py"))


def wrong_markup(language: str, memory: Path) -> list[str]:
    """What is wrong with a language's files; `memory` keeps which ones were right."""
    before = set(memory.read_text().split()) if memory.exists() else set()
    rules = hashlib.sha256(b"".join(file.read_bytes() for file in RULES)).digest()
    right: list[str] = []
    found: list[str] = []
    for file in sorted((LOCALE / language).rglob("*.po")):
        digest = hashlib.sha256(rules + file.read_bytes()).hexdigest()
        wrong = [] if digest in before else list(problems(file, language))
        found += wrong
        right += [] if wrong else [digest]
    memory.write_text("\n".join(right))
    structure.forget()
    return found


def problems(file: Path, language: str) -> Iterator[str]:
    """What is wrong with one file, of what would be shown."""
    try:
        entries = [entry for entry in read(file) if not entry.fuzzy]
    except UnreadableCatalogue as error:
        yield str(error)
        return
    wrong, _ = split(found for entry in entries for found in structure.check(entry, language))
    yield from map(str, wrong)
