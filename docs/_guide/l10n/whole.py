"""Rule `length`: a translation is whole, and in it once."""

import re
from collections.abc import Iterator

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.markdown import HOLE, prose

# From 8, 25, 60 and 120 characters of English on: the shortest and the longest translation as a
# share of the English, a little wider than those of the guide.
SHARES = {
    "ja": {8: (0.0, 2.5), 25: (0.1, 1.4), 60: (0.25, 1.0), 120: (0.26, 0.9)},
    "ko": {8: (0.0, 2.5), 25: (0.13, 1.6), 60: (0.27, 1.1), 120: (0.33, 1.0)},
}
SENTENCE = re.compile(r"\.['\"’”)\]]*\s*$")  # a question may well be a heading: pytreeとは
ABBREVIATED = re.compile(r"\b(?:etc|e\.g|i\.e|al|vs|Inc|Ltd)\.$")
ENDED = re.compile(rf"[.。．?？!！:：…]['\"’”」』)）\]_{HOLE}]*\s*$")
UNFINISHED = {
    "ja": re.compile(r"(?:[はがをにでへ、]|して|との|ので|から|まで|より)\s*$"),
    "ko": re.compile(r"(?:[은는을를,며면]|에서|하고|하여|해서|으로|처럼|까지| 수)\s*$"),
}
FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|can|must|will|may|should|needs?|gives?|takes?"
    r"|returns?|shows?|makes?|compares?|uses?|prints?|appears?|becomes?|calls?|says|say|runs"
    r"|gets|replaces?|represents?|accepts?|stands?|comes?)\b"
)
DOUBLED = re.compile(r"(\w.{8,})\s?\1|^(.{8,})\s?\2$")


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Compare the lengths and the ends of both sides."""
    source, target = prose(entry.msgid), prose(entry.msgstr)
    least, most = 0.0, float("inf")
    for characters, shares in SHARES[language].items():
        if len(source) >= characters:
            least, most = shares
    if truncated(source, target, language):
        yield Finding(entry, "length", "this ends in the middle of a sentence")
    elif len(target) < least * len(source):
        yield Finding(entry, "length", "this is very short: is something missing?")
    elif len(target) > most * len(source):
        yield Finding(entry, "length", "this is very long: is something added?")
    elif DOUBLED.search(target) and not DOUBLED.search(source):
        yield Finding(entry, "length", "the same is here twice")


def truncated(source: str, target: str, language: str) -> bool:
    """Whether the English ends a sentence where the translation does not.

    A short caption may lose its full stop with its verb, but does not end in a particle.
    """
    if ABBREVIATED.search(source) or not SENTENCE.search(source) or ENDED.search(target):
        return False
    return bool(len(source) >= 60 or FINITE.search(source) or UNFINISHED[language].search(target))
