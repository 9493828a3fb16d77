"""Korean particles agree with the sound before them: 은 or 는, 을 or 를, 으로 or 로.

After Latin, code, numbers and formulas the sound is that of the word as read aloud. Where
people read it in more than one way, every particle will do.
"""

import re
from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.korean import SPAN, Prose, final, prose
from docs._l10n.korean_sounds import (
    ANY,
    CONSONANT,
    LIEUL,
    UNITS,
    VOWEL,
    sound_of_code,
    sound_of_formula,
    sound_of_number,
    sound_of_word,
)

# After a consonant, after a vowel, and what may follow: "로" may, but "로그" is another word.
PAIRS = [
    ("은", "는", ""),
    ("이", "가", ""),
    ("을", "를", ""),
    ("과", "와", "의|는|도|만|를|까지"),
    ("으로", "로", "는|도|만|부터|써|서|서는|의|까지|부터의|부터는"),
]
# The copula may keep its 이 after a vowel, but cannot lose it after a consonant.
COPULA = r"(?:라는|라고|라면|라서|란|나|든|든지|며|고|므로|지만|면|여서|여도|여야|였[가-힣]+|예요)"

ROUND_BRACKET = r"(?:\([^()]*\))?"
QUOTE = r"[\"'”’]?"
NAME = r"[A-Za-z][\w.+#/-]*(?<=[A-Za-z0-9+#])"
NUMBER = rf"\d[\d.,]*(?:{UNITS})?"
BEFORE = rf"(?P<before>{SPAN}|{NAME}|{NUMBER})"
PARTICLE = rf"(?P<particle>{'|'.join(f'{a}|{b}' for a, b, _ in PAIRS)})(?P<more>[가-힣]*)"
BORROWED = re.compile(rf"(?<![\w./]){BEFORE}(?P<aside>{ROUND_BRACKET}){QUOTE}{PARTICLE}", re.ASCII)
BARE_COPULA = re.compile(
    rf"(?<![\w./]){BEFORE}(?P<aside>{ROUND_BRACKET})(?P<particle>{COPULA})(?P<more>)(?![가-힣])",
    re.ASCII,
)
GLOSSED = re.compile(rf"(?P<before>[가-힣])\([^()]*\){QUOTE}{PARTICLE}")
# No noun ends in these: 값를, 값와. (함수을 would be right in 마을, 결과과 in 사과.)
NATIVE = re.compile(r"(?P<before>[가-힣])(?P<particle>를|와)(?P<more>)(?=[의는]?(?![가-힣]))")
BOTH = re.compile(
    r"[은을과이]\([는를와가]\)|[는를와가]\([은을과이]\)|\(으\)로|\(이\)(?=[라나며고든])"
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each particle that does not agree.

    >>> from pathlib import Path
    >>> def advice(msgstr):
    ...     return [f.advice for f in check(Entry(Path("a.po"), 1, "", msgstr), "ko")]
    >>> advice("`jit`로 JAX은 $x$을 8로 나눈 기울기(gradient)를 씁니다.")
    ['`jit`으로', 'JAX는', '$x$를']
    >>> advice("`f(x)`은 Jaxpr을, 배열는 값를, 함수을(를)")
    ['값을', '은/는, 을/를, 이/가, 으로/로 가운데 맞는 하나만 씁니다: 을(를)']
    """
    if language != "ko" or not entry.msgstr:
        return
    text = prose(entry.msgstr)
    for found in BORROWED.finditer(text.text):
        yield from disagreement(
            entry, found, sound_before(found, text), written(found, text) + found["aside"]
        )
    for found in BARE_COPULA.finditer(text.text):
        if sound_before(found, text) <= CONSONANT | LIEUL:
            advice = f"{written(found, text)}{found['aside']}이{found['particle']}"
            yield Finding(entry, "particle", advice)
    for found in GLOSSED.finditer(text.text.replace("(들)", "들")):
        word = last_word(text.text[: found.start() + 1])
        yield from disagreement(entry, found, sound_of_syllable(found["before"]), word + "(…)")
    for found in NATIVE.finditer(text.text):
        if sound_of_syllable(found["before"]) != VOWEL:
            word = last_word(text.text[: found.start("particle")])
            yield from disagreement(entry, found, sound_of_syllable(found["before"]), word)
    for both in BOTH.findall(entry.msgstr):
        advice = f"은/는, 을/를, 이/가, 으로/로 가운데 맞는 하나만 씁니다: {both}"
        yield Finding(entry, "particle", advice)


def disagreement(
    entry: Entry, found: re.Match[str], sound: frozenset[str], word: str
) -> Iterator[Finding]:
    """Compare a particle with the sounds that the word before it may end in."""
    particle, more = found["particle"], found["more"]
    for after_consonant, after_vowel, followers in PAIRS:
        if particle not in (after_consonant, after_vowel):
            continue
        if more and not re.fullmatch(followers or "(?!)", more):
            continue
        vowel_like = VOWEL | LIEUL if after_vowel == "로" else VOWEL
        fitting = {after_vowel if one in vowel_like else after_consonant for one in sound}
        if particle not in fitting:
            yield Finding(entry, "particle", f"{word}{fitting.pop()}{more}")


def sound_before(found: re.Match[str], text: Prose) -> frozenset[str]:
    """Return the sounds in which the word before a particle may end."""
    before = found["before"]
    if re.fullmatch(SPAN, before):
        token = text.span(before)
        if token.type == "code_inline":
            sound = sound_of_code(token.content)
        elif token.type.startswith("math"):
            sound = sound_of_formula(token.content)
        else:
            sound = ANY
    elif before[0].isdigit():
        sound = sound_of_number(before)
    else:
        sound = sound_of_word(before)
    aside = found["aside"].strip("()")
    # "f(x)" is read as a whole; "JVP(Jacobian-vector product)" as its first part, or as both.
    return sound | sound_of_code(aside) if aside else sound


def sound_of_syllable(syllable: str) -> frozenset[str]:
    """Return the sound in which a Korean syllable ends."""
    consonant = final(syllable)
    return {"": VOWEL, "ㄹ": LIEUL}.get(consonant, CONSONANT)


def written(found: re.Match[str], text: Prose) -> str:
    """Return the word before a particle, with its markup."""
    before = found["before"]
    if not re.fullmatch(SPAN, before):
        return before
    token = text.span(before)
    return f"{token.markup}{token.content}{token.markup}"


def last_word(text: str) -> str:
    """Return the Korean word in which a text ends."""
    return re.split(r"[^가-힣]", text)[-1]
