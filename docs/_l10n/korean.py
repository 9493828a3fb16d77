"""Korean text as the rules see it: prose, syllables, sentences."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from markdown_it.token import Token

from docs._l10n.markdown import BARE_URL, HOLE, SUBSTITUTION, shown, tokens

FIRST_SPAN = 0xE000  # private use: no text has these characters
SPAN = "[\ue000-\uf8ff]"


@dataclass(frozen=True)
class Prose:
    """A message without its markup; each code span, formula or role is one private character."""

    text: str
    spans: tuple[Token, ...]

    def span(self, character: str) -> Token:
        """Return the code, formula or role for which a character stands."""
        return self.spans[ord(character) - FIRST_SPAN]


def prose(message: str) -> Prose:
    """Take the markup away, and the addresses of links.

    >>> prose("[`jit`](a.md)으로 **빠르게** $n$번, {term}`기울기 <gradient>`를").text
    '\\ue000으로 빠르게 \\ue001번, 기울기를'
    """
    spans: list[Token] = []
    text = ""
    for token in tokens(message):
        words = shown(token)
        if words == HOLE:
            words = chr(FIRST_SPAN + len(spans))
            spans.append(token)
        text += words
    text = BARE_URL.sub(HOLE, SUBSTITUTION.sub(HOLE, text))
    return Prose(text.replace("*", ""), tuple(spans))


def final(syllable: str) -> str:
    """Return the final consonant of a syllable, as a letter; empty where it has none.

    >>> final("값"), final("를"), final("수")
    ('ㅄ', 'ㄹ', '')
    """
    finals = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"
    return finals[(ord(syllable) - ord("가")) % 28].strip()


def syllables(consonant: str, but: str = "") -> str:
    """Return a class of regular expressions: every syllable that ends in a consonant.

    >>> bool(re.match(syllables("ㄹ"), "할")), bool(re.match(syllables("ㄹ", but="실"), "실"))
    (True, False)
    """
    every = (chr(code) for code in range(ord("가"), ord("힣") + 1))
    return f"[{''.join(s for s in every if final(s) == consonant and s not in but)}]"


def sentences(text: str) -> Iterator[str]:
    """Split at full stops; those inside a number, a name or a quotation do not count.

    >>> list(sentences('0.5초입니다. "빠르다."라고 합니다. 왜일까요?'))
    ['0.5초입니다.', '"빠르다."라고 합니다.', '왜일까요?']
    """
    for sentence in re.split(r"(?<=[.?!])[)\]\"'”’]*\s+|\n+", text):
        if sentence.strip():
            yield sentence.strip()
