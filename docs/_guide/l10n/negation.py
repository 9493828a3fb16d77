"""Rule `negation`: a translation neither drops a negation nor adds one.

Negations of the English are counted strictly and those of the translation generously, because a
language has many ways to negate; locale/negation.toml lists them.
"""

import re
from bisect import bisect, bisect_left
from collections.abc import Iterator
from itertools import accumulate, pairwise

from docs._guide.l10n import data
from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.markdown import prose

PATTERNS = {
    language: {
        name: re.compile("|".join(parts), re.IGNORECASE)
        for name, parts in data.load("negation.toml")[language].items()
    }
    for language in ("en", "ja", "ko")
}
TURNED = [
    (re.compile(row["en"], re.IGNORECASE), {"ja": row["ja"], "ko": row["ko"]})
    for row in data.load("negation.toml")["turned"]
]
SENTENCE_END = re.compile(r"(?<=[。？！])|(?<=[.?!])\s+|(?<=니다\.)|(?<=세요\.)")


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for a negation that only one side has.

    >>> from pathlib import Path
    >>> def rules(msgid, msgstr, language="ja"):
    ...     return [f.rule for f in check(Entry(Path("p.po"), 1, msgid, msgstr), language)]
    >>> rules("The loop does not return.", "ループは戻りません。")
    []
    >>> rules("The loop does not return.", "ループは戻ります。")
    ['negation']
    >>> rules("Not only the value is kept.", "残るのは値だけではありません。")
    []
    >>> rules("The loop returns a value.", "루프는 값을 반환하지 않습니다.", "ko")
    ['negation']
    >>> rules("The two are not the same.", "両者は異なります。")
    []
    """
    english, own = PATTERNS["en"], PATTERNS[language]
    source, target = prose(entry.msgid), own["rhetorical"].sub("", prose(entry.msgstr))
    if any(
        denials(sentence) > answers(sentence, translation, language)
        for sentence, translation in aligned(source, target)
    ):
        yield Finding(entry, "negation", "the English has a negation that this lacks")
    elif own["sentence"].search(target) and not (
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
        len(re.findall(words[language], translation))
        for condition, words in TURNED
        if condition.search(english)
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
    """Split a text into sentences.

    >>> sentences("次は2.5です。JAX is fast. なぜでしょうか？")
    ['次は2.5です。', 'JAX is fast.', 'なぜでしょうか？']
    """
    return [part.strip() for part in SENTENCE_END.split(text) if part.strip()] or [""]


def boundaries(parts: list[str]) -> list[float]:
    """Where parts begin and end, as shares of the whole.

    >>> boundaries(["a", "bcd"])
    [0.0, 0.25, 1.0]
    """
    ends = list(accumulate(map(len, parts), initial=0))
    return [end / (ends[-1] or 1) for end in ends]
