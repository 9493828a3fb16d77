"""What readers may type for what a page explains: put into the page's copy that is indexed."""

import csv
from functools import cache

from docs._guide.options import LOCALE
from docs._guide.po.termbase import Term, load

TAUGHT = LOCALE / "taught.csv"


@cache
def taught_terms() -> dict[str, list[str]]:
    """The terms and names of the API that each page explains."""
    pages: dict[str, list[str]] = {}
    with TAUGHT.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            pages.setdefault(row["page"], []).append(row["term"])
    return pages


def taught_words(page: str, language: str) -> list[str]:
    """Every spelling of what a page explains, in a language and in English.

    >>> {"自動微分", "autodiff", "jacfwd"} & {*taught_words("transforms/grad", "ja")} == {
    ...     "自動微分", "autodiff"
    ... }
    True
    """
    names = taught_terms().get(page, [])
    terms = [term for term in load() if term.key in names]
    return as_typed([*names, *(form for term in terms for form in forms(term, language))], language)


def synonyms(text: str, language: str) -> list[str]:
    """Every spelling of the terms in a text."""
    terms = [forms(term, language) for term in load() if term.in_glossary]
    present = [term for term in terms if any(form in text for form in term)]
    return as_typed([form for term in present for form in term], language)


def forms(term: Term, language: str) -> list[str]:
    """A term as the pages and as readers write it."""
    words = [term.words[code] for code in dict.fromkeys(("en", language)) if code in term.words]
    return [form for each in words for form in (*each.approved, *each.variants)]


def as_typed(words: list[str], language: str) -> list[str]:
    """Words as they are typed: in Korean, without their spaces too.

    Pagefind divides no Japanese in metadata. So every ending of a word is added, and any part of
    the word is the beginning of one.

    >>> as_typed(["再開"], "ja"), as_typed(["난수 키"], "ko")
    (['再開', '開'], ['난수 키', '난수키'])
    """
    if language == "ko":
        words = [*words, *(word.replace(" ", "") for word in words)]
    if language == "ja":
        undivided = [word for word in words if not word.isascii()]
        words = [*words, *(word[at:] for word in undivided for at in range(1, len(word)))]
    return list(dict.fromkeys(words))
