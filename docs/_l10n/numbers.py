"""Numbers outside code and formulas say the same in the translation.

Each number of the English has to appear, as digits or as a word; a number of the translation
has to come from the English, where a word is enough: two → 2つ, July → 7月, twice → 두 번.
"""

import re
from calendar import month_name
from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.markdown import prose

Number = float | str  # a value, or a name that has digits

# With the letters before it, since float32 and H100 are names; a unit after it is not part.
DIGITS = re.compile(
    r"(?P<name>[A-Za-z_]*)(?<![\d.])(?P<sign>(?<![\w)\].'’-])[-−])?"
    r"(?P<number>\d+(?:[.,]\d+)*(?:e[-+]?\d+)?)(?P<large>\s?[万億千만억천])?"
)
# A version, or a name in digits, has no value.
VERSION = re.compile(r"\d+(?:\.\d+){2,}|0\d+")
LARGE = {"千": 10**3, "천": 10**3, "万": 10**4, "만": 10**4, "億": 10**8, "억": 10**8}

SMALL_WORDS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen
"""
TENS_WORDS = "twenty thirty forty fifty sixty seventy eighty ninety"
ORDINAL_WORDS = """
zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth
thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
CARDINALS = {word: value for value, word in enumerate(SMALL_WORDS.split())}
CARDINALS |= {word: 10 * value for value, word in enumerate(TENS_WORDS.split(), start=2)}
ORDINALS = ORDINAL_WORDS.split()
SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9}

# Words from which a translation may make a number: regular expression → the numbers.
HIDDEN: dict[str, list[float]] = {
    r"twice|doubl\w+|twofold|both|pairs?|couple|two-\w+|halves|latter|later|again|other|another|"
    r"squar\w+|quadratic\w*|binary|second-\w+|between|either|differ\w*|bi\w+|repeat\w*|next|only": [
        2
    ],
    r"half|halv\w+": [2, 0.5],
    r"thrice|tripl\w+|three-\w+|cub\w+|thirds?": [3],
    r"quarters?|quadrupl\w+|four-\w+": [4],
    r"dozens?": [12],
    r"hundredth\w*": [100],
    r"hundreds": [100],
    r"thousandth\w*|thousands": [1000],
    r"millions": [10**6],
    r"percent\w*": [100],
    r"decades?|decimals?": [10],
    r"hex\w*": [16],
    r"century|centuries": [100],
    r"zero\w*|non-?zero\w*|vanish\w*|nothing|null\w*|none|no|empty|starts?|origin|nowhere|never": [
        0
    ],
}

# A number as a word of the translation: before a counter, as most also mean something else.
KANJI = {character: value for value, character in enumerate("〇一二三四五六七八九十")}
JAPANESE_WORD = re.compile(
    r"(?<![数何一二三四五六七八九十])([一二三四五六七八九十]+)(?=つ|個|番|回(?!転)|倍|本の|行目|階|次元|通り|種類|乗)"
)
NATIVE = {
    "한": 1, "하나": 1, "두": 2, "둘": 2, "세": 3, "셋": 3, "네": 4, "넷": 4, "다섯": 5,
    "여섯": 6, "일곱": 7, "여덟": 8, "아홉": 9, "열": 10,
}  # fmt: skip
KOREAN_WORD = re.compile(
    r"(?<![가-힣])(한|두|세|네|다섯|여섯|일곱|여덟|아홉|열)"
    r"(?=\s?(?:번|개|배|가지|줄|쪽|단계|방향|점|값|함수|행렬|인수|배열|축|장치|시간|프로세스)"
    r"(?![가-힣]{3}))"
    r"|(?<![가-힣])(둘|셋|넷|다섯|여섯|일곱|여덟|아홉)(?=[이은을의과도로,.]|째)"
)
SINO = {syllable: value for value, syllable in enumerate("영일이삼사오육칠팔구십")}
KOREAN_SINO = re.compile(
    r"(?<![가-힣])([영일이삼사오육칠팔구십])(?=차원|계 도함|계 미분|진법|제곱)"
)

# A source number may also be said without any: 1 → 単一, 0 → なし.
SAID: dict[Number, str] = {
    0: r"ゼロ|零|영|제로|なし|ない|なく|ません|없|않",
    1: r"[一単唯初]|ひとつ|最初|先頭|한|하나|첫|처음|단일|유일|일",
    2: r"[二両双組]|どちら|いずれ|互い|ペア|ふた|もう[一1]|複数|두|둘|양|이|쌍|서로",
    3: r"三|세|셋|삼",
    4: r"四|네|넷|사",
    5: r"五|다섯|오",
    6: r"六|여섯|육",
    7: r"七|일곱|칠",
    8: r"八|여덟|팔",
    9: r"九|아홉|구",
    10: r"十|열|십",
    100: r"百|백",
    1000: r"千|천",
}

UNITS = {
    unit: alternatives[0]
    for alternatives in (
        ["GiB", "기비바이트", "ギビバイト"],
        ["MiB", "메비바이트", "メビバイト"],
        ["KiB", "키비바이트", "キビバイト"],
        ["TiB"],
        ["GB", "gigabytes", "gigabyte", "ギガバイト", "기가바이트"],
        ["MB", "megabytes", "megabyte", "メガバイト", "메가바이트"],
        ["kB", "KB", "kilobytes", "kilobyte", "キロバイト", "킬로바이트"],
        ["TB", "terabytes", "terabyte", "テラバイト", "테라바이트"],
        ["GHz"],
        ["MHz"],
        ["ns", "nanoseconds", "nanosecond", "ナノ秒", "나노초"],
        ["µs", "μs", "us", "microseconds", "microsecond", "マイクロ秒", "마이크로초"],
        ["ms", "milliseconds", "millisecond", "ミリ秒", "밀리초"],
        ["s", "seconds", "second", "秒", "초"],
        ["min", "minutes", "minute", "分", "분"],
        ["h", "hours", "hour", "時間", "시간"],
        ["%", "percent", "per cent", "％", "パーセント", "퍼센트", "프로"],
        ["bits", "bit", "ビット", "비트"],
        ["bytes", "byte", "バイト", "바이트"],
    )
    for unit in alternatives
}
MEASURED = re.compile(
    r"(?<![A-Za-z0-9_.])(\d+(?:[.,]\d+)*)[\s-]?("
    + "|".join(
        re.escape(unit) + (r"(?![A-Za-z])" if unit.isascii() and unit != "%" else "")
        for unit in sorted(UNITS, key=len, reverse=True)
    )
    + ")"
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Compare the numbers.

    >>> from pathlib import Path
    >>> def wrong(msgid, msgstr, language="ja"):
    ...     entry = Entry(Path("p.po"), 1, msgid, msgstr)
    ...     return [finding.advice for finding in check(entry, language)]
    >>> wrong("The two loops ran 200 steps in July 2022.", "2022年7月に2つのループを200回。")
    []
    >>> wrong("The two loops ran 200 steps.", "2つのループを300回実行しました。")
    ['200 is missing', '300 is not in the English']
    >>> wrong("Three of them use it.", "네 개에서 씁니다.", "ko")
    ['three is missing', '4 is not in the English']
    >>> wrong("It uses float32.", "float64を使います。")
    ['float32 is missing', 'float64 is not in the English']
    >>> wrong("A gradient that vanishes.", "0になる勾配")
    []
    >>> wrong("It takes 0.05 seconds.", "0.05ミリ秒かかります。")
    ['0.05 has another unit: s in the English, ms here']
    >>> wrong("The 2D array has 10,000 rows.", "2次元配列は1万行です。")
    []
    >>> wrong("The 2D array has 10,000 rows.", "2次元配列は10000行です。")
    ['write 10,000, with its separators']
    """
    if not entry.msgstr:
        return
    source, target = prose(entry.msgid), prose(entry.msgstr)
    expected, found = dict(digits(source)), dict(digits(target))
    spoken = set(spoken_numbers(target, language))
    for value, written in expected.items():
        if value not in found and value not in spoken and not said(value, target):
            yield Finding(entry, "numbers", f"{written} is missing")
        elif "," in written and found.get(value) == written.replace(",", ""):
            yield Finding(entry, "numbers", f"write {written}, with its separators")
    for value, word in counted(source):
        if value not in found and value not in spoken and not said(value, target):
            yield Finding(entry, "numbers", f"{word} is missing")
    allowed = set(expected) | set(english_numbers(source)) | {1}
    for value in [*found, *sorted(spoken)]:
        if value not in allowed:
            written = found.get(value) or f"{value:g}"
            yield Finding(entry, "numbers", f"{written} is not in the English")
            allowed.add(value)
    yield from other_units(entry, source, target)


def digits(text: str) -> Iterator[tuple[Number, str]]:
    """Each number written in digits: its value, or itself when it is part of a name."""
    for match in DIGITS.finditer(text):
        written = (match["name"] or "") + (match["sign"] or "") + match["number"]
        if match["name"] and match["name"] not in ("e", "x", "n"):
            yield match["name"] + match["number"], written
        elif VERSION.fullmatch(match["number"]):
            yield match["number"], written
        else:
            size = value(match["number"]) * LARGE.get((match["large"] or "").strip(), 1)
            yield (-size if match["sign"] else size), written


def value(number: str) -> float:
    """The value of digits; what groups nothing is no separator: 3,4 are two numbers in one."""
    grouped = re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", number)
    try:
        return float(number.replace(",", "") if grouped else number.replace(",", "."))
    except ValueError:
        return float(re.sub(r"\D", "", number))


def english_numbers(text: str) -> Iterator[float]:
    """Each number that an English text says in words, or from which a number may be made."""
    for position, month in enumerate(month_name):
        if month and re.search(rf"\b(?:{month}|{month[:3]})\b", text):
            yield float(position)
    lower = text.lower()
    for pattern, values in HIDDEN.items():
        if re.search(rf"\b(?:{pattern})\b", lower):
            yield from values
    for position, word in enumerate(ORDINALS):
        if re.search(rf"\b{word}s?\b", lower):
            yield float(position)
    # The longest first, or sixteen would be read as six.
    words = "|".join(sorted([*CARDINALS, *SCALES], key=len, reverse=True))
    for run in re.findall(rf"\b(?:(?:{words}|a)s?(?:[\s-]|\band\b)*)+\b", lower):
        yield from values_of(re.findall(rf"{words}", run))
    for number, scale in re.findall(r"(\d[\d.,]*)\s(hundred|thousand|million|billion)", lower):
        yield value(number.strip(".,")) * SCALES[scale]


def counted(text: str) -> Iterator[tuple[float, str]]:
    """Each number from two to ten that stands alone as a word.

    One is often not said at all, nor are `the two`; greater ones are said with others.
    """
    words = "|".join(word for word, number in CARDINALS.items() if 2 <= number <= 10)
    others = "|".join([*CARDINALS, *SCALES])
    for word in re.findall(
        rf"(?<!-)(?<!the )\b({words})\b(?!-|\s(?:and\s)?(?:{others}))", text.lower()
    ):
        yield float(CARDINALS[word]), word


def values_of(words: list[str]) -> Iterator[float]:
    """The value of `two hundred and five`, and of each of its words.

    >>> list(values_of(["two", "hundred", "five"]))
    [2.0, 100.0, 5.0, 205.0]
    """
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


def spoken_numbers(text: str, language: str) -> Iterator[float]:
    """Each number that a translation says in words, before a counter."""
    if language == "ja":
        for word in JAPANESE_WORD.findall(text):
            tens, found, units = word.partition("十")
            yield float(
                (KANJI.get(tens, 1) * 10 + KANJI.get(units, 0)) if found else KANJI.get(word, 1)
            )
    if language == "ko":
        for before_counter, alone in KOREAN_WORD.findall(text):
            yield float(NATIVE[before_counter or alone])
        for syllable in KOREAN_SINO.findall(text):
            yield float(SINO[syllable])


def said(number: Number, target: str) -> bool:
    """Whether a word of the translation may stand for a number of the English."""
    return number in SAID and bool(re.search(SAID[number], target))


def other_units(entry: Entry, source: str, target: str) -> Iterator[Finding]:
    """A number that has one unit in the English and another one here."""
    here: dict[float, set[str]] = {}
    for number, unit in MEASURED.findall(target):
        here.setdefault(value(number), set()).add(UNITS[unit])
    for number, unit in MEASURED.findall(source):
        other = here.get(value(number), {UNITS[unit]})
        if UNITS[unit] not in other:
            units = "/".join(sorted(other))
            advice = f"{number} has another unit: {UNITS[unit]} in the English, {units} here"
            yield Finding(entry, "numbers", advice)
