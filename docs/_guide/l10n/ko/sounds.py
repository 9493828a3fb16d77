"""In which sound Latin, code, numbers and formulas end when a Korean reads them aloud.

A sound is a set: VOWEL, CONSONANT or LIEUL (ㄹ, after which 으로 becomes 로), or several of them
where people read differently. Most follow from the spelling; locale/ko/sounds.toml has the others.
"""

import re

from docs._guide.l10n import data

Sound = frozenset[str]
VOWEL = frozenset({"vowel"})
CONSONANT = frozenset({"consonant"})
LIEUL = frozenset({"lieul"})
ANY = VOWEL | CONSONANT | LIEUL

# Words whose spelling does not determine the sound.
WORDS = data.load("ko/sounds.toml")
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


def of_number(number: str) -> Sound:
    """Read a number in Korean, with its unit.

    >>> of_number("8") == LIEUL, of_number("1,000") == CONSONANT
    (True, True)
    >>> of_number("3%") == VOWEL, of_number("16 GiB") == VOWEL
    (True, True)
    """
    if re.search(f"(?:{UNITS})$", number):
        return VOWEL
    digits = number.rstrip(".,")
    return DIGITS.get(digits[-1], VOWEL) if digits[-1].isdigit() else ANY


def of_word(word: str) -> Sound:
    """Read a Latin word or abbreviation.

    >>> of_word("JAX") == VOWEL, of_word("kernel") == LIEUL
    (True, True)
    >>> of_word("value_and_grad") == VOWEL, of_word("Python") == CONSONANT
    (True, True)
    >>> of_word("JIT") == ANY, of_word("PRNG") == VOWEL
    (True, True)
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
    spelt_out = part[0].isupper() or not re.search("[aeiouy]", last)
    return LETTERS.get(last[-1], VOWEL) if spelt_out else of_spelling(last)


def of_spelling(word: str) -> Sound:
    """Derive the sound from the last letters of an English word; ANY where they are ambiguous.

    >>> [of_spelling(w) == CONSONANT for w in ("token", "name", "static", "string")]
    [True, True, True, True]
    >>> [of_spelling(w) == VOWEL for w in ("shape", "print", "mask", "batch", "tracer")]
    [True, True, True, True, True]
    """
    if re.search(r"(?:m|n|ng|me|ne|ic|[aeiou]ck)$", word) and not word.endswith("resume"):
        return CONSONANT
    if re.search(r"(?:l|le)$", word):
        return LIEUL
    if re.search(r"(?:[aeiouywrsxzfvdj]|[^n]g|sh|[^a]ch|tch|nch|th|ph|[^aeiouy][tpkb]|nc)$", word):
        return VOWEL
    return ANY


def of_code(code: str) -> Sound:
    """Read code that ends in a name or a number; a call may also end in "bracket".

    >>> of_code("jax.jit") == CONSONANT, of_code("f(x)") == ANY
    (True, True)
    >>> of_code("block_until_ready()") == VOWEL
    True
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

    >>> of_formula("x") == VOWEL, of_formula(r"\lambda") == VOWEL
    (True, True)
    >>> of_formula("n^2") == CONSONANT, of_formula(r"\frac{1}{2}") == ANY
    (True, True)
    """
    formula = formula.strip()
    if re.search(r"\^(?:[2-9n]|\{\d+\})$", formula):
        return CONSONANT  # 제곱, 승
    if re.search(r"[\^_}/!]", formula[-4:]) or re.search(r"[_^]", formula):
        return ANY
    if greek := re.search(r"\\([A-Za-z]+)$", formula):
        if greek[1].lower() not in GREEK:
            return ANY
        return CONSONANT if greek[1] in CONSONANT_GREEK else VOWEL
    if number := re.search(r"(?:^|[\s=+-])(\d[\d.,]*)$", formula):
        return of_number(number[1])
    if call := re.fullmatch(r"[A-Za-z]\(([A-Za-z])\)", formula):
        return LETTERS.get(call[1].lower(), VOWEL)
    if letter := re.search(r"(?:^|[\s\d=+-])([A-Za-z])$", formula):
        return LETTERS.get(letter[1].lower(), VOWEL)
    return ANY
