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
from docs._guide.l10n.documents import translations
from docs._guide.l10n.entry import Entry, Finding, split
from docs._guide.options import BUILD, LOCALE
from docs._guide.tools import npm

SETTINGS = LOCALE / "textlint"
WORK = BUILD / "textlint"  # not in locale/, since packages bring .po files of their own

# MyST that textlint's Markdown parser lacks.
REFERENCE = re.compile(r"\{\w+\}`([^`<]+?)\s*<[^<>`]*>`")
ROLE = re.compile(r"\{[\w:+-]+\}(?=`)")
MATH = re.compile(r"(?<!\\)\$([^$]+)\$")
SUBSTITUTION = re.compile(r"\{\{\s*(.+?)\s*\}\}")
FOOTNOTE = re.compile(r"\[\^[^\]]+\]")

# A form is refused wherever it stands, without its English: so only loanwords (ja), and
# compounds that are long enough not to mean anything else (ko).
LOANWORD = {"ja": re.compile(r"[ァ-ヴー・]+"), "ko": re.compile(r"(?:\s*[가-힣]){4,}")}
LETTER = {"ja": "[ァ-ヴー]", "ko": "[가-힣]"}
PARTICLE = {
    "ja": "",
    "ko": "(?:은|는|이|가|을|를|의|에|에서|으로|로|와|과|도|만|부터|까지|입니다)?",
}


def main() -> int:
    """Print the findings; return 1 if there are any, or if npm is missing."""
    try:
        npm.install(SETTINGS, WORK)
    except npm.NoNode as error:
        print(f"textlint: {error}", file=sys.stderr)
        return 1
    findings, suppressed = split(
        chain.from_iterable(check(translations(language), language) for language in terms.LANGUAGES)
    )
    print(*findings, sep="\n", end="\n" if findings else "")
    print(f"textlint: {len(findings)} findings, {len(suppressed)} suppressed by noqa")
    return int(bool(findings))


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
        yield from located(result["messages"], texts[Path(result["filePath"])])


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
    >>> [(finding.rule, finding.advice) for finding in located([message], [entry])]
    [('textlint-4-2-1-感嘆符', '!')]
    """
    for message in messages:
        name = re.sub(r"[^\w]+", "-", str(message["ruleId"]).rpartition("/")[2]).strip("-")
        advice = str(message["message"]).strip().splitlines()[0]
        entry = entries[(int(str(message["line"])) - 1) // 2]
        yield Finding(entry, f"textlint-{name}", advice)


def dictionary(language: str) -> str:
    """Return the forbidden spellings of the term base as a dictionary for prh; JSON is YAML.

    >>> "(?<![ァ-ヴー])グラジエント(?=(?![ァ-ヴー]))" in dictionary("ja")
    True
    """
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
