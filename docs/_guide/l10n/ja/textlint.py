"""Check the Japanese prose with textlint: `python -m docs._guide.l10n.ja.textlint`.

Each catalog is written as one Markdown text. Rules and spellings are in locale/ja/textlint/.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from docs._guide.l10n.translations import report, translations
from docs._guide.options import BUILD, LOCALE
from docs._guide.po.entry import Entry, Finding
from docs._guide.tools import npm

SETTINGS = LOCALE / "ja" / "textlint"
WORK = BUILD / "textlint"  # not in locale/, since packages bring .po files of their own
TEXTS = WORK / "texts"

FORMULA = re.compile(r"(?<!\\)\$([^$]+)\$")  # which textlint's Markdown parser lacks


def main() -> int:
    """Print the findings; return 1 if there are any."""
    npm.install(SETTINGS, WORK)
    return int(report(check(translations("ja")), "textlint"))


def check(entries: Iterable[Entry]) -> Iterator[Finding]:
    """Write translations as texts, and run textlint on them."""
    texts = write_texts(entries)
    command = ["node", "node_modules/textlint/bin/textlint.js", "--format=json", *map(str, texts)]
    run = subprocess.run(command, cwd=WORK, capture_output=True, text=True, encoding="utf-8")
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr or run.stdout)
    for result in json.loads(run.stdout):
        for message in result["messages"]:
            rule = re.sub(r"\W+", "-", message["ruleId"].rpartition("/")[2]).strip("-")
            advice = message["message"].strip().splitlines()[0]
            entry = texts[Path(result["filePath"])][(message["line"] - 1) // 2]
            yield Finding(entry, f"textlint-{rule}", advice)


def write_texts(entries: Iterable[Entry]) -> dict[Path, list[Entry]]:
    """Write one text a catalog, two lines an entry; return the entries of each text."""
    shutil.rmtree(TEXTS, ignore_errors=True)
    TEXTS.mkdir(parents=True)
    texts: dict[Path, list[Entry]] = {}
    for entry in entries:
        name = "-".join(entry.file.with_suffix(".md").parts[-2:])
        if entry.msgstr:
            texts.setdefault(TEXTS / name, []).append(entry)
    for text, translated in texts.items():
        text.write_text("".join(f"{markdown(entry)}\n\n" for entry in translated), encoding="utf-8")
    return texts


def markdown(entry: Entry) -> str:
    """Write a translation as a paragraph, or as a heading if it is no sentence.

    >>> markdown(Entry(Path(), 1, "", "$x$の勾配を`f`で求めます。"))
    '`x`の勾配を`f`で求めます。'
    """
    text = FORMULA.sub(r"`\1`", entry.msgstr).replace("\n", " ")
    return text if re.search("[。？?]", text) else f"## {text}"


if __name__ == "__main__":
    sys.exit(main())
