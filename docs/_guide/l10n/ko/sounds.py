"""In which sound a word ends when a Korean reads it aloud, be it Hangul, Latin, code or a formula.

A sound is a set: VOWEL, CONSONANT or LIEUL (ㄹ, after which 으로 becomes 로), or several of them
where people read differently. Most follow from the spelling; locale/ko/sounds.toml has the others.
"""

import re
import tomllib

from docs._guide.options import LOCALE

Sound = frozenset[str]
VOWEL = frozenset({"vowel"})
CONSONANT = frozenset({"consonant"})
LIEUL = frozenset({"lieul"})
ANY = VOWEL | CONSONANT | LIEUL

FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"

# Words whose spelling does not determine the sound.
WORDS = tomllib.loads((LOCALE / "ko" / "sounds.toml").read_text(encoding="utf-8"))
LEXICON: dict[str, Sound] = {
    word: sound
    for kind, sound in (("vowel", VOWEL), ("consonant", CONSONANT), ("lieul", LIEUL), ("any", ANY))
    for word in WORDS[kind].split()
}

LETTERS = {"l": LIEUL, "m": CONSONANT, "n": CONSONANT, "r": ANY}  # the others end in a vowel
DIGITS = {"1": LIEUL, "3": CONSONANT, "6": CONSONANT, "7": LIEUL, "8": LIEUL, "0": CONSONANT}
# Single digits of a name are read in Korean or in English: W1 is 일 or 원, x0 영 or 제로.
NAME_DIGITS = {"1": CONSONANT | LIEUL, "2": VOWEL, "4": VOWEL, "7": CONSONANT | LIEUL}
GREEK = set(WORDS["greek"].split())
CONSONANT_GREEK = {"epsilon", "varepsilon", "omicron", "upsilon"}

UNITS = "%| ?(?:[GMKT]i?B|kB|[GMk]?Hz|[mnµμ]s)(?![A-Za-z])"  # percent, byte, hertz, second
LAST_PART = re.compile(r"[A-Z]+$|[A-Z]?[a-z]+$|\d+$")
# Of an English word.
CONSONANT_ENDING = re.compile(r"(?:m|n|ng|me|ne|ic|[aeiou]ck)$(?<!resume)")
VOWEL_ENDING = re.compile(
    r"(?:[aeiouywrsxzfvdj]|[^n]g|sh|[^a]ch|tch|nch|th|ph|[^aeiouy][tpkb]|nc)$"
)


def final(syllable: str) -> str:
    """Return the final consonant of a syllable, as a letter; empty where it has none.

    >>> final("값"), final("를"), final("수")
    ('ㅄ', 'ㄹ', '')
    """
    return FINALS[(ord(syllable) - ord("가")) % len(FINALS)].strip()


def syllables(consonant: str) -> str:
    """Return a character class of all syllables that end in a consonant."""
    every = map(chr, range(ord("가"), ord("힣") + 1))
    return f"[{''.join(syllable for syllable in every if final(syllable) == consonant)}]"


def of_hangul(syllable: str) -> Sound:
    """Return the sound in which a syllable ends."""
    return {"": VOWEL, "ㄹ": LIEUL}.get(final(syllable), CONSONANT)


def of_number(number: str) -> Sound:
    """Read a number in Korean, with its unit; all units end in a vowel."""
    if re.search(f"(?:{UNITS})$", number):
        return VOWEL
    digits = number.rstrip(".,")
    return DIGITS.get(digits[-1], VOWEL) if digits[-1].isdigit() else ANY


def of_word(word: str) -> Sound:
    """Read a Latin word or abbreviation.

    >>> of_word("JAX") == VOWEL, of_word("kernel") == LIEUL, of_word("value_and_grad") == VOWEL
    (True, True, True)
    """
    word = word.rstrip("_")
    if word == "JIT":  # 짓 or 제이아이티; `jit` is 짓
        return ANY
    if word.lower() in LEXICON:
        return LEXICON[word.lower()]
    part = LAST_PART.search(word)
    if part is None:
        return ANY
    last = part[0].lower()
    if last.isdigit():
        return DIGITS.get(last[-1], VOWEL) if len(last) > 1 else NAME_DIGITS.get(last, ANY)
    if last in LEXICON:
        return LEXICON[last]
    if part[0].isupper() or not re.search("[aeiouy]", last):  # spelt out
        return LETTERS.get(last[-1], VOWEL)
    if CONSONANT_ENDING.search(last):
        return CONSONANT
    if last.endswith(("l", "le")):
        return LIEUL
    return VOWEL if VOWEL_ENDING.search(last) else ANY


def of_code(code: str) -> Sound:
    """Read code that ends in a name or a number; a call may also end in "bracket".

    >>> of_code("jax.jit") == CONSONANT, of_code("f(x)") == ANY
    (True, True)
    """
    code = code.strip().strip("'\"")
    if code.endswith("()"):
        return of_code(code[:-2]) | VOWEL
    name = re.search(r"(?:^|[^\w])([A-Za-z_]\w*|\d[\d.,_]*)$", code)
    if not name or " " in code:
        return ANY
    if name[1][0].isdigit():
        # axis=0 is 영 or 제로, x[1:3] is not read at all.
        return of_number(name[1]) if name[1] == code.lstrip("-+") else ANY
    return of_word(name[1])


def of_formula(formula: str) -> Sound:
    r"""Read a formula that ends in a letter, a number or a power.

    >>> of_formula(r"\lambda") == VOWEL, of_formula("n^2") == CONSONANT
    (True, True)
    """
    formula = formula.strip()
    if re.search(r"\^(?:[2-9n]|\{\d+\})$", formula):
        return CONSONANT  # 제곱, 승
    if re.search(r"[_^]|[}/!].{,3}$", formula):
        return ANY
    if greek := re.search(r"\\([A-Za-z]+)$", formula):
        if greek[1].lower() not in GREEK:
            return ANY
        return CONSONANT if greek[1] in CONSONANT_GREEK else VOWEL
    if number := re.search(r"(?:^|[\s=+-])(\d[\d.,]*)$", formula):
        return of_number(number[1])
    # x, 2x, f(x)
    if letter := re.search(r"(?:^|[\s\d=+-])([A-Za-z])$|^[A-Za-z]\(([A-Za-z])\)$", formula):
        return LETTERS.get((letter[1] or letter[2]).lower(), VOWEL)
    return ANY
