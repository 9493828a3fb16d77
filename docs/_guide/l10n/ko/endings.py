"""Rule `ending`: a Korean sentence ends in 합니다체, and a label without a full stop."""

import re
from collections.abc import Iterator

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.ko.text import sentences, syllables
from docs._guide.l10n.markdown import HOLE, prose

POLITE = re.compile(rf"(?:{syllables('ㅂ')}(?:니다|니까|시다)|세요|십시오|{syllables('ㄹ')}까요)$")
PLAIN = re.compile(r"(?:다|요|죠)$")
CLOSERS = ")]\"'”’»」』"
ASIDE = re.compile(r"\s*\([^()]*\)$")
LABEL_WORDS = 2  # "Note." and "None." are labels with a full stop
HEADING_WORDS = 10  # a question as short as this may be a heading


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each sentence in another style than 합니다체.

    >>> from pathlib import Path
    >>> def rules(msgid, msgstr):
    ...     return [f.rule for f in check(Entry(Path("a.po"), 1, msgid, msgstr), "ko")]
    >>> rules("It is traced.", "추적한다."), rules("It is traced.", "추적합니다(기본값).")
    (['ending'], [])
    >>> rules("It is no error.", "오류가 아니다."), rules("Compile it", "컴파일.")
    (['ending'], ['ending'])
    """
    if language != "ko":
        return
    text, msgid = prose(entry.msgstr).strip(), prose(entry.msgid).rstrip().rstrip(CLOSERS)
    if not re.search(r"[.?!:]$|[.?!]\s", msgid):
        if text.rstrip(CLOSERS).endswith((".", "。")) and not text.endswith(("...", "등.")):
            yield Finding(entry, "ending", "제목과 항목 이름에는 마침표를 찍지 않습니다.")
        return
    words = len(msgid.split())
    heading = msgid.endswith("?") and words <= HEADING_WORDS and "." not in msgid
    lenient = words <= LABEL_WORDS or heading or msgid.endswith(":")
    for sentence in sentences(text):
        stem = stem_of(sentence)
        # Without Hangul at the end there is only code, a formula or a name.
        wrong = PLAIN.search(stem) if lenient else re.search("[가-힣]$", stem)
        names_a_case = stem.endswith("경우")  # "배치 축이 없는 경우."
        if wrong and not names_a_case and not POLITE.search(stem):
            advice = "합니다체로 끝냅니다(-니다, -니까, -세요, -십시오, -까요)"
            yield Finding(entry, "ending", f"{advice}: {last_word(stem)}")
    if msgid.endswith(".") and POLITE.search(text.rstrip(CLOSERS)):
        yield Finding(entry, "ending", f"마침표로 끝냅니다: {last_word(text)}.")


def stem_of(sentence: str) -> str:
    """Return a sentence without its closing punctuation and a remark in brackets.

    >>> stem_of("추적합니다(기본값).")
    '추적합니다'
    """
    bracket = ")" if re.search(r"\)[.?!:]*$", sentence) else ""
    stem = sentence.rstrip(CLOSERS + ".?!:…") + bracket
    return ASIDE.sub("", stem).rstrip(CLOSERS + ".?!:… ")


def last_word(text: str) -> str:
    """Return the last word, for the advice."""
    return text.split()[-1].replace(HOLE, "…")
