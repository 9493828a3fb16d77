"""Rule `length`: a translation is complete, and nothing is in it twice."""

import re
from collections.abc import Iterator

from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import HOLE, prose

# From 8, 25, 60 and 120 characters of English on: the shortest and the longest translation as a
# share of the English, a little wider than those of the guide.
SHARES = {
    "ja": {8: (0.0, 2.5), 25: (0.1, 1.4), 60: (0.25, 1.0), 120: (0.26, 0.9)},
    "ko": {8: (0.0, 2.5), 25: (0.13, 1.6), 60: (0.27, 1.1), 120: (0.33, 1.0)},
}
# Verbs that make a short message a sentence; a caption without one may lose its full stop.
FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|did|can|could|must|will|would|may|should|needs?"
    r"|gives?|takes?|returns?|shows?|makes?|compares?|uses?|prints?|appears?|becomes?|calls?|says?"
    r"|runs|gets|replaces?|represents?|accepts?|stands?|comes?)\b"
)
UNFINISHED = re.compile(
    "(?:[はがをにでへとての、]|から|まで|より|[은는을를,며면고]|에서|하여|해서|으로|처럼| 수)\\s*$"
)
SENTENCE = re.compile(r"(?<!etc)(?<!\bal)\.['\"’”)\]]*\s*$")
ENDED = re.compile(rf"[.。．?？!！:：…]['\"’”」』)）\]_{HOLE}]*\s*$")
DOUBLED = re.compile(r"(\w.{8,})\s?\1|^(.{8,})\s?\2$")


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Compare the lengths and the ends of both sides."""
    source, target = prose(entry.msgid), prose(entry.msgstr)
    least, most = 0.0, float("inf")
    for characters, shares in SHARES[language].items():
        if len(source) >= characters:
            least, most = shares
    sentence = len(source) >= 60 or FINITE.search(source) or UNFINISHED.search(target)
    if sentence and SENTENCE.search(source) and not ENDED.search(target):
        yield Finding(entry, "length", "this ends in the middle of a sentence")
    elif len(target) < least * len(source):
        yield Finding(entry, "length", "this is very short: is something missing?")
    elif len(target) > most * len(source):
        yield Finding(entry, "length", "this is very long: is something added?")
    elif DOUBLED.search(target) and not DOUBLED.search(source):
        yield Finding(entry, "length", "the same is here twice")
