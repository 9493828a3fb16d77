"""Rule `numbers`: numbers outside code and formulas are the same in the translation.

Each number of the English has to appear, as digits or as a word. Digits of the translation have
to come from the English, where a word is enough: two → 2つ, July → 7月, twice → 2回.
"""

import re
import tomllib
from calendar import month_name
from collections.abc import Iterator
from math import prod

from docs._guide.options import LOCALE
from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import prose

WORDS = tomllib.loads((LOCALE / "numbers.toml").read_text(encoding="utf-8"))
CARDINALS: dict[str, str] = WORDS["cardinals"]
LARGE: dict[str, int] = WORDS["large"]
UNITS = {name: unit for unit, names in WORDS["units"].items() for name in (unit, *names)}
# With the letters before it, since float32 and H100 are names. 만큼 is no 만.
NUMBER = re.compile(
    r"(?P<name>[A-Za-z_]*)(?<![\d.])(?P<sign>(?<![\w)\].'’-])[-−])?(?P<digits>\d+(?:[.,]\d+)*)"
    rf"(?P<large>(?:\s?(?:{'|'.join(LARGE)})(?![큼a-z]))*)"
    rf"(?:[\s-]?(?P<unit>{'|'.join(sorted(UNITS, key=len, reverse=True))})(?![A-Za-z]))?"
)
SCALED = re.compile(rf"\b({'|'.join(CARDINALS)})(?= (?:hundred|thousand|million|billion)\b)")
# Not in `the two` or `twenty-two`, which a translation says otherwise.
ALONE = re.compile(
    rf"(?<!-)(?<!the )\b({'|'.join(CARDINALS)})\b(?!-|\s(?:hundred|thousand|million|billion))"
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Compare the numbers of both sides."""
    source, target = prose(entry.msgid), prose(entry.msgstr)
    expected, actual = numbers(source), numbers(target)
    words = {CARDINALS[word] for word in ALONE.findall(source.lower())} - {"1", "20", "50"}
    for number in sorted(expected.keys() | words):
        if number not in actual and not re.search(WORDS["written"].get(number, "(?!)"), target):
            yield Finding(entry, "numbers", f"{number} is missing")
    for number in sorted(actual.keys() - expected.keys() - implied(source)):
        yield Finding(entry, "numbers", f"{number} is not in the English")
    for number, units in expected.items():
        if units and actual.get(number) and units.isdisjoint(actual[number]):
            advice = f"{number} has another unit: {'/'.join(units)} in the English"
            yield Finding(entry, "numbers", advice)


def numbers(text: str) -> dict[str, set[str]]:
    """Each number in digits, also where it is part of a name, and the units that it has.

    >>> numbers("0.05 seconds on 2 H100, 100万")
    {'0.05': {'s'}, '2': set(), 'H100': set(), '1,000,000': set()}
    """
    units: dict[str, set[str]] = {}
    for match in NUMBER.finditer(text):
        digits = match["digits"]
        if scales := [LARGE[word] for word in re.findall("|".join(LARGE), match["large"])]:
            digits = f"{float(digits.replace(',', '')) * prod(scales):,.0f}"
        number = f"{match['name']}{match['sign'] or ''}{digits}"
        units.setdefault(number, set()).update({UNITS[match["unit"]]} if match["unit"] else ())
    return units


def implied(english: str) -> set[str]:
    """The numbers that an English text has in words; 0 and 1 may be in any translation.

    >>> sorted(implied("Twice in July, for a hundred thousand"))
    ['0', '1', '100', '100,000', '1000', '2', '7']
    """
    months = {
        str(number)
        for number, month in enumerate(month_name)
        if month and re.search(rf"\b{month[:3]}(?:{month[3:]})?\b", english)
    }
    lower = english.lower()
    words = {
        number
        for number, words in WORDS["implied"].items()
        if re.search(rf"\b(?:{words})\b", lower)
    }
    scaled = SCALED.sub(lambda word: CARDINALS[word[0]], lower)
    return {"0", "1"} | months | words | numbers(scaled).keys()
