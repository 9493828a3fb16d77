"""Check the Japanese prose, and the spelling of terms in both languages, with textlint.

`python -m docs._guide.l10n.textlint` writes each file as one Markdown text and runs textlint on
it. Rules and spellings are in locale/textlint/, the terms come from the term base. It needs Node.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from docs._guide.l10n import terms
from docs._guide.l10n.entry import Entry, Finding, report, translations
from docs._guide.options import BUILD, LOCALE
from docs._guide.tools import npm

SETTINGS = LOCALE / "textlint"
WORK = BUILD / "textlint"  # not in locale/, since packages bring .po files of their own

# MyST that textlint's Markdown parser lacks.
REFERENCE = re.compile(r"\{\w+\}`([^`<]+?)\s*<[^<>`]*>`")
ROLE_OR_FOOTNOTE = re.compile(r"\{[\w:+-]+\}(?=`)|\[\^[^\]]+\]")
MATH_OR_SUBSTITUTION = re.compile(r"(?<!\\)\$([^$]+)\$|\{\{\s*(.+?)\s*\}\}")

# A form is refused wherever it stands, without its English: so only loanwords (ja), and
# compounds that are long enough not to mean anything else (ko).
LOANWORD = {"ja": re.compile(r"[ァ-ヴー・]+"), "ko": re.compile(r"(?:\s*[가-힣]){4,}")}
LETTER = {"ja": "[ァ-ヴー]", "ko": "[가-힣]"}
PARTICLE = {
    "ja": "",
    "ko": "(?:은|는|이|가|을|를|의|에|에서|으로|로|와|과|도|만|부터|까지|입니다)?",
}


def main() -> int:
    """Print the findings; return 1 if there are any."""
    npm.install(SETTINGS, WORK)
    findings = (check(translations(language), language) for language in terms.LANGUAGES)
    return int(report(chain.from_iterable(findings), "textlint"))


def check(entries: Iterable[Entry], language: str) -> Iterator[Finding]:
    """Write the translations of a language as texts, and run textlint on them."""
    texts = write_texts(entries, WORK / language)
    (WORK / f"terms.{language}.yml").write_text(dictionary(language), encoding="utf-8")
    command = [
        *("node", "node_modules/textlint/bin/textlint.js", "--format=json"),
        *(f"--config=.textlintrc.{language}.json", *map(str, texts)),
    ]
    run = subprocess.run(command, cwd=WORK, capture_output=True, text=True, encoding="utf-8")
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr or run.stdout)
    for result in json.loads(run.stdout):
        for message in result["messages"]:
            rule = re.sub(r"\W+", "-", message["ruleId"].rpartition("/")[2]).strip("-")
            advice = message["message"].strip().splitlines()[0]
            entry = texts[Path(result["filePath"])][(message["line"] - 1) // 2]
            yield Finding(entry, f"textlint-{rule}", advice)


def write_texts(entries: Iterable[Entry], folder: Path) -> dict[Path, list[Entry]]:
    """Write one text a catalog, two lines an entry; return the entries of each text."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    texts: dict[Path, list[Entry]] = {}
    for entry in entries:
        name = "-".join(entry.file.with_suffix(".md").parts[-2:])
        if entry.msgstr:
            texts.setdefault(folder / name, []).append(entry)
    for text, translated in texts.items():
        text.write_text("".join(f"{markdown(entry)}\n\n" for entry in translated), encoding="utf-8")
    return texts


def markdown(entry: Entry) -> str:
    """Write a translation as a paragraph, or as a heading if it is no sentence.

    >>> markdown(Entry(Path(), 1, "", "$x$の{term}`勾配 <gradient>`を{func}`f`で求めます。"))
    '`x`の勾配を`f`で求めます。'
    """
    text = REFERENCE.sub(r"\1", entry.msgstr)
    text = ROLE_OR_FOOTNOTE.sub("", text)
    text = MATH_OR_SUBSTITUTION.sub(r"`\1\2`", text).replace("\n", " ")
    return text if re.search("[。？?]", text) else f"## {text}"


def dictionary(language: str) -> str:
    """Return the forbidden spellings of the term base as a dictionary for prh; JSON is YAML."""
    rows = [term.words[language] for term in terms.load()]
    approved = [form for row in rows for form in row.approved]
    letter = LETTER[language]
    rules = [
        {
            "expected": row.preferred,
            "pattern": f"/(?<!{letter}){form}(?={PARTICLE[language]}(?!{letter}))/",
        }
        for row in rows
        for form in row.forbidden
        if LOANWORD[language].fullmatch(form) and not any(form in good for good in approved)
    ]
    return json.dumps({"version": 1, "rules": rules}, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    sys.exit(main())
