"""The translation has its language's script, in characters that common fonts have."""

import re
import unicodedata
from collections.abc import Iterator

from docs._guide.l10n.entry import Entry, Finding

FOREIGN = {
    "ja": {"Hangul": "[가-힣ᄀ-ᇿㄱ-ㆎ]", "Cyrillic": "[Ѐ-ӿ]"},
    "ko": {
        "kana": "[ぁ-ヿ]",
        "Chinese characters": "[\u3400-\u9fff\uf900-\ufaff]",
        "Cyrillic": "[Ѐ-ӿ]",
    },
}
# The code page of each language's fonts; simplified Chinese, for example, is not in it.
CODE_PAGE = {"ja": "cp932", "ko": "cp949"}
# Characters of ordinary typography that the code pages lack.
COMMON = set("〜–—−‖¢£¬·•′″…“”‘’\n\t")

UNPRINTABLE = re.compile(
    "[\u00a0\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
    "\ufffd\ue000-\uf8ff\x00-\x08\x0b-\x1f\x7f-\x9f]"
)
# UTF-8 decoded as Latin-1 or as Shift JIS, and EUC-KR decoded as Latin-1.
MOJIBAKE = re.compile(
    r"[ÃÂ][\x80-\xbf¡-¿]|[ãäåæçèéêëìí][\x80-\xbf¡-¿‚„…†‡ˆ‰‹Œ]|[縺繧繝][ァ-ヿ｡-ﾟ一-龠]|[¿À-ÿ]{3}"
)
LOOSE_JAMO = re.compile(r"(?<=[가-힣])[ㄱ-ㅣ]|[ㄱ-ㅣ](?=[가-힣])|[ᄀ-ᇿ]")
WIDTH = {
    "ja": re.compile("[Ａ-Ｚａ-ｚ０-９＊＿｀＄＃％＠\u3000]+|[｡-ﾟﾠ-ￜ]+"),
    "ko": re.compile("[！-～\u3000]+|[｡-ﾟﾠ-ￜ]+"),
}


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield findings of the rules `wrong-script`, `encoding` and `fullwidth`.

    >>> from pathlib import Path
    >>> def rules(msgid, msgstr, language="ja"):
    ...     return [f.rule for f in check(Entry(Path("p.po"), 1, msgid, msgstr), language)]
    >>> rules("JAX runs on a GPU.", "JAXはGPUで動きます。")
    []
    >>> rules("A loop", "루プ", "ko"), rules("for all", "对所有配列"), rules("a key", "한キー")
    (['wrong-script'], ['wrong-script'], ['wrong-script'])
    >>> rules("A loop", "ﾙｰﾌﾟ"), rules("JAX", "ＪＡＸ")
    (['fullwidth'], ['fullwidth'])
    >>> rules("a function", "\u1112\u1161\u11ab", "ko"), rules("key", "キー\u200b")
    (['encoding'], ['encoding'])
    """
    text = entry.msgstr
    own = "".join(sorted(set(text) - set(entry.msgid)))  # not in the English
    for script, letters in FOREIGN[language].items():
        if foreign := "".join(re.findall(letters, own)):
            yield Finding(entry, "wrong-script", f"{script}: {foreign}")
            own = re.sub(letters, "", own)
    rare = [c for c in own if not common(c, language)]
    if ideographs := "".join(c for c in rare if "CJK" in unicodedata.name(c, "")):
        yield Finding(entry, "wrong-script", f"not a character of this language: {ideographs}")
    if advice := encoding(text, own, rare, language):
        yield Finding(entry, "encoding", advice)
    for match in WIDTH[language].findall(text):
        if match not in entry.msgid:
            advice = f"write {unicodedata.normalize('NFKC', match)!r} instead of {match!r}"
            yield Finding(entry, "fullwidth", advice)


def encoding(text: str, own: str, rare: list[str], language: str) -> str:
    """Return advice on characters that are damaged, decomposed or in few fonts."""
    if unprintable := UNPRINTABLE.findall(own):
        return f"remove {', '.join(f'U+{ord(character):04X}' for character in unprintable)}"
    if not unicodedata.is_normalized("NFC", text):
        return "letters are decomposed: normalise the text to NFC"
    if language == "ko" and LOOSE_JAMO.search(text):
        return "join the loose letters into syllables"
    if (mojibake := MOJIBAKE.search(text)) and set(mojibake[0]) & set(own):
        return f"{mojibake[0]!r} is text in a wrong encoding"
    if rare := [character for character in rare if "CJK" not in unicodedata.name(character, "")]:
        return f"few fonts have {''.join(rare)}"
    return ""


def common(character: str, language: str) -> bool:
    """Whether common fonts have a character; those of the site have all mathematical symbols."""
    try:
        character.encode(CODE_PAGE[language])
    except UnicodeEncodeError:
        return character in COMMON or unicodedata.category(character) == "Sm"
    return True
