"""Rule `numbers`: numbers outside code and formulas are the same in the translation.

Each number of the English has to appear, as digits or as a word; a number of the translation
has to come from the English, where a word is enough: two → 2つ, July → 7月, twice → 두 번.
"""

import re
import tomllib
from calendar import month_name
from collections.abc import Iterator

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.markdown import prose
from docs._guide.options import LOCALE

Number = float | str  # a value, or a name with digits

# With the letters before it, since float32 and H100 are names; a unit after it is not part.
DIGITS = re.compile(
    r"(?P<name>[A-Za-z_]*)(?<![\d.])(?P<sign>(?<![\w)\].'’-])[-−])?"
    r"(?P<number>\d+(?:[.,]\d+)*(?:e[-+]?\d+)?)(?P<large>\s?(?:[万億千억천]|만(?!큼)|(?:thousand|million|billion)\b))?"
)
VERSION = re.compile(r"\d+(?:\.\d+){2,}|0\d+")  # and names in digits: no value

WORDS = tomllib.loads((LOCALE / "numbers.toml").read_text(encoding="utf-8"))
SCALES: dict[str, int] = WORDS["scales"]
LARGE = WORDS["large"] | SCALES
ORDINALS: list[str] = WORDS["ordinals"].split()
CARDINALS = {word: value for value, word in enumerate(WORDS["cardinals"].split())}
CARDINALS |= {word: 10 * value for value, word in enumerate(WORDS["tens"].split(), start=2)}
# The longest first, or sixteen would match six.
NUMERAL = "|".join(sorted([*CARDINALS, *SCALES], key=len, reverse=True))
RUN = re.compile(rf"\b(?:(?:{NUMERAL}|a)s?(?:[\s-]|\band\b)*)+\b")
IMPLIED = {float(n): re.compile(rf"\b(?:{words})\b") for n, words in WORDS["implied"].items()}
WRITTEN: dict[Number, str] = {float(number): words for number, words in WORDS["written"].items()}
# From two to ten, alone. One is often left out, as in `the two`; the others come with a scale.
ALONE = re.compile(
    rf"(?<!-)(?<!the )\b({'|'.join(word for word, value in CARDINALS.items() if 2 <= value <= 10)})"
    rf"\b(?!-|\s(?:and\s)?(?:{NUMERAL}))"
)

UNITS = {name: unit for unit, names in WORDS["units"].items() for name in (unit, *names)}
MEASURED = re.compile(
    r"(?<![A-Za-z0-9_.])(\d+(?:[.,]\d+)*)[\s-]?("
    + "|".join(
        re.escape(unit) + (r"(?![A-Za-z])" if unit.isascii() and unit != "%" else "")
        for unit in sorted(UNITS, key=len, reverse=True)
    )
    + ")"
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Compare the numbers of both sides."""
    source, target = prose(entry.msgid), prose(entry.msgstr)
    expected, actual = dict(digits(source)), dict(digits(target))
    in_words = set(numerals(target, language))
    words = {float(CARDINALS[word]): word for word in ALONE.findall(source.lower())}
    for number, written in [*expected.items(), *words.items()]:
        if number in actual:
            if "," in written and actual[number] == written.replace(",", ""):
                yield Finding(entry, "numbers", f"write {written}, with its separators")
        elif number not in in_words and not re.search(WRITTEN.get(number, "(?!)"), target):
            yield Finding(entry, "numbers", f"{written} is missing")
    allowed: set[Number] = {*expected, *english_numbers(source), 1}
    for number in dict.fromkeys([*actual, *sorted(in_words)]):
        if number not in allowed:
            written = actual.get(number) or f"{number:g}"
            yield Finding(entry, "numbers", f"{written} is not in the English")
    yield from other_units(entry, source, target)


def digits(text: str) -> Iterator[tuple[Number, str]]:
    """Each number in digits: its value, or itself where it is part of a name; and how written."""
    for match in DIGITS.finditer(text):
        name, sign, number = match["name"], match["sign"] or "", match["number"]
        if name and name not in ("e", "x", "n"):
            yield name + number, name + sign + number
        elif VERSION.fullmatch(number):
            yield number, name + sign + number
        else:
            size = round(value(number) * LARGE.get((match["large"] or "").strip(), 1), 9)
            yield (-size if sign else size), name + sign + number


def value(number: str) -> float:
    """The value of digits.

    >>> value("10,000"), value("2,5"), value("1e-3")
    (10000.0, 2.5, 0.001)
    """
    grouped = re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number)
    try:
        return float(number.replace(",", "" if grouped else "."))
    except ValueError:  # 3,4,5 is a list
        return float(re.sub(r"\D", "", number))


def english_numbers(text: str) -> Iterator[float]:
    """Each number that an English text has in words, or implies.

    >>> sorted(english_numbers("Twice in July, for two hundred and five"))
    [2.0, 2.0, 5.0, 7.0, 100.0, 205.0]
    """
    for position, month in enumerate(month_name):
        if month and re.search(rf"\b(?:{month}|{month[:3]})\b", text):
            yield float(position)
    lower = text.lower()
    yield from (number for number, pattern in IMPLIED.items() if pattern.search(lower))
    for position, word in enumerate(ORDINALS):
        if re.search(rf"\b{word}s?\b", lower):
            yield float(position)
    for run in RUN.findall(lower):
        yield from values_of(re.findall(NUMERAL, run))


def values_of(words: list[str]) -> Iterator[float]:
    """The value of each word, and of all together."""
    total, group = 0, 0
    for word in words:
        yield float(CARDINALS.get(word, SCALES.get(word, 0)))
        if word in CARDINALS:
            group += CARDINALS[word]
        elif word == "hundred":
            group = max(group, 1) * 100
        else:
            total, group = total + max(group, 1) * SCALES[word], 0
    yield float(total + group)


def numerals(text: str, language: str) -> Iterator[float]:
    """Each numeral of a translation that comes before a counter.

    >>> list(numerals("二十三個", "ja")), list(numerals("세 가지, 둘째", "ko"))
    ([23.0], [3.0, 2.0])
    """
    values: dict[str, int] = WORDS["values"]
    for match in re.finditer(WORDS["numerals"][language], text):
        tens, ten, ones = match[0].partition("十")
        number = values.get(tens, 1) * 10 + values.get(ones, 0) if ten else values.get(tens, 1)
        yield float(number)


def other_units(entry: Entry, source: str, target: str) -> Iterator[Finding]:
    """A number that has one unit in the English and another one here."""
    units: dict[float, set[str]] = {}
    for number, unit in MEASURED.findall(target):
        units.setdefault(value(number), set()).add(UNITS[unit])
    for number, unit in MEASURED.findall(source):
        others = units.get(value(number), {UNITS[unit]})
        if UNITS[unit] not in others:
            here = "/".join(sorted(others))
            advice = f"{number} has another unit: {UNITS[unit]} in the English, {here} here"
            yield Finding(entry, "numbers", advice)
