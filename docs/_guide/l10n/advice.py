"""What betrays a translation and a machine can see: `python -m docs._guide.l10n.advice [PAGE]`.

Advice fails nothing. Without a page, it is counted for each page; with one, it is printed. The
patterns are in locale/<language>/advice.tsv, each with an example that a test runs.
"""

import csv
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from docs._guide.l10n import ja
from docs._guide.l10n.entry import Entry, Finding, catalogs
from docs._guide.l10n.ko import text as ko
from docs._guide.l10n.ko.patterns import Pattern
from docs._guide.l10n.markdown import HOLE, prose
from docs._guide.l10n.terms import LANGUAGES
from docs._guide.options import LOCALE

SHORT = 30  # characters; a page of such sentences reads like a list


@cache
def load(language: str) -> tuple[Pattern, ...]:
    """Read the patterns of a language.

    >>> {pattern.rule for pattern in load("ja")} >= {"agent", "calque", "frame"}
    True
    """
    with (LOCALE / language / "advice.tsv").open(encoding="utf-8", newline="") as lines:
        return tuple(
            Pattern(regex=re.compile(row.pop("pattern").replace("«CODE»", HOLE)), **row)
            for row in csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
        )


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield advice on each place that matches a pattern.

    >>> from pathlib import Path
    >>> [f.rule for f in check(Entry(Path(), 1, "", "次のセルは時間を測ります。"), "ja")]
    ['frame']
    """
    text = prose(entry.msgstr)
    for pattern in load(language):
        for match in pattern.regex.finditer(text):
            yield Finding(entry, pattern.rule, f"{match[0].replace(HOLE, '…')} → {pattern.advice}")


def short_share(entries: Iterable[Entry], language: str) -> float:
    """The share of sentences that are short, of those that a page has.

    >>> from pathlib import Path
    >>> text = "速いです。コンパイルした関数は、引数の形状とdtypeが同じならば何度でも使い回せます。"
    >>> short_share([Entry(Path(), 1, "", text)], "ja")
    0.5
    """
    split = ja.sentences if language == "ja" else ko.sentences
    texts = (prose(entry.msgstr) for entry in entries)
    sentences = (sentence for text in texts for sentence in split(text))
    lengths = [len(sentence) for sentence in sentences if re.search(r"[。.?？]$", sentence)]
    return sum(length <= SHORT for length in lengths) / len(lengths) if lengths else 0.0


def page_of(entry: Entry, language: str) -> str:
    """The page of an entry, such as `transforms/grad`."""
    folder = LOCALE / language / "LC_MESSAGES"
    return entry.file.relative_to(folder).with_suffix("").as_posix()


def main(pages: Sequence[str]) -> int:
    """Print the advice on some pages, or how much there is on each."""
    for language in LANGUAGES:
        by_page: dict[str, list[Entry]] = {}
        for entry in catalogs(language):
            by_page.setdefault(page_of(entry, language), []).append(entry)
        if pages:
            chosen = (entry for page in pages for entry in by_page.get(page, []))
            print(*(advice for entry in chosen for advice in check(entry, language)), sep="\n")
            continue
        for page, entries in by_page.items():
            rules = Counter(advice.rule for entry in entries for advice in check(entry, language))
            counts = ", ".join(f"{count} {rule}" for rule, count in sorted(rules.items()))
            short = f"{short_share(entries, language):.0%} short sentences"
            print(f"{language}/{page}: {short}{', ' if counts else ''}{counts}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
