"""A damaged .po is reported, or what it shows has the code, formulas and links of the English."""

import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from docs._guide.options import LOCALE
from docs._guide.po import markup
from docs._guide.po.entry import Entry, UnreadableCatalog, read
from docs._guide.po.termbase import LANGUAGES
from tests.conftest import SmallGuide, notebook, po

# In a translation that matches the first, replace the second by the third.
DAMAGES: dict[str, tuple[str, str, str]] = {
    "code not closed": (r"`[^`{}]+`", r"`([^`]+)`", r"`\1"),
    "code dropped": (r"(?<!})`[^`]+`", r"(?<!})`[^`]+`", "x"),
    "code changed": (r"(?<!})`[^`]+`", r"(?<!})`([^`]+)`", r"`\1_`"),
    "code with two backticks": (r"(?<!})`[^`]+`", r"(?<!})`([^`]+)`", r"``\1`"),
    "formula not closed": (r"\$[^$]+\$", r"\$([^$]+)\$", r"$\1"),
    "formula dropped": (r"\$[^$]+\$", r"\$[^$]+\$", ""),
    "formula changed": (r"\$[^$]+\$", r"\$([^$]+)\$", r"$\1+1$"),
    "link elsewhere": (r"\]\([^)]+\)", r"\]\(", r"](x"),
    "link in wide brackets": (r"\]\([^)]+\)", r"\]\(([^)]+)\)", r"]（\1）"),
    "link not closed": (r"\]\([^)]+\)", r"\]\(([^)]+)\)", r"](\1"),
    "link dropped": (r"\]\([^)]+\)", r"\]\([^)]+\)", ""),
    "fence": ("", "^", r"```{note}\\n"),
    "list": ("", "^", "1. "),
    "heading": ("", "^", "# "),
    "target": ("", "^", r"(here)=\\n"),
    "two paragraphs": ("", "$", r"\\n\\nx"),
    "HTML": ("", "$", "<b>x"),
    "comment of HTML": ("", "$", "<!-- x -->"),
    "emphasis not closed": ("", "^", "**"),
    "quotation mark": ("", "$", ' " '),
    "backslash at the end": ("", "$", r"\\"),
}


# In the whole file, given one of its entries.
FILE_DAMAGES: dict[str, Callable[[str, str], str]] = {
    "cut off": lambda text, entry: text[: text.index(entry) + len(entry) - 2],
    "another charset": lambda text, entry: text.replace("charset=utf-8", "charset=euc-jp"),
    "entry twice": lambda text, entry: f"{text}\n{entry}",
    "fuzzy": lambda text, entry: text.replace(f"\n{entry}", f"\n#, fuzzy\n{entry}"),
    "misspelt keyword": lambda text, entry: text.replace(entry, entry.replace("msgstr", "mgstr")),
    "no translation": lambda text, entry: text.replace(entry, entry.split("msgstr")[0]),
}
MARKS = re.compile(r"(?<!})`[^`]*`|\$[^$]*\$|\]\([^)]*\)|\\|\n|<[^>]*>|[`$]")


def damaged(text: str, kind: str, chance: random.Random) -> str:
    """Damage a file; return it as it is where it has nothing of that kind."""
    if kind in FILE_DAMAGES:
        entries = [entry for entry in text.split("\n\n")[1:] if "msgid" in entry]
        return FILE_DAMAGES[kind](text, chance.choice(entries))
    needed, old, new = DAMAGES[kind]
    translations = re.finditer(r'^msgstr "(.+)"$', text, re.M)
    candidates = [match for match in translations if re.search(needed, match[1])]
    if not candidates:
        return text
    match = chance.choice(candidates)
    return text[: match.start(1)] + re.sub(old, new, match[1], count=1) + text[match.end(1) :]


def same_marks(entry: Entry) -> bool:
    """Whether both sides have the same marks, compared independently of the rules.

    Code that the English has twice may be in the translation once: the rules accept a pronoun.
    """
    source, target = (
        [re.sub(r"\s", "", mark) for mark in MARKS.findall(side)]
        for side in (entry.msgid, entry.msgstr)
    )
    others = (Counter(mark for mark in side if mark[0] != "`") for side in (source, target))
    return set(source) == set(target) and next(others) == next(others)


@pytest.mark.parametrize("language", LANGUAGES)
def test_damage_is_reported_or_harmless(language: str, tmp_path: Path) -> None:
    chance = random.Random(0)
    files = sorted((LOCALE / language).rglob("*.po"))
    tried = reported = 0
    for kind in [*DAMAGES, *FILE_DAMAGES] * 3:
        source = chance.choice(files)
        text = source.read_text(encoding="utf-8")
        broken = damaged(text, kind, chance)
        if broken == text:
            continue
        tried += 1
        file = tmp_path / "damaged.po"
        file.write_text(broken, encoding="utf-8")
        intact = {(entry.msgid, entry.msgstr) for entry in read(source)}
        try:
            entries = [entry for entry in read(file) if entry.msgstr and not entry.fuzzy]
        except UnreadableCatalog:
            reported += 1
            continue
        changed = [entry for entry in entries if (entry.msgid, entry.msgstr) not in intact]
        for entry in changed:
            findings = list(markup.check(entry, language))
            reported += bool(findings)
            assert findings or same_marks(entry), (kind, source, entry)
    assert tried >= 50
    assert reported >= 0.8 * tried


def test_a_build_warns_and_keeps_the_site(small_guide: SmallGuide) -> None:
    prose, translation = "Call `grad` on it.", "それに`grad`を使います。"
    damage = {"one": "それにgradを使います。", "two": f'"{translation}'}
    paths = {page: f"locale/ja/LC_MESSAGES/{page}.po" for page in damage}
    for page, path in paths.items():
        small_guide.write(f"docs/{page}.md", notebook("print(6 * 7)", prose=prose))
        small_guide.write(path, po({prose: translation}))
    assert small_guide.make("--language=ja").returncode == 0
    before = small_guide.page("one", "ja")
    for page, path in paths.items():
        small_guide.write(path, po({prose: damage[page]}))
    built = small_guide.make("--language=ja")
    assert built.returncode == 1
    assert f"{paths['one']}:4: code: keep every code span" in built.stdout + built.stderr
    assert f"{paths['two']}: line 5 is cut off" in built.stdout + built.stderr
    assert small_guide.page("one", "ja") == before
