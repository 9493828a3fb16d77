"""Rule `negation`: a translation does not say the contrary.

Negations of the English are counted strictly and those of the translation generously, because a
language has many ways to negate; locale/negation.toml lists them.
"""

import re
import tomllib
from collections.abc import Iterator

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
    source, target = prose(entry.msgid), prose(entry.msgstr)
    claims = PATTERNS[language]["rhetorical"].sub("", target)
    english, translated = sentences(source), sentences(claims)
    if len(english) != len(translated):
        translated = [claims] * len(english)  # a negation may be in any sentence
    pairs = zip(english, translated, strict=True)
    if any(denials(sentence) > answers(sentence, other, language) for sentence, other in pairs):
        yield Finding(entry, "negation", "the English has a negation that this lacks")
    elif PATTERNS[language]["sentence"].search(claims) and not (
        PATTERNS["en"]["negation"].search(source) or PATTERNS["en"]["negative_sense"].search(source)
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


def sentences(text: str) -> list[str]:
    """Split a text of any of the three languages into sentences."""
    return [part.strip() for part in SENTENCE_END.split(text) if part.strip()]
