"""Rule `repeated`: two different sentences do not have one translation."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import combinations

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.markdown import HOLE, prose

SENTENCE = 25  # characters of English; shorter labels may well share a translation
ALIKE = 0.75  # ratio from which two sentences are the same but for a word


def check_all(entries: Sequence[Entry]) -> Iterator[Finding]:
    """Yield a finding for each translation that was pasted under another sentence.

    >>> from pathlib import Path
    >>> def rules(*pairs):
    ...     entries = [Entry(Path("p.po"), 1, *pair) for pair in pairs]
    ...     return [finding.rule for finding in check_all(entries)]
    >>> rules(("Next", "次"), ("The next one", "次"))
    []
    >>> both = "ループは値を返します。"
    >>> rules(("The loop returns its value.", both), ("Arrays live on the device here.", both))
    ['repeated']
    """
    sources: dict[str, dict[str, Entry]] = defaultdict(dict)  # by translation, then by words
    for entry in entries:
        words = " ".join(re.findall(r"\w+", prose(entry.msgid).replace(HOLE, " ").lower()))
        if len(words) >= SENTENCE:
            sources[entry.msgstr][words] = entry
    for same in sources.values():
        for (first, entry), (second, other) in combinations(same.items(), 2):
            if SequenceMatcher(None, first, second).ratio() < ALIKE:
                advice = f"{entry.file}:{entry.line}, another sentence, has this translation"
                yield Finding(other, "repeated", advice)
