"""Rule `particle`: particles agree with the sound before them: 은 or 는, 을 or 를, 으로 or 로.

After Latin, code, numbers and formulas the sound is that of the word as read aloud. Most follow
from the spelling; locale/ko/sounds.toml has the others.
"""

import re
import tomllib
from collections.abc import Iterator

from docs._guide.options import LOCALE
from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import nodes

# In what a word ends; after ㄹ, 으로 becomes 로. ANY: people read it differently.
VOWEL, CONSONANT, LIEUL, ANY = "vowel", "consonant", "lieul", "any"
SOUNDS = tomllib.loads((LOCALE / "ko" / "sounds.toml").read_text(encoding="utf-8"))
WORDS = {word: sound for sound, words in SOUNDS.items() for word in words.split()}
LETTERS = {"l": LIEUL, "m": CONSONANT, "n": CONSONANT, "r": ANY}  # the others end in a vowel
DIGITS = {"1": LIEUL, "3": CONSONANT, "6": CONSONANT, "7": LIEUL, "8": LIEUL, "0": CONSONANT}
SPELLINGS = {
    CONSONANT: re.compile(r"(?:m|n|ng|me|ne|ic|[aeiou]ck)$(?<!resume)"),
    LIEUL: re.compile("le?$"),
    VOWEL: re.compile("(?:[aeiouywrsxzfvdj]|[^n]g|sh|[^a]ch|th|ph|[^aeiouy][tpkb]|nc)$"),
}

# The particle after a consonant, after a vowel, and what may follow: 로는, but 로그 is a word.
PAIRS = {"은": ("는", ""), "이": ("가", ""), "을": ("를", ""), "과": ("와", "의|는|도|만|를")}
PAIRS["으로"] = ("로", "는|도|만|부터|부터의|부터는|써|서|서는|의|까지")
PARTICLE = "|".join(f"(?:{a}|{b})(?=(?:{more})?(?![가-힣]))" for a, (b, more) in PAIRS.items())
UNIT = "%| ?(?:[GMKT]i?B|kB|[GMk]?Hz|[mnµμ]s)(?![A-Za-z])"  # percent, byte, hertz, second
WORD = rf"[A-Za-z][\w.+#/-]*|\d[\d.,]*(?:{UNIT})?|\$[^$]+\$"
PLACE = re.compile(
    rf"(?:(?<![\w./=:])(?P<word>{WORD})(?P<call>\(\))?(?P<aside>\([^()]+\))?"
    rf"|(?P<hangul>[가-힣])(?P<gloss>\([^()]+\)))[\"'”’]?(?P<particle>{PARTICLE})",
    re.ASCII,
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each particle that does not agree."""
    for place in PLACE.finditer(read_aloud(entry.msgstr)):
        sounds = {sound(place["word"] or place["hangul"])}
        if aside := place["aside"] or place["gloss"]:  # read or skipped
            sounds.add(sound(aside.strip("()").split()[-1]))
        particle = place["particle"]
        consonant, vowel = next((a, b) for a, (b, _) in PAIRS.items() if particle in (a, b))
        agree = {VOWEL} | ({LIEUL} if vowel == "로" else set())
        right = {vowel if ending in agree else consonant for ending in sounds}
        if ANY not in sounds and not place["call"] and particle not in right:
            advice = place[0].removesuffix(particle) + right.pop()
            yield Finding(entry, "particle", advice)


def read_aloud(text: str) -> str:
    """The visible text with code as it is read, and formulas between dollar signs."""
    return "".join(
        f"${node.content.strip()}$" if node.type.startswith("math") else node.content
        for node in nodes(text)
        if node.type in ("text", "code_inline") or node.type.startswith("math")
    )


def sound(word: str) -> str:
    """In what a word ends, be it Hangul, Latin, code, a number or a formula.

    >>> [sound(word) for word in ("값", "JAX", "kernel", "value_and_grad", "10", "$n^2$", "W1")]
    ['consonant', 'vowel', 'lieul', 'vowel', 'consonant', 'consonant', 'any']
    """
    if re.search("[가-힣]$", word):
        return {0: VOWEL, 8: LIEUL}.get((ord(word[-1]) - ord("가")) % 28, CONSONANT)
    if word.startswith("$"):
        return of_formula(word.strip("$"))
    if re.match(r"\d", word):
        return (
            VOWEL if re.search(f"(?:{UNIT})$", word) else DIGITS.get(word.rstrip(".,")[-1], VOWEL)
        )
    last = re.search(r"[A-Z]+$|[A-Z]?[a-z]+$|\d\d+$", word.rstrip("_"))
    if last is None:  # x0 is 영 or 제로
        return ANY
    for spelling in (word.lower(), last[0].lower()):
        if spelling in WORDS:
            return WORDS[spelling]
    if last[0].isdigit():
        return DIGITS.get(last[0][-1], VOWEL)
    if last[0].isupper() or not re.search("[aeiouy]", last[0]):  # spelt out
        return LETTERS.get(last[0][-1].lower(), VOWEL)
    return next((kind for kind, end in SPELLINGS.items() if end.search(last[0].lower())), ANY)


def of_formula(formula: str) -> str:
    r"""In what a formula ends: a power, a letter or a number; others are read differently.

    >>> of_formula(r"\lambda"), of_formula("2x"), of_formula("a_i")
    ('vowel', 'vowel', 'any')
    """
    if re.search(r"\^(?:[2-9n]|\{\d+\})$", formula):
        return CONSONANT  # 제곱, 승
    last = re.search(r"(?:^|[\s=+-])\d*(\\?[A-Za-z]+|(?<=\d))$", formula)
    if last is None:
        return ANY
    name = last[1].removeprefix("\\")
    if len(name) > 1:
        return WORDS.get(name, ANY)
    return LETTERS.get(name.lower(), VOWEL) if name else DIGITS.get(formula[-1], VOWEL)
