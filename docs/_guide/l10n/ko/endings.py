"""Rule `ending`: a Korean sentence ends in 합니다체, and a label without a full stop."""

import re
from collections.abc import Iterator

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.ko.sounds import syllables
from docs._guide.l10n.markdown import HOLE, prose

POLITE = re.compile(rf"(?:{syllables('ㅂ')}(?:니다|니까|시다)|세요|십시오|{syllables('ㄹ')}까요)$")
PLAIN = re.compile(r"(?:다|요|죠)$")
CLOSERS = ")]\"'”’»」』"
ASIDE = re.compile(r"\s*\([^()]*\)$")
# At full stops, except inside a number, a name or a quotation.
SENTENCE_END = re.compile(r"(?<=[.?!])[)\]\"'”’]*\s+|\n+")
LABEL_WORDS = 2  # "Note." and "None." are labels with a full stop
HEADING_WORDS = 10  # a question as short as this may be a heading


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each sentence in another style than 합니다체."""
    text, msgid = prose(entry.msgstr).strip(), prose(entry.msgid).rstrip().rstrip(CLOSERS)
    if not re.search(r"[.?!:]$|[.?!]\s", msgid):
        if text.rstrip(CLOSERS).endswith((".", "。")) and not text.endswith(("...", "등.")):
            yield Finding(entry, "ending", "제목과 항목 이름에는 마침표를 찍지 않습니다.")
        return
    words = len(msgid.split())
    heading = msgid.endswith("?") and words <= HEADING_WORDS and "." not in msgid
    lenient = words <= LABEL_WORDS or heading or msgid.endswith(":")
    for sentence in SENTENCE_END.split(text):
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
    """Return a sentence without its closing punctuation and a remark in brackets."""
    bracket = ")" if re.search(r"\)[.?!:]*$", sentence) else ""
    stem = sentence.rstrip(CLOSERS + ".?!:…") + bracket
    return ASIDE.sub("", stem).rstrip(CLOSERS + ".?!:… ")


def last_word(text: str) -> str:
    """Return the last word, for the advice."""
    return text.split()[-1].replace(HOLE, "…")
