"""What betrays a translation and a machine can see: `python -m docs._guide.l10n.advice [PAGE]`.

Advice fails nothing. Without a page, it is counted for each page; with one, it is printed. The
patterns are in locale/<language>/advice.tsv.
"""

import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable

from docs._guide.l10n.entry import Entry, catalogs
from docs._guide.l10n.markdown import prose
from docs._guide.l10n.meaning import sentences
from docs._guide.l10n.patterns import matches
from docs._guide.l10n.terms import LANGUAGES
from docs._guide.options import LOCALE

SHORT = 30  # characters; a page of such sentences reads like a list


def short_share(entries: Iterable[Entry]) -> float:
    """The share of a page's sentences that are short.

    >>> from pathlib import Path
    >>> text = "速いです。コンパイルした関数は、引数の形状とdtypeが同じならば何度でも使い回せます。"
    >>> short_share([Entry(Path(), 1, "", text)])
    0.5
    """
    parts = (part for entry in entries for part in sentences(prose(entry.msgstr)))
    lengths = [len(part) for part in parts if re.search(r"[。.?？]$", part)]
    return sum(length <= SHORT for length in lengths) / len(lengths) if lengths else 0.0


def main() -> None:
    """Print the advice on one page, or how much there is on each."""
    chosen = "".join(sys.argv[1:])
    for language in LANGUAGES:
        by_page: dict[str, list[Entry]] = defaultdict(list)
        for entry in catalogs(language):
            file = entry.file.relative_to(LOCALE / language / "LC_MESSAGES")
            by_page[file.with_suffix("").as_posix()].append(entry)
        for page, entries in by_page.items():
            table = f"{language}/advice.tsv"
            advice = [line for entry in entries for line in matches(entry, table)]
            if page == chosen:
                print(*advice, sep="\n")
            elif not chosen:
                rules = sorted(Counter(line.rule for line in advice).items())
                counts = "".join(f", {count} {rule}" for rule, count in rules)
                short = f"{short_share(entries):.0%} short sentences"
                print(f"{language}/{page}: {short}{counts}")


if __name__ == "__main__":
    main()
