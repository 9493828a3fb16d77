"""Check the Japanese prose, and the spelling of terms in both languages, with textlint.

`python -m docs._l10n.textlint` writes each .po as one Markdown text and runs textlint on it:
the rules are in locale/textlint/, the dictionaries are made from the term base. It needs Node.
"""

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path

from docs._l10n.entry import Entry, Finding, read, split
from docs._l10n.termbase import LANGUAGES, load
from docs._make import npm
from docs._make.options import ROOT

SETTINGS = ROOT / "locale" / "textlint"
WORK = ROOT / "_build" / "textlint"  # not in locale/: packages bring .po files of their own

Texts = dict[Path, list[Entry]]

# MyST that textlint's Markdown does not know.
REFERENCE = re.compile(r"\{\w+\}`([^`<]+?)\s*<[^<>`]*>`")
ROLE = re.compile(r"\{[\w:+-]+\}(?=`)")
MATH = re.compile(r"(?<!\\)\$([^$]+)\$")
SUBSTITUTION = re.compile(r"\{\{\s*(.+?)\s*\}\}")
FOOTNOTE = re.compile(r"\[\^[^\]]+\]")

# A form is looked for wherever it stands, without its English: so only loanwords (ja), and
# compounds that are long enough not to mean anything else (ko).
LOANWORD = {"ja": re.compile(r"[ァ-ヴー・]+"), "ko": re.compile(r"(?:\s*[가-힣]){4,}")}
LETTER = {"ja": "[ァ-ヴー]", "ko": "[가-힣]"}
KOREAN_PARTICLE = "(?:은|는|이|가|을|를|의|에|에서|으로|로|와|과|도|만|부터|까지|입니다)?"


def main() -> int:
    """Print what textlint finds; what a translator has silenced is only counted."""
    try:
        install()
    except npm.NoNode as problem:
        print(f"textlint: {problem}", file=sys.stderr)
        return 1
    wrong, silenced = split(chain.from_iterable(map(findings, LANGUAGES)))
    for finding in wrong:
        print(finding)
    print(f"textlint: {len(wrong)} found, {len(silenced)} silenced")
    return 1 if wrong else 0


def install() -> None:
    """Install textlint and its rules as locked, unless they are there."""
    npm.install(SETTINGS, WORK)


def findings(language: str) -> Iterator[Finding]:
    """Write the texts of a language, and run textlint over them."""
    texts = write_texts(language)
    if not texts:
        return
    (WORK / f"terms.{language}.yml").write_text(dictionary(language), encoding="utf-8")
    command = [
        *("node", "node_modules/textlint/bin/textlint.js", "--format=json"),
        f"--config=.textlintrc.{language}.json",
        *(str(text.relative_to(WORK)) for text in texts),
    ]
    run = subprocess.run(command, cwd=WORK, capture_output=True, text=True, encoding="utf-8")
    if run.returncode not in (0, 1):
        raise RuntimeError(run.stderr or run.stdout)
    for text in json.loads(run.stdout):
        yield from located(text["messages"], texts[Path(text["filePath"])])


def write_texts(language: str) -> Texts:
    """Write one text a catalogue; return which entry stands on each of its lines."""
    shutil.rmtree(WORK / language, ignore_errors=True)
    catalogues = ROOT / "locale" / language / "LC_MESSAGES"
    texts: Texts = {}
    for catalogue in sorted(catalogues.rglob("*.po")):
        entries = [entry for entry in read(catalogue) if entry.msgstr]
        text = WORK / language / catalogue.relative_to(catalogues).with_suffix(".md")
        text.parent.mkdir(parents=True, exist_ok=True)
        text.write_text("".join(f"{markdown(entry)}\n\n" for entry in entries), encoding="utf-8")
        texts[text] = [entry for entry in entries for _ in range(2)]
    return texts


def markdown(entry: Entry) -> str:
    """Write a translation as a paragraph, or as a heading if it is no sentence.

    >>> markdown(Entry(Path(), 1, "", "$x$の{term}`勾配 <gradient>`を{func}`f`で求めます。"))
    '`x`の勾配を`f`で求めます。'
    >>> markdown(Entry(Path(), 1, "", "関数の微分"))
    '## 関数の微分'
    """
    text = REFERENCE.sub(r"\1", entry.msgstr)
    text = FOOTNOTE.sub("", ROLE.sub("", text))
    text = MATH.sub(r"`\1`", SUBSTITUTION.sub(r"`\1`", text)).replace("\n", " ")
    return text if re.search("[。？?]", text) else f"## {text}"


def located(messages: Iterable[dict[str, object]], entries: list[Entry]) -> Iterator[Finding]:
    """Turn textlint's messages about lines of a text into findings about entries.

    >>> entry = Entry(Path("grad.po"), 7, "", "")
    >>> message = {"ruleId": "jtf-style/4.2.1.感嘆符(！)", "line": 1, "message": "!\\n\\nwhy"}
    >>> [(found.rule, found.advice) for found in located([message], [entry])]
    [('textlint-4-2-1-感嘆符', '!')]
    """
    for message in messages:
        name = re.sub(r"[^\w]+", "-", str(message["ruleId"]).rpartition("/")[2]).strip("-")
        advice = str(message["message"]).strip().splitlines()[0]
        yield Finding(entries[int(str(message["line"])) - 1], f"textlint-{name}", advice)


def dictionary(language: str) -> str:
    """Write the refused spellings of the term base as a dictionary for prh (JSON is YAML).

    >>> "(?<![ァ-ヴー])グラジエント(?=(?![ァ-ヴー]))" in dictionary("ja")
    True
    """
    rows = [term.words[language] for term in load()]
    approved = [form for row in rows for form in row.approved]
    letter = LETTER[language]
    particle = KOREAN_PARTICLE if language == "ko" else ""
    rules = [
        {
            "expected": row.preferred,
            "pattern": f"/(?<!{letter}){form}(?={particle}(?!{letter}))/",
        }
        for row in rows
        for form in row.forbidden
        if LOANWORD[language].fullmatch(form) and not any(form in good for good in approved)
    ]
    return json.dumps({"version": 1, "rules": rules}, ensure_ascii=False, indent=1)


if __name__ == "__main__":
    sys.exit(main())
