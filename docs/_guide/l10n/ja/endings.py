"""Rule `ending`: a Japanese sentence ends in です or ます, and a label without a full stop.

Spelling, spaces and punctuation are rules of textlint: locale/ja/textlint/.
"""

import re
from collections.abc import Iterator

from docs._guide.l10n.entry import Entry, Finding
from docs._guide.l10n.markdown import HOLE, prose

JAPANESE = "ぁ-んァ-ヴーｱ-ﾝ一-龠々〆ヶ"  # inside [...]
CLOSING = "\"'”’」』)）］]*_"  # may follow the last word of a sentence
SENTENCE = re.compile(rf"[.?:!][{re.escape(CLOSING)}]*$")
QUESTION = re.compile(rf"\?[{re.escape(CLOSING)}]*$")
ELLIPSIS = re.compile(r"(?:\.\.\.|…)$")

QUOTED = "「[^「」]*」|『[^『』]*』"
STOP = rf"[。？！\n]|[?!](?=[\s\n]|$|[{JAPANESE}])"

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


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each sentence that ends otherwise."""
    source, text = prose(entry.msgid), prose(entry.msgstr)
    loading = bool(ELLIPSIS.search(source))  # "Loading..."
    label = loading or not SENTENCE.search(source)
    if label and not loading and re.search(r"[。．.]$", text):
        yield Finding(entry, "ending", "見出しや項目に句点「。」は付けません")
    elif re.search(f"[{JAPANESE}]", text):  # not only code, numbers or names
        yield from impolite(entry, text)
        if not label and unfinished(source, text):
            yield Finding(entry, "ending", "文は「。」で終えます")


def impolite(entry: Entry, text: str) -> Iterator[Finding]:
    """Find sentences that end in 。 but not politely, and plain forms within."""
    for sentence in sentences(text):
        if PLAIN_WITHIN.search(sentence):
            yield Finding(entry, "ending", f"「{sentence[:12]}…」: 「である」「だ」は使いません")
        core = last_words(sentence)
        if not core or not re.search(r"[。？！?!]$", sentence):
            continue  # a heading, or the bracket after a sentence
        if core.endswith("は") and re.search(r"[？?]$", sentence):
            continue  # 「pytreeとは？」
        if PAIR.match(core) and ":" in entry.msgid:
            continue
        question = core.endswith("か") and not NOUN_IN_KA.search(core)
        if not POLITE.search(core) and not question:
            advice = f"「…{core[-15:]}」: です・ますで終えます"
            yield Finding(entry, "ending", advice.replace(HOLE, "`"))


def unfinished(source: str, text: str) -> bool:
    """Whether the translation of a sentence does not end as one."""
    if re.search(rf"[。？！?!：:][{re.escape(CLOSING)}]*$", text):
        return False
    core = last_words(text)
    if POLITE.search(core) or PLAIN.search(core):
        return True
    # "What is a pytree?" 「pytreeとは」 is a heading, and "Output:" 「出力」 a label.
    return not QUESTION.search(source) and len(source.split()) > SHORT_LABEL


def last_words(sentence: str) -> str:
    """Strip remarks in brackets, the full stop and closing signs."""
    return re.sub(r"（[^（）]*）", "", sentence).strip("（。？！?!… " + CLOSING)


def sentences(text: str) -> list[str]:
    """Split at 。, ？ and ！, except inside 「」.

    >>> sentences("速いです（JITのおかげです。）。「遅い。」とは言いません。なぜですか?")
    ['速いです', '（JITのおかげです。', '）。', '「遅い。」とは言いません。', 'なぜですか?']
    """
    # A bracket that holds a sentence of its own ends the one before.
    text = re.sub(r"（(?=[^（）]*。[^（）]*）)", "\n（", text)
    pieces = re.findall(rf"(?:{QUOTED}|(?!{STOP}).)+(?:[。？！?!]+|\n|$)", text, re.DOTALL)
    return [stripped for piece in pieces if (stripped := piece.strip())]
