"""Terms: the approved word for each English term of a message, and no forbidden one.

The longest term wins: "gradient descent" asks for 勾配降下法, and not for 勾配 besides. A longer
approved word also shields a shorter forbidden one: レイヤ is forbidden, レイヤー is not.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache

from docs._l10n.entry import Entry, Finding
from docs._l10n.markdown import prose
from docs._l10n.termbase import Term, load


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Compare the terms of both sides."""
    if not entry.msgstr:
        return
    # A broken emphasis leaves its asterisks inside the words: another rule says so.
    english, translation = (prose(side).replace("*", "") for side in (entry.msgid, entry.msgstr))
    for term in longest_terms(english):
        if missing(term, translation, language):
            advice = f"write {' or '.join(term.words[language].approved)} for {term.key}"
            yield Finding(entry, "term-missing", advice)
    terms = tuple(term for term in load() if pattern(term).search(english))
    for form in forbidden_forms(terms, translation, language):
        term = next(term for term in terms if form in term.words[language].forbidden)
        advice = f"write {term.words[language].preferred} for {term.key}, not {form}"
        yield Finding(entry, "term-forbidden", advice)


def missing(term: Term, translation: str, language: str) -> bool:
    """Whether a term that may not be missing has none of its approved words.

    >>> [term] = longest_terms("The optimizer is new.")
    >>> missing(term, "最適化器です。", "ja"), missing(term, "새 옵티마이저입니다.", "ko")
    (True, False)
    """
    found = (form.lower() in translation.lower() for form in term.words[language].approved)
    return not term.soft and not any(found)


def forbidden_forms(terms: Iterable[Term], translation: str, language: str) -> list[str]:
    """Return the forbidden forms of these terms that a translation has.

    >>> def forbidden_in(english, translation, language):
    ...     return forbidden_forms(longest_terms(english), translation, language)
    >>> forbidden_in("The gradient of a layer", "レイヤの傾き", "ja")
    ['レイヤ', '傾き']
    >>> forbidden_in("The gradient is the slope of a layer", "勾配はレイヤーの傾き", "ja")
    []
    >>> forbidden_in("The carry is rounded on the device", "장치에서 캐리를 반올림해 숨기기", "ko")
    []
    """
    here = [term.words[language] for term in terms]
    shields = {form for words in here for form in words.approved}
    forbidden = {form for words in here for form in words.forbidden} - shields
    shields |= {
        longer
        for term in load()
        for longer in term.words[language].approved
        if any(form in longer and form != longer for form in forbidden)
    }
    forms = {form: re.escape(form) for form in shields} | {f: bounded(f) for f in forbidden}
    longest_first = sorted(forms, key=lambda form: (-len(form), form))
    found = re.findall("|".join(forms[form] for form in longest_first) or "(?!)", translation)
    return [form for form in dict.fromkeys(found) if form in forbidden]


def bounded(form: str) -> str:
    """Match a forbidden form where it is a word, as far as its script can tell.

    >>> bool(re.search(bounded("ロス"), "クロス")), bool(re.search(bounded("ロス"), "ロス関数"))
    (False, True)
    >>> bool(re.search(bounded("고리"), "알고리즘")), bool(re.search(bounded("고리"), "고리를"))
    (False, True)
    """
    before = after = ""
    if re.match("[ァ-ヴ]", form):
        before = "(?<![ァ-ヴー])"
    if re.search("[ァ-ヴ]$", form):
        after = "(?!ー)"
    if re.fullmatch("[가-힣]{1,2}", form):  # longer ones do not stand inside other words
        before = "(?<![가-힣])"
    return before + re.escape(form) + after


def longest_terms(english: str) -> list[Term]:
    """Return the terms of some English text: of those that overlap, the longest.

    >>> [term.key for term in longest_terms("Gradients, mini batches and gradient descent.")]
    ['gradient', 'mini-batch', 'gradient descent']
    """
    rows = {plain(form): term for term in load() for form in term.english.approved}
    found = (match[1] for match in pattern(*load()).finditer(english))
    return list(dict.fromkeys(rows[plain(form)] for form in found))


@cache
def pattern(*terms: Term) -> re.Pattern[str]:
    """Match the English forms of some terms, the longest first, also in the plural."""
    forms = sorted((plain(form) for term in terms for form in term.english.approved), key=len)
    either = "|".join(re.escape(form).replace(r"\ ", r"[\s-]+") for form in reversed(forms))
    return re.compile(rf"(?<!\w)({either})(?:s|es)?(?!\w)", re.IGNORECASE)


def plain(form: str) -> str:
    """Write an English form in one way: lower case, and a space for a hyphen."""
    return re.sub(r"[\s-]+", " ", form.lower())
