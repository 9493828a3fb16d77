"""The term base, locale/terms.csv, and the rules `term-missing` and `term-forbidden`.

One row a term. Alternatives in a cell are separated by `|`; the preferred one comes first. `!`
before a form keeps it out of the glossary and the search: inflections (compiled), and wrong
translations that mean something else (電車 for train). In the note, `[soft]` allows a translation
without the term, and `[lint]` restricts the row to these checks.

The longest term wins: "gradient descent" requires 勾配降下法, and not 勾配 besides. A longer
approved word also shields a shorter forbidden one: レイヤ is forbidden, レイヤー is not.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.markdown import prose
from docs._guide.options import LOCALE, configured_languages

TERMS = LOCALE / "terms.csv"
with TERMS.open(encoding="utf-8", newline="") as lines:
    COLUMNS = next(csv.reader(lines))
# The languages of the guide that have terms, beside that of the pages.
LANGUAGES = [code for code in configured_languages() if code in COLUMNS and code != "en"]


@dataclass(frozen=True)
class Words:
    """The words for one term in one language."""

    approved: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()  # what a reader may search for, besides the preferred form

    @property
    def preferred(self) -> str:
        """The form to use."""
        return self.approved[0]


@dataclass(frozen=True, eq=False)
class Term:
    """One row."""

    words: dict[str, Words]  # by language
    note: str

    @property
    def key(self) -> str:
        """The English form that names the row."""
        return self.words["en"].preferred

    @property
    def anchor(self) -> str:
        """The row's target on the glossary page."""
        return "term-" + re.sub(r"\W+", "-", self.key.lower())

    @property
    def in_glossary(self) -> bool:
        """Whether the glossary and the search have it."""
        return "[lint]" not in self.note


def parse(approved: str, forbidden: str = "") -> Words:
    """Parse the two cells of a language.

    >>> parse("学習|訓練", "トレーニング|!電車").variants
    ('訓練', 'トレーニング')
    """
    allowed = approved.split("|")
    refused = forbidden.split("|") if forbidden else []
    return Words(
        approved=tuple(form.removeprefix("!") for form in allowed),
        forbidden=tuple(form.removeprefix("!") for form in refused),
        variants=tuple(form for form in allowed[1:] + refused if not form.startswith("!")),
    )


@cache
def load() -> tuple[Term, ...]:
    """Read every row, in the order of the file."""
    with TERMS.open(encoding="utf-8", newline="") as lines:
        return tuple(
            Term(
                words={
                    code: parse(row[code], row.get(f"forbidden_{code}", ""))
                    for code in ("en", *LANGUAGES)
                },
                note=row["note"],
            )
            for row in csv.DictReader(lines)
        )


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield the terms without an approved word, and the forbidden words."""
    english, translation = prose(entry.msgid), prose(entry.msgstr)
    for term in longest_terms(english):
        approved = term.words[language].approved
        if "[soft]" not in term.note and not any(
            form.lower() in translation.lower() for form in approved
        ):
            yield Finding(entry, "term-missing", f"write {' or '.join(approved)} for {term.key}")
    terms = [term for term in load() if pattern(term).search(english)]
    for form in forbidden_forms(terms, translation, language):
        term = next(term for term in terms if form in term.words[language].forbidden)
        advice = f"write {term.words[language].preferred} for {term.key}, not {form}"
        yield Finding(entry, "term-forbidden", advice)


def forbidden_forms(terms: Iterable[Term], translation: str, language: str) -> list[str]:
    """Return the forbidden forms of some terms that a translation has."""
    words = [term.words[language] for term in terms]
    shields = {form for row in words for form in row.approved}
    forbidden = {form for row in words for form in row.forbidden} - shields
    shields |= {
        longer
        for term in load()
        for longer in term.words[language].approved
        if any(form in longer and form != longer for form in forbidden)
    }
    forms = {form: re.escape(form) for form in shields} | {f: bounded(f) for f in forbidden}
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    matches = re.findall("|".join(forms[form] for form in longest_first) or "(?!)", translation)
    return [form for form in dict.fromkeys(matches) if form in forbidden]


def bounded(form: str) -> str:
    """Return a pattern for a forbidden form as a word, as far as its script marks words.

    >>> bool(re.search(bounded("ロス"), "クロス")), bool(re.search(bounded("ロス"), "ロス関数"))
    (False, True)
    """
    before = after = ""
    if re.match("[ァ-ヴ]", form):
        before = "(?<![ァ-ヴー])"
    if re.search("[ァ-ヴ]$", form):
        after = "(?!ー)"
    if re.fullmatch("[가-힣]{1,2}", form):  # longer ones do not occur inside other words
        before = "(?<![가-힣])"
    return before + re.escape(form) + after


def longest_terms(english: str) -> list[Term]:
    """Return the terms in an English text: of those that overlap, the longest.

    >>> [term.key for term in longest_terms("Gradients, mini batches and gradient descent.")]
    ['gradient', 'mini-batch', 'gradient descent']
    """
    rows = {plain(form): term for term in load() for form in term.words["en"].approved}
    matches = (match[1] for match in pattern(*load()).finditer(english))
    return list(dict.fromkeys(rows[plain(form)] for form in matches))


@cache
def pattern(*terms: Term) -> re.Pattern[str]:
    """Match the English forms of some terms, the longest first, also in the plural."""
    english = (plain(form) for term in terms for form in term.words["en"].approved)
    forms = sorted(english, key=len)
    either = "|".join(re.escape(form).replace(r"\ ", r"[\s-]+") for form in reversed(forms))
    return re.compile(rf"(?<!\w)({either})(?:s|es)?(?!\w)", re.IGNORECASE)


def plain(form: str) -> str:
    """Normalise an English form: lower case, and a space for a hyphen."""
    return re.sub(r"[\s-]+", " ", form.lower())
