"""Korean style: the patterns that a sentence should not have, and its length."""

import re
from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.korean import prose, sentences
from docs._l10n.korean_patterns import COMPILED, LOANWORDS

LONGEST = 150  # characters of a sentence; a code span counts as one
LOANWORD = re.compile("|".join(LOANWORDS))


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each pattern.

    >>> from pathlib import Path
    >>> def rules(msgstr):
    ...     return [f.rule for f in check(Entry(Path("a.po"), 1, "", msgstr), "ko")]
    >>> rules("우리는 함수를 사용 합니다."), rules("XLA에 의해 컴파일됩니다.")
    (['pronoun', 'spacing'], ['passive'])
    >>> rules("우리말로 쓴 이 함수의 실수 값을 호출 한 번으로 구할 수 있습니다.")
    []
    """
    if language != "ko" or not entry.msgstr:
        return
    text = prose(entry.msgstr).text
    for rule, pattern, advice in COMPILED:
        for found in pattern.finditer(text):
            # A unit or an example that the English writes so stays as it is.
            may_stay = re.search(r"[가-힣、。「」]|\d[A-Za-z]+$", found[0])
            if not (may_stay and found[0] in entry.msgid):
                yield Finding(entry, rule, f"{shown(found[0])} → {advice}")
    for loan in LOANWORD.findall(text):
        yield Finding(entry, "loanword", f"{loan} → {LOANWORDS[loan]}")
    for sentence in sentences(text):
        if len(sentence) > LONGEST:
            advice = f"{len(sentence)}자입니다. {LONGEST}자 이내의 문장으로 나눕니다"
            yield Finding(entry, "sentence-length", advice)


def shown(text: str) -> str:
    """Return a piece of prose with an ellipsis for code."""
    return re.sub("[\ue000-\uf8ff]", "…", text.strip())
