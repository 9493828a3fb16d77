"""Rule `ending`: a Japanese sentence ends in です or ます, and a label without a full stop."""

import re
from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.japanese_text import JAPANESE, sentences
from docs._l10n.markdown import HOLE, prose

CLOSING = "\"'”’」』）)］]*_"  # may follow the last word of a sentence
SENTENCE = re.compile(rf"[.?:!][{re.escape(CLOSING)}]*$")
QUESTION = re.compile(rf"\?[{re.escape(CLOSING)}]*$")
ELLIPSIS = re.compile(r"(?:\.\.\.|…)$")

POLITE = re.compile(
    r"(?:です|でした|(?<![済覚冷励澄悩])ます|ません|ました|でしょう|ましょう|ください)か?$"
)
# 「か」 that belongs to a noun: 「速さは確か。」
NOUN_IN_KA = re.compile(r"(?:確|静|豊|僅|細|わず|明ら|し|な)か$")
PLAIN = re.compile(r"(?:である|であった|だった|のだ|だろう|であろう|[うくすつぬむるぐぶ]|[いた])$")
PLAIN_WITHIN = re.compile(r"^(?:だが|だから)、|(?:であるが|であるから|であるため|だけれど)、")
# 「既定値：`None`。」 is an entry of a list, not a sentence.
PAIR = re.compile(rf"^[^、。]{{1,20}}：[{HOLE}\w .,%/-]+$", re.ASCII)
SHORT_LABEL = 4  # words in English
ADVICE = "です・ますで終えます"


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each sentence that ends otherwise.

    >>> from pathlib import Path
    >>> def advice(msgid, msgstr):
    ...     return [found.advice for found in check(Entry(Path(), 1, msgid, msgstr), "ja")]
    >>> advice("JAX is fast.", "JAXは高速である。")
    ['「…JAXは高速である」: です・ますで終えます']
    >>> advice("JAX is fast.", "JAXは高速です（GPUの場合）。")
    []
    >>> advice("A fast loop", "高速なループ。")
    ['見出しや項目に句点「。」は付けません']
    >>> advice("It returns a pair.", "組を返します")
    ['文は「。」で終えます']
    """
    if language != "ja" or not entry.msgstr:
        return
    source, text = prose(entry.msgid), prose(entry.msgstr)
    loading = bool(ELLIPSIS.search(source))  # "Loading..."
    label = loading or not SENTENCE.search(source)
    if label and not loading and re.search(r"[。．.]$", text):
        yield Finding(entry, "ending", "見出しや項目に句点「。」は付けません")
        return
    if label and text.endswith("である"):
        yield Finding(entry, "ending", "見出しや項目は体言止めにします")
    if not re.search(f"[{JAPANESE}]", text):
        return  # nothing but code, numbers or names
    yield from unpolite(entry, text)
    if not label:
        yield from unfinished(entry, source, text)


def unpolite(entry: Entry, text: str) -> Iterator[Finding]:
    """Find sentences that end in 。 but not politely, and plain forms within."""
    for sentence in sentences(text):
        if PLAIN_WITHIN.search(sentence):
            yield Finding(entry, "ending", f"「{sentence[:12]}…」: 「である」「だ」は使いません")
        if not re.search(r"[。？！?!]$", sentence):
            continue
        core = last_words(sentence)
        if not core:
            continue  # the bracket after a sentence
        if core.endswith("は") and re.search(r"[？?]$", sentence):
            continue  # 「pytreeとは？」
        if PAIR.match(core) and ":" in entry.msgid:
            continue
        asks = core.endswith("か") and not NOUN_IN_KA.search(core)
        if not POLITE.search(core) and not asks:
            yield Finding(entry, "ending", f"「…{core[-15:]}」: {ADVICE}".replace(HOLE, "`"))


def unfinished(entry: Entry, source: str, text: str) -> Iterator[Finding]:
    """Find a translated sentence that does not end as one."""
    if re.search(rf"[。？！?!：:][{re.escape(CLOSING)}]*$", text):
        return
    core = last_words(text)
    if not POLITE.search(core) and not PLAIN.search(core):
        if QUESTION.search(source):
            return  # a heading that asks: "What is a pytree?" 「pytreeとは」「どれを使うか」
        if len(source.split()) <= SHORT_LABEL:
            return  # "Output:" 「出力」
    yield Finding(entry, "ending", "文は「。」で終えます")


def last_words(sentence: str) -> str:
    """Strip remarks in brackets, the full stop and closing signs.

    >>> last_words("JAXは速いです（図1）。")
    'JAXは速いです'
    """
    return re.sub(r"（[^（）]*）", "", sentence).strip("（。？！?!… " + CLOSING)
