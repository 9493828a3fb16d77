"""Korean syllables and sentences."""

import re
from collections.abc import Iterator

FINALS = " ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ"


def final(syllable: str) -> str:
    """Return the final consonant of a syllable, as a letter; empty where it has none.

    >>> final("값"), final("를"), final("수")
    ('ㅄ', 'ㄹ', '')
    """
    return FINALS[(ord(syllable) - ord("가")) % len(FINALS)].strip()


def syllables(consonant: str) -> str:
    """Return a character class of all syllables that end in a consonant.

    >>> bool(re.match(syllables("ㄹ"), "할")), bool(re.match(syllables("ㄹ"), "하"))
    (True, False)
    """
    every = map(chr, range(ord("가"), ord("힣") + 1))
    return f"[{''.join(syllable for syllable in every if final(syllable) == consonant)}]"


def sentences(text: str) -> Iterator[str]:
    """Split at full stops, except inside a number, a name or a quotation.

    >>> list(sentences('0.5초입니다. "빠르다."라고 합니다. 왜일까요?'))
    ['0.5초입니다.', '"빠르다."라고 합니다.', '왜일까요?']
    """
    for sentence in re.split(r"(?<=[.?!])[)\]\"'”’]*\s+|\n+", text):
        if sentence.strip():
            yield sentence.strip()
