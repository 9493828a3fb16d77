"""The translation has its language's script, in characters that common fonts have."""

import re
import unicodedata
from collections.abc import Iterator

from docs._guide.l10n.entry import Entry, Finding

# As Unicode names begin. A Chinese character of Japanese is one of the code page.
FOREIGN = {
    "ja": re.compile("HANGUL|CYRILLIC"),
    "ko": re.compile("HIRAGANA|KATAKANA|CJK|CYRILLIC"),
}
# The code page of each language's fonts; simplified Chinese, for example, is not in it.
CODE_PAGE = {"ja": "cp932", "ko": "cp949"}
# Characters of ordinary typography that the code pages lack.
COMMON = set("〜–—−‖¢£¬·•′″…“”‘’\n\t\u3000")

LOOSE_JAMO = re.compile(r"(?<=[가-힣])[ㄱ-ㅣ]|[ㄱ-ㅣ](?=[가-힣])|[ᄀ-ᇿ]")
WIDTH = {
    "ja": re.compile("[Ａ-Ｚａ-ｚ０-９＊＿｀＄＃％＠\u3000]+|[｡-ﾟﾠ-ￜ]+"),
    "ko": re.compile("[！-～\u3000]+|[｡-ﾟﾠ-ￜ]+"),
}


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield findings of the rules `wrong-script`, `encoding` and `fullwidth`."""
    text = entry.msgstr
    own = sorted(set(text) - set(entry.msgid))
    if letters := "".join(character for character in own if foreign(character, language)):
        yield Finding(entry, "wrong-script", f"not letters of this language: {letters}")
    if not unicodedata.is_normalized("NFC", text):
        yield Finding(entry, "encoding", "letters are decomposed: normalise the text to NFC")
    elif language == "ko" and LOOSE_JAMO.search(text):
        yield Finding(entry, "encoding", "join the loose letters into syllables")
    elif rare := [c for c in own if not (common(c, language) or foreign(c, language))]:
        codes = ", ".join(f"{character!r} (U+{ord(character):04X})" for character in rare)
        advice = f"remove or replace what is invisible, damaged or in few fonts: {codes}"
        yield Finding(entry, "encoding", advice)
    for match in WIDTH[language].findall(text):
        if match not in entry.msgid:
            advice = f"write {unicodedata.normalize('NFKC', match)!r} instead of {match!r}"
            yield Finding(entry, "fullwidth", advice)


def foreign(character: str, language: str) -> bool:
    """Whether a character is a letter of another script, or of another language's Chinese."""
    name = unicodedata.name(character, "")
    if FOREIGN[language].match(name):
        return True
    return name.startswith("CJK") and not common(character, language)


def common(character: str, language: str) -> bool:
    """Whether common fonts have a character; those of the site have all mathematical symbols."""
    if character in COMMON or unicodedata.category(character) == "Sm":
        return True
    try:
        return character.isprintable() and bool(character.encode(CODE_PAGE[language]))
    except UnicodeEncodeError:
        return False
