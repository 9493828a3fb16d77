"""The term base, locale/terms.csv: which word each language has for a term.

One row a term. Alternatives in a cell are separated by `|`; the preferred one comes first. `!`
before a form keeps it out of the glossary and the search: inflections (compiled), and wrong
translations that mean something else (電車 for train). In the note, `[soft]` allows a translation
without the term, and `[lint]` restricts the row to the checks in l10n/terms.py.
"""

import csv
import re
from dataclasses import dataclass
from functools import cache

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
            Term({c: parse(row[c], row.get(f"forbidden_{c}", "")) for c in codes}, row["note"])
            for codes in [("en", *LANGUAGES)]
            for row in csv.DictReader(lines)
        )


def bounded(form: str) -> str:
    """Return a pattern for a form as a word, as far as its script marks words.

    >>> bool(re.search(bounded("ロス"), "クロス")), bool(re.search(bounded("ロス"), "ロス関数"))
    (False, True)
    """
    before = "(?<![ァ-ヴー])" if re.match("[ァ-ヴ]", form) else ""
    if re.fullmatch("[가-힣]{1,2}", form):  # longer ones do not occur inside other words
        before = "(?<![가-힣])"
    after = "(?!ー)" if re.search("[ァ-ヴ]$", form) else ""
    return before + re.escape(form) + after


@cache
def pattern(*terms: Term) -> re.Pattern[str]:
    """Match the English forms of some terms, the longest first, also in the plural."""
    english = (plain(form) for term in terms for form in term.words["en"].approved)
    forms = sorted(english, key=len, reverse=True)
    either = "|".join(re.escape(form).replace(r"\ ", r"[\s-]+") for form in forms)
    return re.compile(rf"(?<!\w)({either})(?:s|es)?(?!\w)", re.IGNORECASE)


def plain(form: str) -> str:
    """Normalise an English form: lower case, and a space for a hyphen."""
    return re.sub(r"[\s-]+", " ", form.lower())
