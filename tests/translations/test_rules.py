"""What the doctests of the rules cannot show: the guide's own translations, spoilt on purpose."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from types import ModuleType

import pytest

from docs._l10n import meaning, numbers, script, structure, whole
from docs._l10n.__main__ import TRANSLATIONS
from docs._l10n.entry import Entry, read
from docs._l10n.markdown import HOLE, prose
from docs._make.options import LOCALE, ROOT

Spoil = Callable[[Entry, str], str | None]  # None: there is nothing of this kind to spoil


@cache
def entries(language: str) -> list[Entry]:
    files = [*LOCALE.glob(f"{language}/**/*.po"), *ROOT.glob(f"docs/_locale/{language}/**/*.po")]
    return [entry for file in sorted(files) for entry in read(file) if entry.msgstr]


def without_code(entry: Entry, language: str) -> str | None:
    return changed(entry, re.sub(r"`[^`]+`", "x", entry.msgstr, count=1))


def without_formula(entry: Entry, language: str) -> str | None:
    return changed(entry, re.sub(r"\$[^$]+\$", "", entry.msgstr, count=1))


def with_another_target(entry: Entry, language: str) -> str | None:
    return changed(entry, re.sub(r"(\]\([^)]*?)(\.\w+)?\)", r"\1-2\2)", entry.msgstr, count=1))


def with_broken_emphasis(entry: Entry, language: str) -> str | None:
    return changed(
        entry, re.sub(r"\*\*(\w.*?)\*\*(?:（.*?）)?", r"**\1（x）**は", entry.msgstr, count=1)
    )


def with_another_digit(entry: Entry, language: str) -> str | None:
    digit = re.search(r"\d", HOLE.join(code_blanked(entry.msgstr)))
    if not digit:
        return None
    place = digit.start()
    other = str((int(digit[0]) + 3) % 10)
    return entry.msgstr[:place] + other + entry.msgstr[place + 1 :]


def with_english(entry: Entry, language: str) -> str | None:
    sentence = re.match(r"[^.`$\[]{30,}?\.", entry.msgid)
    return f"{entry.msgstr} {sentence[0]}" if sentence else None


def with_wrong_script(entry: Entry, language: str) -> str | None:
    swaps: dict[str, dict[str, str | int | None]] = {
        "ja": {"の": "의", "関": "关", "実": "实"},
        "ko": {"의": "の", "수": "數", "을": "を"},
    }
    return changed(entry, entry.msgstr.translate(str.maketrans(swaps[language])))


def cut_in_half(entry: Entry, language: str) -> str | None:
    if len(prose(entry.msgid)) < 25 or not entry.msgid.endswith("."):
        return None
    return entry.msgstr[: len(entry.msgstr) // 2]


def without_negation(entry: Entry, language: str) -> str | None:
    """Only where both sides deny once, and the translation at the end of a sentence."""
    own = meaning.EMPTY[language].sub("", entry.msgstr)
    if (
        meaning.denials(prose(entry.msgid)) != 1
        or len(meaning.NEGATIVE[language].findall(own)) != 1
    ):
        return None
    verbs = {
        "ja": {"(?:では)?ありません": "です", "ません": "ます"},
        "ko": {
            "지(?:는|도|를)? 않(?=습)": "고 있",
            "지(?:는|도)? 않(?=았)": "기도 하",
            "[이가] 아닙니다": "입니다",
            "없(?=습)": "있",
        },
    }
    # Only what the rule counts: 確かめなければなりません denies nothing.
    parts = re.split(f"({meaning.EMPTY[language].pattern})", entry.msgstr)
    for negative, positive in verbs[language].items():
        parts[::2] = [re.sub(negative, positive, part) for part in parts[::2]]
    return changed(entry, "".join(parts))


def twice(entry: Entry, language: str) -> str | None:
    return entry.msgstr * 2 if len(entry.msgstr) > 12 else None


def changed(entry: Entry, spoilt: str) -> str | None:
    return None if spoilt == entry.msgstr else spoilt


def code_blanked(text: str) -> Iterator[str]:
    """Pieces of a text of the same length, with code, formulas and targets left blank."""
    yield re.sub(r"`[^`]*`|\$[^$]*\$|\]\([^)]*\)|[A-Za-z_]+\d+", lambda m: " " * len(m[0]), text)


MISTAKES: dict[Spoil, tuple[ModuleType, set[str]]] = {
    without_code: (structure, {"code"}),
    without_formula: (structure, {"math"}),
    with_another_target: (structure, {"link"}),
    with_broken_emphasis: (structure, {"literal-asterisks"}),
    with_another_digit: (numbers, {"numbers"}),
    with_english: (script, {"leftover-english"}),
    with_wrong_script: (script, {"wrong-script"}),
    cut_in_half: (meaning, {"length"}),
    without_negation: (meaning, {"negation"}),
    twice: (meaning, {"length"}),
}


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("rules", [structure, numbers, script, meaning])
def test_the_guide_itself_gives_nothing(rules: ModuleType, language: str) -> None:
    found = [str(f) for entry in entries(language) for f in rules.check(entry, language)]
    assert found == []


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_guide_as_a_whole_gives_nothing(language: str) -> None:
    assert list(map(str, whole.check_all(entries(language), language))) == []


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("spoil", MISTAKES, ids=lambda spoil: spoil.__name__)
def test_a_mistake_is_found(spoil: Spoil, language: str) -> None:
    rules, names = MISTAKES[spoil]
    spoilt = [
        replace(entry, msgstr=text)
        for entry in entries(language)
        if (text := spoil(entry, language)) is not None
    ]
    missed = [
        entry
        for entry in spoilt
        if not names & {finding.rule for finding in rules.check(entry, language)}
    ]
    assert spoilt
    assert len(missed) <= 0.05 * len(spoilt), missed


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_another_translation_of_the_same_is_found(language: str) -> None:
    first = entries(language)[0]
    again = replace(first, msgstr=first.msgstr + "2")
    found = whole.check_all([*entries(language), again], language)
    assert [finding.rule for finding in found] == ["consistent"]


def test_a_comma_before_hundreds_is_no_number() -> None:
    assert list(numbers.english_numbers("for each, millions of them")) == list(
        numbers.english_numbers("for each millions of them")
    )
