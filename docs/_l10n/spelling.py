"""Spelling and spaces of the Korean translations: `python -m docs._l10n.spelling`.

Hunspell (Debian: hunspell, hunspell-ko) knows the words, with the nouns of the term base and of
locale/ko/words.txt besides. Kiwi knows where a word begins, and so which space is stray or missing.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Protocol

from docs._l10n.entry import Entry, Finding, read, split
from docs._l10n.korean import SPAN, prose
from docs._l10n.korean_patterns import ACTIONS
from docs._l10n.termbase import load
from docs._make.options import LOCALE

HUNSPELL = ("hunspell", "-d", "ko_KR", "-i", "utf-8")
WORDS = LOCALE / "ko" / "words.txt"
INSTALL = "hunspell has no Korean dictionary here: apt-get install hunspell hunspell-ko"

# Hangul after Latin, code, a number or a bracket is a particle or a unit: other rules see it.
WORD = re.compile(
    r"(?<![\w%가-힣)\ue000-\uf8ff\N{OBJECT REPLACEMENT CHARACTER}])[가-힣]+", re.ASCII
)
# The dictionary does not know that these follow a noun or a particle.
FOLLOWERS = re.compile(
    r"(.+?)(?:뿐(?:만|입니다|이며|이고|이므로|이지만)?|씩(?:만|의)?|까지의|부터의|에서의|별(?:로)?|만도|만의|"
    r"서만|서는|서나|(?:으)?로든|이든|든지|마저|조차|마다의|에서(?:부터|처럼|와)|만(?:으로(?:는)?|을)|"
    r"만큼의|뿐인|뿐이면|씩(?:입니다|이며)|인지(?:를|에)?|지(?:를|에|만)|에든)"
)
# It knows few of the verbs with -지다: 빨라집니다, 만들어진.
BECOMING = re.compile(r".+[아어여라해려워져][지집질진져졌][가-힣]*")
# One word each, where others are two: 살펴봅니다, but 바꿔 봅니다; 아무것도, but 어느 것도.
ONE_WORD = re.compile(
    r"(?:알아|살펴|돌아|지켜|들여다|내려다|눈여겨|물어|찾아|둘러|쳐다|훑어|따져)[보볼본봄봅봐봤]|(?:넘겨|건네|돌려|도와|물려|들려)[주줄준줌줍줘줬]"
    r"|^(?:아무것|그중|그럴듯|내[주줄준줌줍줘줬])"
)


class Token(Protocol):
    """A word or particle as Kiwi reports it; tags: github.com/bab2min/kiwipiepy."""

    form: str
    tag: str
    start: int
    end: int


def main() -> int:
    """Print what is wrong; return 1 if anything is."""
    if problem := missing():
        print(f"spelling: {problem}", file=sys.stderr)
        return 1
    entries = [entry for po in sorted((LOCALE / "ko").rglob("*.po")) for entry in read(po)]
    wrong, silenced = split([*misspelt(entries), *misspaced(entries)])
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"spelling: {len(wrong)} findings, {len(silenced)} silenced")
    return 1 if wrong else 0


def missing() -> str:
    """Say what must be installed first; empty if nothing."""
    if not shutil.which("hunspell"):
        return INSTALL
    tried = subprocess.run([*HUNSPELL, "-l"], input=b"", capture_output=True)
    return INSTALL if tried.returncode else ""


def misspelt(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Ask Hunspell about every word once."""
    words = {entry: set(WORD.findall(prose(entry.msgstr).text)) for entry in entries}
    unknown = suggestions(set().union(*words.values()))
    stems = {word: found[1] for word in unknown if (found := FOLLOWERS.fullmatch(word))}
    known_stems = set(stems.values()) - suggestions(stems.values()).keys()
    for entry in entries:
        for word in sorted(words[entry] & unknown.keys()):
            if stems.get(word) not in known_stems and not BECOMING.fullmatch(word):
                better = unknown[word] or f"if it is right, add it to {WORDS.name}"
                yield Finding(entry, "spelling", f"{word} → {better}")


def suggestions(words: Iterable[str]) -> dict[str, str]:
    """Return the words that Hunspell does not know, with what it would write instead."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".dic") as personal:
        personal.write("\n".join(personal_dictionary()) + "\n")
        personal.flush()
        answer = subprocess.run(
            [*HUNSPELL, "-p", personal.name, "-a"],
            input="".join(f"^{word}\n" for word in sorted(words)),
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout
    lines = re.findall(r"^[&#] (\S+) [\d ]+(?:: (.*))?$", answer, re.MULTILINE)
    return {word: ", ".join(better.split(", ")[:3]) for word, better in lines}


@cache
def personal_dictionary() -> tuple[str, ...]:
    """Return our words, each with a word of the dictionary that inflects alike.

    >>> "텐서/함수" in personal_dictionary(), "벡터화되다/계산되다" in personal_dictionary()
    (True, True)
    """
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    own = [line for line in lines if line and not line.startswith("#")]
    verbs = [f"{noun}{verb}/계산{verb}" for noun in ACTIONS.split("|") for verb in ("하다", "되다")]
    return *(word if "/" in word else f"{word}/함수" for word in [*own, *nouns()]), *verbs


def nouns() -> list[str]:
    """Return the Korean words of the term base."""
    approved = (form for term in load() for form in term.words["ko"].approved)
    return sorted({word for form in approved for word in re.findall("[가-힣]{2,}", form)})


def misspaced(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Ask Kiwi about every entry."""
    for entry in entries:
        for wrong, right in spaces(prose(entry.msgstr).text):
            if f"{wrong} → {right}" not in entry.msgid:
                yield Finding(entry, "spacing", f"{wrong} → {right}")


def spaces(text: str) -> Iterator[tuple[str, str]]:
    """Return the places with a stray or a missing space, as they are and as they should be."""
    text = re.sub(SPAN, "X", text)
    tokens = analyser()(text)
    for one, other in pairwise(tokens):
        between = text[one.end : other.start]
        start = text.rfind(" ", 0, one.start) + 1
        end = re.compile(r"[\s.,?)]|$").search(text, other.start)
        piece = text[start : end.start() if end else None]
        if between == " " and attaches(other):
            yield piece, text[start : one.end] + text[other.start : start + len(piece)]
        elif other.start >= one.end and between == "" and separates(one, other, piece):
            yield piece, f"{text[start : other.start]} {text[other.start : start + len(piece)]}"


def attaches(token: Token) -> bool:
    """Whether no space may stand before this: particles, endings, suffixes, the copula."""
    return token.tag.startswith(("J", "E", "XS", "VCP")) and not token.tag.startswith("JC")


def separates(one: Token, other: Token, piece: str) -> bool:
    """Whether a space must stand between these two."""
    if ONE_WORD.search(piece):
        return False
    noun = other.tag.startswith("N")
    if one.tag == "ETM":  # 큰경우, 하는것
        return noun and other.form not in ("지", "데")  # 있는지 is an ending
    if one.tag == "MM":  # 두개; 한번 also means "some time"
        return other.tag == "NNB" and one.form + other.form != "한번"
    if one.tag == "EC" and other.tag == "VX":  # 저장해둡니다
        return other.form in ("주", "보", "두", "놓", "버리", "않", "있")
    if one.tag == "EC":  # 빠르게실행합니다
        return one.form == "게" and noun
    return one.tag.startswith("J") and (noun or other.tag.startswith(("VV", "MA")))


@cache
def analyser() -> Callable[[str], list[Token]]:
    """Load Kiwi, with our nouns."""
    from kiwipiepy import Kiwi  # 100 MB that the tests of the gate do without

    kiwi = Kiwi()
    for line in personal_dictionary():
        if line.endswith("/함수"):
            kiwi.add_user_word(line.removesuffix("/함수"), "NNG", 0)
    tokenize: Callable[[str], list[Token]] = kiwi.tokenize
    return tokenize


if __name__ == "__main__":
    sys.exit(main())
