"""A damaged .po is told, or what is shown of it has the code, formulas and links of the English."""

import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from docs._l10n.entry import Entry, read
from docs._make.catalogues import TRANSLATIONS
from docs._make.markup import problems
from docs._make.options import LOCALE
from tests.conftest import SmallGuide, notebook

# In a translation that has `needs`, exchange the first `old` by `new`.
Damage = tuple[str, str, str]
InFile = Callable[[str, random.Random], str]
IN_A_TRANSLATION: dict[str, Damage] = {
    "code not closed": (r"`[^`{}]+`", r"`([^`]+)`", r"`\1"),
    "code not opened": (r"`[^`{}]+`", r"`([^`]+)`", r"\1`"),
    "code dropped": (r"(?<!})`[^`]+`", r"(?<!})`[^`]+`", "x"),
    "code changed": (r"(?<!})`[^`]+`", r"(?<!})`([^`]+)`", r"`\1_`"),
    "code with two backticks": (r"(?<!})`[^`]+`", r"(?<!})`([^`]+)`", r"``\1`"),
    "code escaped": (r"(?<!})`[^`]+`", r"(?<!})`", r"\\\\`"),
    "formula not closed": (r"\$[^$]+\$", r"\$([^$]+)\$", r"$\1"),
    "formula dropped": (r"\$[^$]+\$", r"\$[^$]+\$", ""),
    "formula changed": (r"\$[^$]+\$", r"\$([^$]+)\$", r"$\1+1$"),
    "formula with a space": (r"\$[^$]+\$", r"\$([^$]+)\$", r"$ \1$"),
    "link elsewhere": (r"\]\([^)]+\)", r"\]\(", r"](x"),
    "link in wide brackets": (r"\]\([^)]+\)", r"\]\(([^)]+)\)", r"]（\1）"),
    "link with a space": (r"\]\([^)]+\)", r"\]\(", r"] ("),
    "link not closed": (r"\]\([^)]+\)", r"\]\(([^)]+)\)", r"](\1"),
    "link dropped": (r"\]\([^)]+\)", r"\]\([^)]+\)", ""),
    "role of another name": (r"\{term\}", r"\{term\}", "{trem}"),
    "role without a brace": (r"\{term\}", r"\{term\}", "{term"),
    "role with a space": (r"\{term\}", r"\{term\}", "{term} "),
    "role dropped": (r"\{term\}", r"\{term\}`[^`]+`", "x"),
    "role to another term": (r"\{term\}`[^`]+>`", r">`", "x>`"),
    "fence": ("", "^", r"```{note}\\n"),
    "colon fence": ("", "^", r":::{note}\\n"),
    "list": ("", "^", "1. "),
    "heading": ("", "^", "# "),
    "quotation": ("", "^", "> "),
    "comment of MyST": ("", "^", "% "),
    "target": ("", "^", r"(here)=\\n"),
    "two paragraphs": ("", "$", r"\\n\\nx"),
    "two lines": ("", "$", r"\\nx"),
    "HTML": ("", "$", "<b>x"),
    "script": ("", "$", "<script>x</script>"),
    "comment of HTML": ("", "$", "<!-- x -->"),
    "emphasis not closed": ("", "^", "**"),
    "substitution": ("", "$", "{{ x }}"),
    "footnote": ("", "$", "[^1]"),
    "image": ("", "$", "![](x.png)"),
    "formats": ("", "$", " %s %(x)d 100 %"),
    "quotation mark": ("", "$", ' " '),
    "backslash at the end": ("", "$", r"\\"),
}


def truncated(text: str, chance: random.Random) -> str:
    return text[: chance.randrange(600, len(text))]


def with_another_charset(text: str, chance: random.Random) -> str:
    return text.replace("charset=utf-8", chance.choice(["charset=euc-jp", "charset=CHARSET"]))


def with_an_entry_twice(text: str, chance: random.Random) -> str:
    return f"{text}\n{chance.choice(blocks(text))}"


def with_a_fuzzy_entry(text: str, chance: random.Random) -> str:
    block = chance.choice(blocks(text))
    return text.replace(f"\n{block}", f"\n#, fuzzy\n{block}")


def without_a_keyword(text: str, chance: random.Random) -> str:
    block = chance.choice(blocks(text))
    return text.replace(block, block.replace("msgstr", chance.choice(["", "msgstrr"])))


def without_a_translation(text: str, chance: random.Random) -> str:
    block = chance.choice(blocks(text))
    return text.replace(block, block.split("msgstr")[0])


IN_THE_FILE: list[InFile] = [
    truncated,
    with_another_charset,
    with_an_entry_twice,
    with_a_fuzzy_entry,
    without_a_keyword,
    without_a_translation,
]


def blocks(text: str) -> list[str]:
    """The entries of a .po, without its header."""
    return [block for block in text.split("\n\n")[1:] if "msgid" in block]


def damaged(text: str, damage: Damage | InFile, chance: random.Random) -> str | None:
    """Spoil a file; nothing, where it has nothing of that kind."""
    if callable(damage):
        return damage(text, chance)
    needs, old, new = damage
    translations = [
        found for found in re.finditer(r'^msgstr "(.+)"$', text, re.M) if re.search(needs, found[1])
    ]
    if not translations:
        return None
    found = chance.choice(translations)
    return text[: found.start(1)] + re.sub(old, new, found[1], count=1) + text[found.end(1) :]


MARKS = re.compile(r"(?<!})`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\{\w+\}|\\|\n|<[^>]*>|[`${}]")


def is_right(entry: Entry) -> bool:
    """Seen with other eyes than those of the rules: what is no word is the same on both sides."""
    english, translated = (
        Counter(re.sub(r"\s", "", mark) for mark in MARKS.findall(side))
        for side in (entry.msgid, entry.msgstr)
    )
    return english == translated


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_nothing_of_100_is_wrong_and_silent(language: str, tmp_path: Path) -> None:
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    files = sorted((LOCALE / language).rglob("*.po"))
    tried = told = 0
    kinds: list[Damage | InFile] = [*IN_A_TRANSLATION.values(), *IN_THE_FILE]
    for number in range(90):
        source = chance.choice(files)
        text = source.read_text(encoding="utf-8")
        kind = kinds[number % len(kinds)]
        spoilt = damaged(text, kind, chance)
        if spoilt is None or spoilt == text:
            continue  # nothing of this kind is in that file
        file = tmp_path / f"{number}.po"
        file.write_text(spoilt, encoding="utf-8")
        tried += 1
        if list(problems(file, language)):
            told += 1
            continue
        before = {(entry.msgid, entry.msgstr) for entry in read(source)}
        for entry in read(file):
            if entry.msgstr and not entry.fuzzy and (entry.msgid, entry.msgstr) not in before:
                assert is_right(entry), (kind, source, entry)
    assert tried >= 50  # in each of two languages
    assert told >= 0.8 * tried


def test_a_build_tells_of_it_and_keeps_the_site(small_guide: SmallGuide) -> None:
    prose = "Call `grad` on it."
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose=prose))
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
    catalogue = f'{header}\nmsgid "{prose}"\nmsgstr "{{}}"\n'
    path = "locale/ja/LC_MESSAGES/one.po"
    small_guide.write(path, catalogue.format("それに`grad`を使います。"))
    assert small_guide.make("--language=ja").returncode == 0
    before = small_guide.page("one", "ja")
    for translation, rule in (
        ("それに`grad`を使います", ""),
        ("それにgradを使います。", f"{path}:4: code: keep every code span"),
        ("それに`grad`を使います。\\n\\nもう一つ。", f"{path}:4: markup: "),
        ('それに"`grad`を使います。', f"{path}: line 5 is cut off"),
    ):
        small_guide.write(path, catalogue.format(translation))
        built = small_guide.make("--language=ja")
        assert (built.returncode == 1) == bool(rule), built.stdout
        assert rule in built.stdout
        if not rule:
            before = small_guide.page("one", "ja")
        assert small_guide.page("one", "ja") == before
