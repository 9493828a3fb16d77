"""Rule `particle`: particles agree with the sound before them: 은 or 는, 을 or 를, 으로 or 로.

After Latin, code, numbers and formulas the sound is that of the word as read aloud. Where
people read it in more than one way, every particle will do.
"""

import re
from collections.abc import Iterator

from markdown_it.tree import SyntaxTreeNode

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.ko import sounds
from docs._guide.l10n.ko.sounds import ANY, CONSONANT, LIEUL, UNITS, VOWEL, Sound
from docs._guide.l10n.markdown import HOLE, prose, spans

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

NAME = r"[A-Za-z][\w.+#/-]*(?<=[A-Za-z0-9+#])"
NUMBER = rf"\d[\d.,]*(?:{UNITS})?"
BEFORE = rf"(?<![\w./])(?P<before>{HOLE}|{NAME}|{NUMBER})(?P<aside>(?:\([^()]*\))?)"
QUOTE = r"[\"'”’]?"
PARTICLE = rf"(?P<particle>{'|'.join(f'{a}|{b}' for a, b, _ in PAIRS)})(?P<more>[가-힣]*)"
BORROWED = re.compile(BEFORE + QUOTE + PARTICLE, re.ASCII)
BARE_COPULA = re.compile(rf"{BEFORE}(?P<particle>{COPULA})(?![가-힣])", re.ASCII)
GLOSSED = re.compile(rf"(?P<before>[가-힣])(?P<aside>\([^()]*\)){QUOTE}{PARTICLE}")
# No noun ends in these: 값를, 값와. (함수을 would be right in 마을, 결과과 in 사과.)
NATIVE = re.compile(
    r"(?P<before>[가-힣])(?P<aside>)(?P<particle>를|와)(?P<more>)(?=[의는]?(?![가-힣]))"
)
BOTH = re.compile(
    r"[은을과이]\([는를와가]\)|[는를와가]\([은을과이]\)|\(으\)로|\(이\)(?=[라나며고든])"
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each particle that does not agree."""
    text, holes = prose(entry.msgstr).replace("(들)", "들"), spans(entry.msgstr)
    for regex in (BORROWED, GLOSSED, NATIVE):
        for match in regex.finditer(text):
            word, sound = word_before(match, holes)
            if right := agreeing(match["particle"], match["more"], sound):
                advice = f"{word}{match['aside']}{right}{match['more']}"
                yield Finding(entry, "particle", advice)
    for match in BARE_COPULA.finditer(text):
        word, sound = word_before(match, holes)
        if sound <= CONSONANT | LIEUL:
            yield Finding(entry, "particle", f"{word}{match['aside']}이{match['particle']}")
    for both in BOTH.findall(entry.msgstr):
        advice = f"은/는, 을/를, 이/가, 으로/로 가운데 맞는 하나만 씁니다: {both}"
        yield Finding(entry, "particle", advice)


def agreeing(particle: str, more: str, sound: Sound) -> str:
    """Return the particle that agrees with a sound; empty where this one does."""
    for after_consonant, after_vowel, followers in PAIRS:
        if particle in (after_consonant, after_vowel):
            if more and not re.fullmatch(followers or "(?!)", more):
                return ""
            vowels = VOWEL | LIEUL if after_vowel == "로" else VOWEL
            right = {after_vowel if ending in vowels else after_consonant for ending in sound}
            return "" if particle in right else right.pop()
    return ""


def word_before(match: re.Match[str], holes: list[SyntaxTreeNode]) -> tuple[str, Sound]:
    """Return the word before a particle, with its markup, and the sounds in which it may end."""
    before = match["before"]
    if re.fullmatch("[가-힣]", before):
        word = re.split("[^가-힣]", match.string[: match.end("before")])[-1]
        return word, sounds.of_hangul(before)
    if before == HOLE:
        node = holes[match.string.count(HOLE, 0, match.start("before"))]
        before = f"{node.markup}{node.content}{node.markup}"
        if node.type == "code_inline":
            sound = sounds.of_code(node.content)
        else:
            sound = sounds.of_formula(node.content) if node.type.startswith("math") else ANY
    else:
        sound = sounds.of_number(before) if before[0].isdigit() else sounds.of_word(before)
    # "f(x)" is read as a whole; "JVP(Jacobian-vector product)" as its first part, or as both.
    aside = match["aside"].strip("()")
    return before, sound | sounds.of_code(aside) if aside else sound
