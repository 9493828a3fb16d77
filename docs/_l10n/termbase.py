"""The term base: which words a translation uses, from locale/terms.csv.

One row a term. Alternatives in a cell are split by `|`; the first is the one to use. `!` before
a form keeps it out of the glossary: nobody looks a term up by its inflections (compiled), or by
a mistranslation that means another thing (電車 for train). In the note, `[soft]` says that a
translation may do without the term, and `[gate]` that the row is for the checks only.
"""

import csv
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

TERMS = Path(__file__).parents[2] / "locale" / "terms.csv"
LANGUAGES = ("ja", "ko")


@dataclass(frozen=True)
class Words:
    """The words for one term in one language."""

    approved: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    variants: tuple[str, ...] = ()  # what a reader may type instead of the first approved one

    @property
    def preferred(self) -> str:
        """The one to use."""
        return self.approved[0]


@dataclass(frozen=True)
class Term:
    """One row."""

    english: Words
    words: dict[str, Words] = field(hash=False)  # by language
    note: str

    @property
    def key(self) -> str:
        """The English form that names the row."""
        return self.english.preferred

    @property
    def anchor(self) -> str:
        """Where the row stands on the glossary page.

        >>> find("Jacobian-vector product").anchor
        'term-jacobian-vector-product'
        """
        return "term-" + re.sub(r"\W+", "-", self.key.lower())

    @property
    def soft(self) -> bool:
        """Whether a translation may do without the term."""
        return "[soft]" in self.note

    @property
    def in_glossary(self) -> bool:
        """Whether readers look it up."""
        return "[gate]" not in self.note


def words(approved: str, forbidden: str = "") -> Words:
    """Read the two cells of a language.

    >>> words("学習|訓練", "トレーニング|!電車").forbidden
    ('トレーニング', '電車')
    >>> words("学習|訓練", "トレーニング|!電車").variants
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
def load(file: Path = TERMS) -> tuple[Term, ...]:
    """Read every row, in the order of the file."""
    with file.open(encoding="utf-8", newline="") as lines:
        return tuple(
            Term(
                english=words(row["en"]),
                words={code: words(row[code], row[f"forbidden_{code}"]) for code in LANGUAGES},
                note=row["note"],
            )
            for row in csv.DictReader(lines)
        )


def find(key: str) -> Term:
    """Return the row with this English key.

    >>> find("gradient").words["ko"].preferred
    '기울기'
    """
    return next(term for term in load() if term.key == key)
