"""The translation is written in its language's script, with characters that every font has."""

import csv
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from keyword import kwlist

from docs._l10n.entry import Entry, Finding
from docs._l10n.markdown import prose
from docs._make.options import ROOT

LETTERS = {
    "ja": {"Hangul": "가-힣ᄀ-ᇿㄱ-ㆎ", "Cyrillic": "Ѐ-ӿ"},
    "ko": {"kana": "ぁ-ヿ", "Chinese characters": "\u3400-\u9fff\uf900-\ufaff", "Cyrillic": "Ѐ-ӿ"},
}
# The code page of each language's fonts; it lacks, for one, simplified Chinese.
CODE_PAGE = {"ja": "cp932", "ko": "cp949"}
# Characters of ordinary typography that Windows' tables map to a twin or leave out.
COMMON = set("〜–—−‖¢£¬·•′″…“”‘’") | {"\n", "\t"}

INVISIBLE = re.compile(
    "[\u00a0\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]"
)
BROKEN = re.compile("[\ufffd\ue000-\uf8ff\x00-\x08\x0b-\x1f\x7f-\x9f]")
# UTF-8 read as Latin-1 or as Shift JIS; and Korean that lost its table.
MOJIBAKE = re.compile(
    r"[ÃÂ][\x80-\xbf¡-¿]|[ãäåæçèéêëìí][\x80-\xbf¡-¿‚„…†‡ˆ‰‹Œ]|縺[ァ-ヿ｡-ﾟ一-龠]|繧[ァ-ヿ｡-ﾟ一-龠]|繝[ァ-ヿ｡-ﾟ一-龠]|[¿À-ÿ]{3}"
)
LOOSE_JAMO = re.compile(r"(?<=[가-힣])[ㄱ-ㅣ]|[ㄱ-ㅣ](?=[가-힣])|[ᄀ-ᇿ]")

HALF_WIDTH = re.compile("[｡-ﾟﾠ-ￜ]+")
FULL_WIDTH = {
    "ja": re.compile("[Ａ-Ｚａ-ｚ０-９＊＿｀＄＃％＠\u3000]+"),
    "ko": re.compile("[！-～\u3000]+"),
}

# A run of English: words, with only spaces and light punctuation between them.
WORD = r"[A-Za-z][A-Za-z'’]*(?:-[A-Za-z]+)*"
RUN = re.compile(rf"(?<![\w.@/{{-]){WORD}(?:[,;:]?\s+{WORD})*(?![\w@/=(-]|\.\w)", re.ASCII)
GLOSS = re.compile(r"[（(][^（()）]*[)）]|[「『“\"‘][^」』”\"’]*[」』”\"’]")

FUNCTION_WORDS = """
a an the is are was were be been has have had do does did can could may might must should will
would of to in on at by for from with without into through as than then when where which who
what how why that this these those it its they their them you your we our and or but not if so
because while although there here only also very more most each every until after before about
between over under during whether since again
"""
FINITE_WORDS = """
is are was were has have does did can could must should will would it you we
"""
# Ordinary words of a guide that have a translation, and are no name of anything.
ORDINARY_WORDS = """
about above after again all allow allows answer applies apply arguments arrays average before
begin behavior behaviour below best better bigger both build calculate calculates called calls
cases cells change changed changes chapter check checks choose choosing compare compared
compares compiled compiles computation compute computed computes contains contents copies
correct create created creates devices difference different directly dynamic each element
elements empty end ends enough equal error errors even every exact example examples exercise
exercises expected explain fast faster fastest few figure find first fixed following function
functions given gives good gradients guide happens helps important index input inputs inside
instead introduction keep keeps kind language large larger last later least length less level
line lines long longer loops made main make makes many matrices matter mean means measure
measured measurement memory message method methods missing models most name names need needed
needs never new nothing number numbers often once open option options order other outputs
outside overview page pages parameters part parts picture possible previous prints problem
problems process produce program programs questions quickly read reader reads reason reference
repeat requires result results returned returns rule rules run running runs same second seconds
section see several shapes short should show shows simple single size sizes slow slower small
smaller solution some speed start starts states static step steps still stop stops such summary
takes tests therefore thing things third time times together tool tools training twice type
types use used useful user uses using usually values variable variables version versions wait
waits want way ways whole why word words work works write writes written wrong
"""
# Python's own words stand in a sentence without backticks now and then: for ループ, if 문.
KEYWORDS = {word.lower() for word in kwlist}
FUNCTION, FINITE, ORDINARY = (
    set(words.split()) for words in (FUNCTION_WORDS, FINITE_WORDS, ORDINARY_WORDS)
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Apply the four rules.

    >>> from pathlib import Path
    >>> def rules(msgid, msgstr, language="ja"):
    ...     return [f.rule for f in check(Entry(Path("p.po"), 1, msgid, msgstr), language)]
    >>> rules("JAX runs on a GPU.", "JAXはGPUで動きます。")
    []
    >>> rules("It runs. The loop waits for the result.", "動きます。The loop waits for the result.")
    ['leftover-english']
    >>> rules("Automatic differentiation", "自動微分（automatic differentiation）")
    []
    >>> rules("A `for` loop", "forループ")
    []
    >>> rules("A loop", "루プ", "ko"), rules("for all", "对所有配列"), rules("a key", "한キー")
    (['wrong-script'], ['wrong-script'], ['wrong-script'])
    >>> rules("A loop", "ﾙｰﾌﾟ"), rules("JAX", "ＪＡＸ")
    (['fullwidth'], ['fullwidth'])
    >>> rules("a function", "\u1112\u1161\u11ab", "ko"), rules("key", "キー\u200b")
    (['encoding'], ['encoding'])
    """
    if not entry.msgstr:
        return
    yield from leftovers(entry)
    own = "".join(sorted(set(entry.msgstr) - set(entry.msgid)))
    yield from foreign_letters(entry, language, own)
    yield from broken_characters(entry, language)
    for found in re.findall(FULL_WIDTH[language], entry.msgstr) + HALF_WIDTH.findall(entry.msgstr):
        if found not in entry.msgid:
            advice = f"write {unicodedata.normalize('NFKC', found)!r} instead of {found!r}"
            yield Finding(entry, "fullwidth", advice)


def leftovers(entry: Entry) -> Iterator[Finding]:
    """English that is neither a name, nor in brackets after its translation."""
    text = prose(entry.msgstr)
    if entry.msgid == entry.msgstr:
        if any(ordinary(run) if " " not in run else english(run) for run in RUN.findall(text)):
            yield Finding(entry, "leftover-english", "this is not translated")
        return
    for gloss in GLOSS.findall(text):
        for run in RUN.findall(gloss):
            words = [word.strip(",;:") for word in run.split()]
            if len(words) > 3 and FINITE & set(words) and gloss[1:-1] not in entry.msgid:
                yield Finding(entry, "leftover-english", f"translate {run!r}")
    for run in RUN.findall(GLOSS.sub("、", text)):
        if english(run):
            yield Finding(entry, "leftover-english", f"translate {run!r}")


def english(run: str) -> bool:
    """Whether a run of Latin letters is English left over, and not a name."""
    words = [word.strip(",;:") for word in run.split()]
    if {word.lower() for word in words} <= KEYWORDS and len(words) < 3:
        return False
    if len(words) == 1:
        return words[0].lower() in ORDINARY and ordinary(words[0])
    if run in approved():
        return False
    lower = [word for word in words if word.islower()]
    # A title or a name keeps its small words: Journal of Machine Learning Research.
    if all(word in FUNCTION for word in lower) and words[0] not in lower:
        plain = words[0].lower() in FUNCTION | ORDINARY or words[-1] in FUNCTION
        return bool(lower) and plain
    ordinary_words = [word for word in lower if len(word) > 2 and ordinary(word)]
    return bool(FUNCTION & set(lower)) or len(ordinary_words) > 1


def ordinary(word: str) -> bool:
    """Whether a word is written as English words are, and no name that stays Latin.

    >>> [ordinary(word) for word in ("function", "Exercises", "pytree", "NumPy", "Python", "x")]
    [True, True, False, False, False, False]
    """
    word = word.strip(",;:")
    if len(word) < 3 or word in approved_words():
        return False
    return word.islower() or (word.istitle() and word.lower() in ORDINARY | FUNCTION)


@cache
def approved() -> str:
    """The approved forms of the term base, one a line."""
    with (ROOT / "locale" / "terms.csv").open(encoding="utf-8", newline="") as file:
        return "\n".join(f"{row['ja']}\n{row['ko']}" for row in csv.DictReader(file))


@cache
def approved_words() -> set[str]:
    """Latin words that an approved form keeps: pytree, dtype, jaxpr."""
    return set(re.findall(WORD, approved(), re.ASCII))


def foreign_letters(entry: Entry, language: str, own: str) -> Iterator[Finding]:
    """Letters of another language, unless the English has them too."""
    foreign = ""
    for name, letters in LETTERS[language].items():
        if found := "".join(re.findall(f"[{letters}]", own)):
            foreign += found
            yield Finding(entry, "wrong-script", f"{name}: {found}")
    rest = [character for character in own if character not in foreign]
    if ideographs := "".join(c for c in rest if ideograph(c) and not encodable(c, language)):
        yield Finding(entry, "wrong-script", f"not a character of this language: {ideographs}")


def foreign_letter(character: str, language: str) -> bool:
    """Whether the rule on scripts already speaks of a character."""
    return any(re.match(f"[{letters}]", character) for letters in LETTERS[language].values())


def ideograph(character: str) -> bool:
    """Whether a character is a Chinese one."""
    return "CJK" in unicodedata.name(character, "")


def encodable(character: str, language: str) -> bool:
    """Whether the fonts of a language have a character."""
    try:
        character.encode(CODE_PAGE[language])
    except UnicodeEncodeError:
        return False
    return True


def broken_characters(entry: Entry, language: str) -> Iterator[Finding]:
    """Characters that are invisible, decomposed, damaged, or in few fonts."""
    text = entry.msgstr
    own = set(text) - set(entry.msgid)
    if found := sorted(own & set("".join(INVISIBLE.findall(text) + BROKEN.findall(text)))):
        names = ", ".join(f"U+{ord(character):04X}" for character in found)
        yield Finding(entry, "encoding", f"remove {names}")
    elif not unicodedata.is_normalized("NFC", text):
        yield Finding(entry, "encoding", "letters are taken apart: normalise the text to NFC")
    elif language == "ko" and LOOSE_JAMO.search(text):
        yield Finding(entry, "encoding", "join the loose letters into syllables")
    elif (found_bytes := MOJIBAKE.search(text)) and found_bytes[0] not in entry.msgid:
        yield Finding(entry, "encoding", f"{found_bytes[0]!r} is text in a wrong encoding")
    elif rare := sorted(c for c in own if is_rare(c, language) and not foreign_letter(c, language)):
        yield Finding(entry, "encoding", f"few fonts have {''.join(rare)}")


def is_rare(character: str, language: str) -> bool:
    """Whether few fonts have a character; signs of mathematics are in those that matter."""
    if character in COMMON or ideograph(character) or encodable(character, language):
        return False
    return unicodedata.category(character) != "Sm"
