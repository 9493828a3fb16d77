"""Rule `leftover-english`: English that is neither a name nor a gloss of its translation."""

import re
import tomllib
from collections.abc import Iterator

from docs._guide.options import LOCALE
from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import prose

# Words with only spaces and light punctuation between them.
WORD = r"[A-Za-z][A-Za-z'’]*(?:-[A-Za-z]+)*"
RUN = re.compile(rf"(?<![\w.@/{{-]){WORD}(?:[,;:]?\s+{WORD})+(?![\w@/=(-]|\.\w)", re.ASCII)
GLOSS = re.compile(r"[（(][^（()）]*[)）]|[「『“\"‘][^」』”\"’]*[」』”\"’]")

ENGLISH = tomllib.loads((LOCALE / "english.toml").read_text(encoding="utf-8"))
FUNCTION = re.compile(rf"\b(?:{'|'.join(ENGLISH['function'].split())})\b")
NAMES = re.compile("|".join(map(re.escape, ENGLISH["names"])))


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each run of words with one that no name has: is, of, when."""
    text = NAMES.sub("", prose(entry.msgstr))
    if entry.msgid == entry.msgstr and re.search(r"\b[A-Z]?[a-z]{2,}\b", text):
        yield Finding(entry, "leftover-english", "this is not translated")
        return
    for run in RUN.findall(GLOSS.sub("、", text)):
        if FUNCTION.search(run):
            yield Finding(entry, "leftover-english", f"translate {run!r}")
