"""Rule `opposite`: what rises in the English does not fall in the translation."""

import re
from collections.abc import Iterator

from docs._guide.l10n import data
from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.markdown import prose

UP, DOWN = data.load("opposites.toml")["direction"]


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding where only the English goes up, and only the translation down, or vice versa.

    >>> from pathlib import Path
    >>> def rules(msgid, msgstr):
    ...     return [f.rule for f in check(Entry(Path("p.po"), 1, msgid, msgstr), "ja")]
    >>> rules("A larger step increases the loss.", "ステップが大きいと損失が増えます。")
    []
    >>> rules("The noise increases the loss.", "ノイズは損失を下げます。")
    ['opposite']
    """
    source, target = prose(entry.msgid).lower(), prose(entry.msgstr)
    for same, other in ((UP, DOWN), (DOWN, UP)):
        if (
            re.search(same["en"], source)
            and not re.search(other["en"], source)
            and re.search(other[language], target)
            and not re.search(same[language], target)
        ):
            advice = "the English goes up where this goes down, or the other way round"
            yield Finding(entry, "opposite", advice)
