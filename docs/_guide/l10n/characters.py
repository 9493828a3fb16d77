"""Rule `characters`: a translation has the letters of its language, which common fonts have.

The letters are those of the code page that the fonts of a language follow: cp932 has no Hangul, no
simplified Chinese, no invisible or decomposed characters.
"""

import re
import unicodedata
from collections.abc import Iterator

from docs._guide.po.entry import Entry, Finding

CODE_PAGE = {"ja": "cp932", "ko": "cp949"}
# Typography that the code pages lack; mathematical symbols are in the fonts of the site.
COMMON = set("〜–—−‖¢£¬·•′″…“”‘’\n\t")
# What the code pages have and no translation needs: other scripts, loose letters, other widths.
UNWANTED = {
    "ja": re.compile("[а-яёА-ЯЁＡ-Ｚａ-ｚ０-９＊＿｀＄＃％＠\u3000]|[｡-ﾟ]"),
    "ko": re.compile("[а-яёА-ЯЁぁ-ゖァ-ヺ一-龥ㄱ-ㅣ！-～\u3000]|[豈-龎]"),
}


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield one finding for all such characters that the English does not have."""
    own = sorted(set(entry.msgstr) - set(entry.msgid))
    if wrong := [character for character in own if not usual(character, language)]:
        codes = ", ".join(f"{character!r} (U+{ord(character):04X})" for character in wrong)
        yield Finding(entry, "characters", f"remove or replace what is in few fonts: {codes}")


def usual(character: str, language: str) -> bool:
    """Whether a character belongs into a language.

    >>> [usual(character, "ja") for character in "計计７"]
    [True, False, False]
    """
    if character in COMMON or unicodedata.category(character) == "Sm":
        return True
    encoded = character.encode(CODE_PAGE[language], errors="ignore")
    return bool(encoded) and character.isprintable() and not UNWANTED[language].match(character)
