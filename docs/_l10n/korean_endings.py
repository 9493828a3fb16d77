"""Every Korean sentence ends in 합니다체; a heading or label has no full stop."""

import re
from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.korean import prose, sentences, syllables

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
    if language != "ko" or not entry.msgstr:
        return
    text = prose(entry.msgstr).text.strip()
    msgid = prose(entry.msgid).text.rstrip().rstrip(CLOSERS)
    if not re.search(r"[.?!:]$|[.?!]\s", msgid):
        if text.rstrip(CLOSERS).endswith((".", "。")) and not text.endswith(("...", "등.")):
            yield Finding(entry, "ending", "제목과 항목 이름에는 마침표를 찍지 않습니다.")
        elif re.search(r"(?:한|된|는|인|있|없|이|았|었|했|됐)다$", text):
            yield Finding(entry, "ending", f"명사구로 씁니다: {last_word(text)}")
        return
    words = len(msgid.split())
    heading = msgid.endswith("?") and words <= HEADING_WORDS and msgid.count(".") == 0
    lenient = words <= LABEL_WORDS or heading or msgid.endswith(":")
    for sentence in sentences(text):
        if problem := wrong_ending(sentence, lenient):
            yield Finding(entry, "ending", problem)
    if msgid.endswith(".") and POLITE.search(text.rstrip(CLOSERS)):
        yield Finding(entry, "ending", f"마침표로 끝냅니다: {last_word(text)}.")


def wrong_ending(sentence: str, lenient: bool) -> str:
    """Say how a sentence should end; empty where it is right or where there is doubt."""
    stem = sentence.rstrip(CLOSERS + ".?!:…") + (")" if re.search(r"\)[.?!:]*$", sentence) else "")
    stem = ASIDE.sub("", stem).rstrip(CLOSERS + ".?!:… ")
    # Only code, a formula or a name: there is no ending to judge.
    if not re.search(r"[가-힣]$", stem) or POLITE.search(stem):
        return ""
    if lenient and not PLAIN.search(stem):
        return ""
    return f"합니다체로 끝냅니다(-니다, -니까, -세요, -십시오, -까요): {last_word(stem)}"


def last_word(text: str) -> str:
    """Return the last word, to show where."""
    return re.sub("[\ue000-\uf8ff]", "…", text.split()[-1])
