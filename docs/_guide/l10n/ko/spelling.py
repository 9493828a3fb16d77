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

from docs._guide.l10n.translations import report, translations
from docs._guide.options import LOCALE
from docs._guide.po import termbase
from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import HOLE, prose

WORDS = LOCALE / "ko" / "words.txt"
INSTALL = "Hunspell or its Korean dictionary is missing: apt-get install hunspell hunspell-ko"

# Hangul after Latin, code, a number or a bracket is a particle or a unit, which other rules check.
WORD = re.compile(rf"(?<![\w%가-힣)\"{HOLE}])[가-힣]+", re.ASCII)
# What the dictionary lacks after a word that it has, as in 하나뿐입니다; and verbs with -지다.
FOLLOWED = re.compile(
    "(.+?)(?:(?:뿐|쯤|짜리|끼리|씩|별|만|까지|부터|에서|에든|서[는나도만]|으?로든|[이인]?든지?"
    "|마저|조차|마다)[가-힣]{,3}|인?지[를에만])"
)
BECOMING = re.compile(r".+[아어여라해려워져겨쳐][지집질진져졌][가-힣]*")
# One word each, where others are two: 살펴봅니다, but 바꿔 봅니다; 아무것도, but 어느 것도.
ONE_WORD = re.compile(
    "(?:알아|살펴|돌아|지켜|들여다|내려다|눈여겨|물어|찾아|둘러|쳐다|훑어|따져)[보볼본봄봅봐봤]"
    "|(?:넘겨|건네|돌려|도와|물려|들려|^내)[주줄준줌줍줘줬]|^(?:아무것|그중|그럴듯)"
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
        unknown([])
    except (FileNotFoundError, subprocess.CalledProcessError):
        print(INSTALL, file=sys.stderr)
        return 1
    entries = list(translations("ko"))
    return int(report([*misspelt(entries), *misspaced(entries)], "spelling"))


def misspelt(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Check every word once with Hunspell."""
    words = {entry: set(WORD.findall(prose(entry.msgstr))) for entry in entries}
    wrong = {word for word in unknown(set().union(*words.values())) if not BECOMING.fullmatch(word)}
    stems = {word: match[1] for word in wrong if (match := FOLLOWED.fullmatch(word))}
    wrong -= stems.keys()
    unknown_stems = unknown(stems.values())
    wrong |= {word for word, stem in stems.items() if stem in unknown_stems}
    for entry in entries:
        for word in sorted(words[entry] & wrong):
            advice = f"{word} is no word; if it is right, add it to {WORDS.name}"
            yield Finding(entry, "spelling", advice)


def unknown(words: Iterable[str]) -> set[str]:
    """Return the words that Hunspell does not know, with our own beside its dictionary."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".dic") as personal:
        personal.write("\n".join(own_words()) + "\n")
        personal.flush()
        run = subprocess.run(
            ["hunspell", "-d", "ko_KR", "-i", "utf-8", "-p", personal.name, "-l"],
            input="".join(f"{word}\n" for word in sorted(words)),
            capture_output=True,
            check=True,
            encoding="utf-8",
        )
    return set(run.stdout.split())


@cache
def own_words() -> list[str]:
    """Return our words, each with a word of the dictionary that inflects alike."""
    lines = WORDS.read_text(encoding="utf-8").splitlines()
    own = [line for line in lines if line and not line.startswith("#")]
    approved = "|".join(form for term in termbase.load() for form in term.words["ko"].approved)
    own += sorted(set(re.findall("[가-힣]{2,}", approved)))
    return [word if "/" in word else f"{word}/함수" for word in own]


def misspaced(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Segment every entry with Kiwi, and yield the places with a stray or a missing space."""
    for entry in entries:
        text = prose(entry.msgstr).replace(HOLE, "X")
        for left, right in pairwise(analyser()(text)):
            between = text[left.end : right.start]
            start = text.rfind(" ", 0, left.start) + 1
            rest = re.match(r"[^\s.,?)]*", text[right.start :])
            piece = text[start : right.start] + (rest[0] if rest else "")
            better = ""
            if between == " " and attaches(right):
                better = text[start : left.end] + piece[right.start - start :]
            elif right.start == left.end and separates(left, right, piece):
                better = f"{text[start : left.end]} {piece[right.start - start :]}"
            if better and f"{piece} → {better}" not in entry.msgid:
                yield Finding(entry, "spacing", f"{piece} → {better}")


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
    for line in own_words():
        if line.endswith("/함수"):
            kiwi.add_user_word(line.removesuffix("/함수"), "NNG", 0)
    tokenize: Callable[[str], list[Token]] = kiwi.tokenize
    return tokenize


if __name__ == "__main__":
    sys.exit(main())
