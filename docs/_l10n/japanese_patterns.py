"""Rules that are one pattern each: how the Japanese modules state and apply them."""

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from docs._l10n.entry import Entry, Finding
from docs._l10n.markdown import HOLE


class Pattern(NamedTuple):
    """What must not stand in visible text, and what to write instead."""

    rule: str
    wrong: re.Pattern[str]
    advice: str


def pattern(rule: str, wrong: str, advice: str) -> Pattern:
    """State a rule; «O» in the pattern stands for code or a formula."""
    return Pattern(rule, re.compile(wrong.replace("«O»", HOLE)), advice)


def apply(patterns: Iterable[Pattern], entry: Entry, text: str) -> Iterator[Finding]:
    """Yield one finding for each pattern that occurs, with the place where it does."""
    for rule, wrong, advice in patterns:
        if found := wrong.search(text):
            around = text[max(found.start() - 4, 0) : found.end() + 4]
            shown = re.sub(f"{HOLE}+", "`…`", around).strip()
            yield Finding(entry, rule, f"「{shown}」: {advice}")
