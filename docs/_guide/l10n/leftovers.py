"""Rule `leftover-english`: English that is neither a name nor a gloss of its translation."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from keyword import kwlist

from docs._guide.l10n import terms
from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.markdown import prose
from docs._guide.options import LOCALE

# A run of words, with only spaces and light punctuation between them.
WORD = r"[A-Za-z][A-Za-z'’]*(?:-[A-Za-z]+)*"
RUN = re.compile(rf"(?<![\w.@/{{-]){WORD}(?:[,;:]?\s+{WORD})*(?![\w@/=(-]|\.\w)", re.ASCII)
GLOSS = re.compile(r"[（(][^（()）]*[)）]|[「『“\"‘][^」』”\"’]*[」』”\"’]")

ENGLISH = tomllib.loads((LOCALE / "english.toml").read_text(encoding="utf-8"))
FUNCTION, FINITE, ORDINARY = (
    set(ENGLISH[kind].split()) for kind in ("function", "finite", "ordinary")
)
# Python's keywords may be without backticks: for ループ, if 문.
KEYWORDS = {word.lower() for word in kwlist}


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each run of English."""
    text = prose(entry.msgstr)
    if entry.msgid == entry.msgstr:
        if any(english(run) or ordinary(run) for run in RUN.findall(text)):
            yield Finding(entry, "leftover-english", "this is not translated")
        return
    for gloss in GLOSS.findall(text):
        for run in RUN.findall(gloss):
            words = words_of(run)
            if len(words) > 3 and FINITE & set(words) and gloss[1:-1] not in entry.msgid:
                yield Finding(entry, "leftover-english", f"translate {run!r}")
    for run in RUN.findall(GLOSS.sub("、", text)):
        if english(run):
            yield Finding(entry, "leftover-english", f"translate {run!r}")


def english(run: str) -> bool:
    """Whether a run of Latin letters is English, and not a name.

    >>> [english(run) for run in ("Journal of Machine Learning", "wait until", "function", "for")]
    [False, True, True, False]
    """
    words = words_of(run)
    if {word.lower() for word in words} <= KEYWORDS and len(words) < 3:
        return False
    if len(words) == 1:
        return words[0].lower() in ORDINARY and ordinary(words[0])
    if run in ENGLISH["names"] or run in approved():
        return False
    lower = [word for word in words if word.islower()]
    if words[0] not in lower and all(word in FUNCTION for word in lower):  # a title
        return bool(lower) and (words[0].lower() in FUNCTION | ORDINARY or words[-1] in FUNCTION)
    return bool(FUNCTION & set(lower)) or sum(map(ordinary, lower)) > 1


def words_of(run: str) -> list[str]:
    """The words of a run, without punctuation."""
    return [word.strip(",;:") for word in run.split()]


def ordinary(word: str) -> bool:
    """Whether a word is written as English words are, and is no name that stays Latin."""
    if len(word) < 3 or " " in word or re.search(rf"\b{re.escape(word)}\b", approved(), re.ASCII):
        return False
    return word.islower() or (word.istitle() and word.lower() in ORDINARY | FUNCTION)


@cache
def approved() -> str:
    """The approved forms of the term base, which keep some Latin words: pytree, dtype."""
    words = (term.words[language] for term in terms.load() for language in terms.LANGUAGES)
    return "\n".join(form for row in words for form in row.approved)
