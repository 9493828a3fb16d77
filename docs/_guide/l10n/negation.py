"""Rule `negation`: a translation does not say the contrary.

Negations of the English are counted strictly and those of the translation generously, because a
language has many ways to negate; locale/negation.toml lists them.
"""

import re
import tomllib
from bisect import bisect, bisect_left
from collections.abc import Iterator
from itertools import accumulate, pairwise

from docs._guide.options import LOCALE
from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import prose

WORDS = tomllib.loads((LOCALE / "negation.toml").read_text(encoding="utf-8"))
PATTERNS = {
    language: {
        name: re.compile("|".join(parts), re.IGNORECASE) for name, parts in WORDS[language].items()
    }
    for language in ("en", "ja", "ko")
}
SENTENCE_END = re.compile(r"(?<=[。？！])|(?<=[.?!])\s+|(?<=니다\.)|(?<=세요\.)")


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for a negation that only one side has."""
    english, own = PATTERNS["en"], PATTERNS[language]
    source, target = prose(entry.msgid), prose(entry.msgstr)
    claims = own["rhetorical"].sub("", target)
    if any(
        denials(sentence) > answers(sentence, translation, language)
        for sentence, translation in aligned(source, claims)
    ):
        yield Finding(entry, "negation", "the English has a negation that this lacks")
    elif own["sentence"].search(claims) and not (
        english["negation"].search(source) or english["negative_sense"].search(source)
    ):
        yield Finding(entry, "negation", "this has a negation that the English lacks")


def denials(english: str) -> int:
    """Count the negations of an English sentence.

    >>> denials("It is not only slow: it neither returns nor stops, no matter why.")
    1
    """
    english = PATTERNS["en"]["rhetorical"].sub("", english)
    return len(PATTERNS["en"]["negation"].findall(english))


def answers(english: str, translation: str, language: str) -> int:
    """Count the negations of a translation, and the words that may replace one."""
    return len(PATTERNS[language]["negation"].findall(translation)) + sum(
        len(re.findall(row[language], translation))
        for row in WORDS["turned"]
        if re.search(row["en"], english, re.IGNORECASE)
    )


def aligned(source: str, target: str) -> Iterator[tuple[str, str]]:
    """Pair each English sentence with its translation.

    With as many sentences on both sides, that is the one at the same place; else those that
    overlap with it when both texts are scaled to one length, and one more at each end.
    """
    english, translated = sentences(source), sentences(target)
    if len(english) == len(translated):
        yield from zip(english, translated, strict=True)
        return
    bounds = boundaries(translated)
    for sentence, (start, end) in zip(english, pairwise(boundaries(english)), strict=True):
        first, last = bisect(bounds, start) - 1, bisect_left(bounds, end)
        yield sentence, " ".join(translated[max(first - 1, 0) : last + 1])


def sentences(text: str) -> list[str]:
    """Split a text of any of the three languages into sentences."""
    return [part.strip() for part in SENTENCE_END.split(text) if part.strip()] or [""]


def boundaries(parts: list[str]) -> list[float]:
    """Where parts begin and end, as shares of the whole.

    >>> boundaries(["a", "bcd"])
    [0.0, 0.25, 1.0]
    """
    ends = list(accumulate(map(len, parts), initial=0))
    return [end / (ends[-1] or 1) for end in ends]
