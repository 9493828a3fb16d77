"""Spellings of the guide's terms that a reader may search for, from the term base."""

import csv
import unicodedata

from docs._guide.options import LOCALE
from docs._guide.po.termbase import LANGUAGES, load

TAUGHT = LOCALE / "taught.csv"

# Particles and endings of Korean nouns, longest first where one ends in another; the search removes
# them from a word that no page has.
KOREAN_ENDINGS = [
    *("에서는", "으로는", "이라는", "으로", "에서", "에게", "까지", "부터", "처럼", "보다", "마다"),
    *("이란", "이나", "하는", "하기", "하면", "되는", "하다", "로는", "에는", "라는", "은", "는"),
    *("이", "가", "을", "를", "과", "와", "의", "에", "로", "도", "만", "란", "기"),
]


def search_terms(language: str) -> dict[str, object]:
    """The search's data for a language.

    `instead`: spellings that the pages do not use. `also`: words that they use beside the term.
    `taught`: the page that explains a term, which need not be the one that has it most often.
    `endings`: what the search may remove from a word.
    """
    instead: dict[str, str] = {}
    also: dict[str, str] = {}
    terms = [term for term in load() if term.in_glossary and language in term.words]
    approved = {form for term in terms for form in term.words[language].approved}
    for term in terms:
        words = term.words[language]
        for form in words.variants:
            (also if form in approved else instead).setdefault(plain(form), words.preferred)
            if language == "en":
                also.setdefault(plain(words.preferred), form)
        for form in (term.key, *term.words["en"].variants):
            if form != words.preferred:
                also.setdefault(plain(form), words.preferred)
        for form in words.approved if language == "ko" else ():  # often typed without spaces
            if " " in form and plain(form).replace(" ", "") not in also:
                instead.setdefault(plain(form).replace(" ", ""), form)
    return {
        "instead": instead,
        "also": also,
        "taught": taught(language),
        "endings": KOREAN_ENDINGS if language == "ko" else [],
        "split_names": language == "ja",  # Pagefind splits tree_map in Japanese, and only there
    }


def taught(language: str) -> dict[str, str]:
    """The page that explains each term, by every spelling of the term.

    >>> taught("ja")["自動微分"]
    'transforms/grad'
    """
    pages: dict[str, str] = {}
    with TAUGHT.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            forms = [row["term"]]  # a name of the API is the same in every language
            for term in (term for term in load() if term.key == row["term"]):
                forms += term.words["en"].variants
                if language in LANGUAGES:
                    forms += [*term.words[language].approved, *term.words[language].variants]
            pages |= {plain(form): row["page"] for form in forms}
    return pages


def plain(text: str) -> str:
    """Normalize a word as the search does."""
    return unicodedata.normalize("NFKC", text).lower()
