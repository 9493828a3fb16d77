"""What the doctests of the rules cannot show: the guide's own translations, damaged on purpose."""

import random
import re
from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest

from docs._guide.l10n import characters, leftover_english, length, negation, numbers
from docs._guide.l10n.translations import translations
from docs._guide.po import markup
from docs._guide.po.entry import Entry
from docs._guide.po.markdown import prose
from docs._guide.po.termbase import LANGUAGES

Damage = Callable[[Entry, str], str]  # returns the translation as it is where it does not apply

SAMPLE = 400  # translations
SHARE = 0.9  # of the mistakes found by their rule; of all, and not of a sample, it is 0.95


def without_code(entry: Entry, language: str) -> str:
    return re.sub(r"`[^`]+`", "x", entry.msgstr, count=1)


def without_formula(entry: Entry, language: str) -> str:
    return re.sub(r"\$[^$]+\$", "", entry.msgstr, count=1)


def with_another_target(entry: Entry, language: str) -> str:
    return re.sub(r"(\]\([^)]*?)(\.\w+)?\)", r"\1-2\2)", entry.msgstr, count=1)


def with_broken_emphasis(entry: Entry, language: str) -> str:
    return re.sub(r"\*\*(\w.*?)\*\*(?:（.*?）)?", r"**\1（x）**は", entry.msgstr, count=1)


def with_another_digit(entry: Entry, language: str) -> str:
    names = r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)|[A-Za-z_]+\d+"
    blank = re.sub(names, lambda match: " " * len(match[0]), entry.msgstr)
    if not (digit := re.search(r"\d", blank)):
        return entry.msgstr
    other = str((int(digit[0]) + 3) % 10)
    return entry.msgstr[: digit.start()] + other + entry.msgstr[digit.end() :]


def with_english(entry: Entry, language: str) -> str:
    sentence = re.match(r"[^.`$\[]{30,}?\.", entry.msgid)
    return f"{entry.msgstr} {sentence[0]}" if sentence else entry.msgstr


def with_another_script(entry: Entry, language: str) -> str:
    letters = {"ja": ("の関実", "의关实"), "ko": ("의수을", "の數を")}
    return entry.msgstr.translate(str.maketrans(*letters[language]))


def cut_in_half(entry: Entry, language: str) -> str:
    sentence = len(prose(entry.msgid)) >= 25 and entry.msgid.endswith(".")
    return entry.msgstr[: len(entry.msgstr) // 2] if sentence else entry.msgstr


def twice(entry: Entry, language: str) -> str:
    return entry.msgstr * 2 if len(entry.msgstr) > 12 else entry.msgstr


def without_negation(entry: Entry, language: str) -> str:
    """Where each side has one negation, and the translation has it at the end of a sentence."""
    own = negation.PATTERNS[language]
    one = len(own["negation"].findall(own["rhetorical"].sub("", entry.msgstr))) == 1
    if negation.denials(prose(entry.msgid)) != 1 or not one:
        return entry.msgstr
    positive = {
        "ja": {"(?:では)?ありません": "です", "ません": "ます"},
        "ko": {
            "지(?:는|도|를)? 않(?=습)": "고 있",
            "지(?:는|도)? 않(?=았)": "기도 하",
            "[이가] 아닙니다": "입니다",
            "없(?=습)": "있",
        },
    }
    # Only what the rule counts: 確かめなければなりません has no negative sense.
    parts = re.split(f"({own['rhetorical'].pattern})", entry.msgstr)
    for negative, replacement in positive[language].items():
        parts[::2] = [re.sub(negative, replacement, part) for part in parts[::2]]
    return "".join(parts)


MISTAKES: dict[Damage, tuple[ModuleType, str]] = {
    without_code: (markup, "code"),
    without_formula: (markup, "math"),
    with_another_target: (markup, "link"),
    with_broken_emphasis: (markup, "literal-asterisks"),
    with_another_digit: (numbers, "numbers"),
    with_english: (leftover_english, "leftover-english"),
    with_another_script: (characters, "characters"),
    cut_in_half: (length, "length"),
    twice: (length, "length"),
    without_negation: (negation, "negation"),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("damage", MISTAKES, ids=lambda damage: damage.__name__)
def test_a_mistake_is_found(damage: Damage, language: str) -> None:
    module, rule = MISTAKES[damage]
    damaged = [
        replace(entry, msgstr=text)
        for entry in translations(language)
        if entry.msgstr and not entry.fuzzy and (text := damage(entry, language)) != entry.msgstr
    ]
    sample = random.Random(0).sample(damaged, min(SAMPLE, len(damaged)))
    missed = [
        entry
        for entry in sample
        if rule not in {finding.rule for finding in module.check(entry, language)}
    ]
    assert sample
    assert len(sample) - len(missed) >= SHARE * len(sample), missed
