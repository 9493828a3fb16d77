"""Spelling and spaces of the Korean translations: `python -m docs._guide.l10n.ko.spelling`.

Hunspell (Debian: hunspell, hunspell-ko) checks the words, with those of the term base and of
locale/ko/words.txt in its personal dictionary. Kiwi segments the text: a space is stray or missing.
"""

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import Protocol

from docs._guide.l10n import terms
from docs._guide.l10n.entry import Entry, Finding, report, translations
from docs._guide.l10n.ko import patterns
from docs._guide.l10n.markdown import HOLE, prose
from docs._guide.options import LOCALE

HUNSPELL = ("hunspell", "-d", "ko_KR", "-i", "utf-8")
WORDS = LOCALE / "ko" / "words.txt"
INSTALL = "Hunspell or its Korean dictionary is missing: apt-get install hunspell hunspell-ko"

# Hangul after Latin, code, a number or a bracket is a particle or a unit, which other rules check.
WORD = re.compile(rf"(?<![\w%가-힣)\"{HOLE}])[가-힣]+", re.ASCII)
# What follows a noun or a particle, and is not in the dictionary.
FOLLOWERS = re.compile(
    r"(.+?)(?:뿐(?:만|입니다|이며|이고|이므로|이지만|이어서|이기|이라고|이라면|인데)?|쯤|짜리|끼리(?:는|도)?|씩(?:만|의|인)?|까지의|부터의|에서의|별(?:로)?|만도|만의|"
    r"서만|서는|서나|서도|(?:으)?로든|이든|든지|마저|조차|마다의|에서(?:부터|처럼|와|든|야)|만(?:으로(?:는|도)?|을)|"
    r"만큼(?:의|만)|부터입니다|뿐인|뿐이면|씩(?:입니다|이며)|인지(?:를|에)?|지(?:를|에|만)|에든)"
)
# Verbs with -지다, few of which are in the dictionary: 빨라집니다, 만들어진.
BECOMING = re.compile(r".+[아어여라해려워져겨쳐][지집질진져졌][가-힣]*")
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
    """Print the findings; return 1 if there are any, or if Hunspell is missing."""
    try:
        hunspell("-l", [])
    except (FileNotFoundError, subprocess.CalledProcessError):
        print(INSTALL, file=sys.stderr)
        return 1
    entries = list(translations("ko"))
    return int(report([*misspelt(entries), *misspaced(entries)], "spelling"))


def misspelt(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Check every word once with Hunspell."""
    words = {entry: set(WORD.findall(prose(entry.msgstr))) for entry in entries}
    unknown = hunspell("-l", set().union(*words.values())).split()
    stems = {word: match[1] for word in unknown if (match := FOLLOWERS.fullmatch(word))}
    wrong_stems = set(hunspell("-l", stems.values()).split())
    wrong = {
        word
        for word in unknown
        if (word not in stems or stems[word] in wrong_stems) and not BECOMING.fullmatch(word)
    }
    suggestions = hunspell("-a", (f"^{word}" for word in wrong))  # slow: of these words only
    three = r"^& (\S+) [\d ]+: ([^,\n]*(?:,[^,\n]*){,2})"
    better = dict(re.findall(three, suggestions, re.MULTILINE))
    for entry in entries:
        for word in sorted(words[entry] & wrong):
            advice = better.get(word) or f"if it is right, add it to {WORDS.name}"
            yield Finding(entry, "spelling", f"{word} → {advice}")


def hunspell(mode: str, lines: Iterable[str]) -> str:
    """Run Hunspell with our words beside its dictionary; return what it prints."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".dic") as personal:
        personal.write("\n".join(personal_dictionary()) + "\n")
        personal.flush()
        return subprocess.run(
            [*HUNSPELL, "-p", personal.name, mode],
            input="".join(f"{line}\n" for line in sorted(lines)),
            capture_output=True,
            check=True,
            encoding="utf-8",
        ).stdout


@cache
def personal_dictionary() -> tuple[str, ...]:
    """Return our words, each with a word of the dictionary that inflects alike."""
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    own = [line for line in lines if line and not line.startswith("#")]
    approved = "|".join(form for term in terms.load() for form in term.words["ko"].approved)
    nouns = sorted(set(re.findall("[가-힣]{2,}", approved)))
    actions = patterns.load()[0]["ACTIONS"].split("|")
    verbs = [f"{noun}{verb}/계산{verb}" for noun in actions for verb in ("하다", "되다")]
    return *(word if "/" in word else f"{word}/함수" for word in [*own, *nouns]), *verbs


def misspaced(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Segment every entry with Kiwi."""
    for entry in entries:
        for wrong, right in spaces(prose(entry.msgstr)):
            if f"{wrong} → {right}" not in entry.msgid:
                yield Finding(entry, "spacing", f"{wrong} → {right}")


def spaces(text: str) -> Iterator[tuple[str, str]]:
    """Return the places with a stray or a missing space, as they are and as they should be."""
    text = text.replace(HOLE, "X")
    for left, right in pairwise(analyser()(text)):
        between = text[left.end : right.start]
        start = text.rfind(" ", 0, left.start) + 1
        end = re.compile(r"[\s.,?)]|$").search(text, right.start)
        piece = text[start : end.start() if end else None]
        if between == " " and attaches(right):
            yield piece, text[start : left.end] + text[right.start : start + len(piece)]
        elif right.start >= left.end and between == "" and separates(left, right, piece):
            yield piece, f"{text[start : right.start]} {text[right.start : start + len(piece)]}"


def attaches(token: Token) -> bool:
    """Whether no space may stand before this: particles, endings, suffixes, the copula."""
    return token.tag.startswith(("J", "E", "XS", "VCP")) and not token.tag.startswith("JC")


def separates(left: Token, right: Token, piece: str) -> bool:
    """Whether a space must stand between these two."""
    if ONE_WORD.search(piece):
        return False
    noun = right.tag.startswith("N")
    if left.tag == "ETM":  # 큰경우, 하는것
        return noun and right.form not in ("지", "데")  # 있는지 is an ending
    if left.tag == "MM":  # 두개; 한번 also means "some time"
        return right.tag == "NNB" and left.form + right.form != "한번"
    if left.tag == "EC" and right.tag == "VX":  # 저장해둡니다
        return right.form in ("주", "보", "두", "놓", "버리", "않", "있")
    if left.tag == "EC":  # 빠르게실행합니다
        return left.form == "게" and noun
    return left.tag.startswith("J") and (noun or right.tag.startswith(("VV", "MA")))


@cache
def analyser() -> Callable[[str], list[Token]]:
    """Load Kiwi, with our nouns."""
    from kiwipiepy import Kiwi  # 100 MB, which most checks do not need

    kiwi = Kiwi()
    for line in personal_dictionary():
        if line.endswith("/함수"):
            kiwi.add_user_word(line.removesuffix("/함수"), "NNG", 0)
    tokenize: Callable[[str], list[Token]] = kiwi.tokenize
    return tokenize


if __name__ == "__main__":
    sys.exit(main())
