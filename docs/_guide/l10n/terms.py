"""Rules `term-missing` and `term-forbidden`: a translation has the words of the term base.

The longest term counts: "gradient descent" requires 勾配降下法, and not 勾配 besides. A longer
approved word shields a shorter forbidden one: レイヤ is forbidden, レイヤー is not.
"""

import re
from collections.abc import Iterator
from functools import cache

from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import HOLE, prose
from docs._guide.po.termbase import Term, bounded, load, pattern, plain


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield the terms without an approved word, and the forbidden words."""
    english, translation = prose(entry.msgid), prose(entry.msgstr)
    for term in longest_terms(english):
        forms = term.words[language].approved
        if "[soft]" not in term.note and not any(
            form.lower() in translation.lower() for form in forms
        ):
            yield Finding(entry, "term-missing", f"write {' or '.join(forms)} for {term.key}")
    terms = [term for term in load() if pattern(term).search(english)]
    approved = {form for term in terms for form in term.words[language].approved}
    for term in terms:
        for form in term.words[language].forbidden:
            if form not in approved and occurs(form, translation, language):
                advice = f"write {term.words[language].preferred} for {term.key}, not {form}"
                yield Finding(entry, "term-forbidden", advice)


def occurs(form: str, text: str, language: str) -> bool:
    """Whether a form is in a text, and not only as a part of a longer approved word."""
    for longer in shields(form, language):
        text = text.replace(longer, HOLE)
    return bool(re.search(bounded(form), text))


@cache
def shields(form: str, language: str) -> list[str]:
    """The approved words of all terms that contain a form, the longest first."""
    words = (word for term in load() for word in term.words[language].approved)
    return sorted((word for word in words if form in word and word != form), key=len, reverse=True)


def longest_terms(english: str) -> list[Term]:
    """Return the terms in an English text: of those that overlap, the longest.

    >>> [term.key for term in longest_terms("Gradients, mini batches and gradient descent.")]
    ['gradient', 'mini-batch', 'gradient descent']
    """
    matches = (match[1] for match in pattern(*load()).finditer(english))
    return list(dict.fromkeys(by_english()[plain(form)] for form in matches))


@cache
def by_english() -> dict[str, Term]:
    """All terms by their English forms."""
    return {plain(form): term for term in load() for form in term.words["en"].approved}
