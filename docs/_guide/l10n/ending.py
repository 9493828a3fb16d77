"""Rule `ending`: a sentence ends politely and with a full stop, a label with neither.

Polite is です・ます in Japanese and 합니다체 in Korean. A message is a sentence if the English is.
"""

import re
from collections.abc import Iterator

from docs._guide.po.entry import Entry, Finding
from docs._guide.po.markdown import prose

CLOSING = r"[\"'”’」』»)）\]*]*"
SENTENCE = re.compile(rf"[.:?!…]{CLOSING}$|[.?!]\s")  # of the English
STOPPED = re.compile(rf"[。．.?？!！:：…]{CLOSING}$")
FULL_STOP = re.compile(rf"(?<!\.\.)(?<!등)[。．.]{CLOSING}$")
ASIDE = re.compile(r"\s*（[^（）]*）|\s*\([^()]*\)(?=[.?!]|$)")

# Where a sentence of the translation ends, and how: in a letter of the language, politely or not.
END = {
    "ja": re.compile(r"(?<=[。？])(?![」』])|\n"),
    "ko": re.compile(r"(?<=[.?!])[)\]\"'”’]*\s+|\n+"),
}
POLITE = {
    "ja": re.compile(
        r"(?:です|でした|(?<![済覚冷励澄悩])ます|ません|ました|でしょう|ましょう|ください)か?$"
        r"|(?<![確静豊僅細わずら])か$"
    ),
    "ko": re.compile("(?:(?<!아)니다|니까|시다|세요|십시오|까요|경우)$"),
}
PLAIN = {
    "ja": re.compile(r"(?:である|だった|[うくすつぬむぐぶるいた])$"),
    "ko": re.compile("(?:다|요|죠)$"),
}
PLAIN_WITHIN = re.compile(r"^(?:だが|だから)、|であるが、|であるから|であるため|だけれど、")
ADVICE = {
    "ja": "です・ますで終えます",
    "ko": "합니다체로 끝냅니다(-니다, -니까, -세요, -십시오, -까요)",
}
SHORT = {"ja": 4, "ko": 2}  # words of a label that has a stop in the English: "Note."
LETTER = re.compile("[가-힣ぁ-んァ-ヴー一-龠]$")  # not code, a formula or a name


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield a finding for each sentence that ends otherwise."""
    source, text = prose(entry.msgid).strip(), prose(entry.msgstr).strip()
    if not SENTENCE.search(source):
        if FULL_STOP.search(text):
            yield Finding(entry, "ending", "no full stop after a heading or label")
        return
    lenient = len(source.split()) <= SHORT[language] or source.endswith(("?", ":"))
    sentences = [sentence for sentence in END[language].split(text) if sentence.strip()]
    if source.endswith(":") or not STOPPED.search(source):
        sentences = sentences[:-1]
    for sentence in sentences:
        end = sentence_end(sentence)
        wrong = (PLAIN[language] if lenient else LETTER).search(end)
        if PLAIN_WITHIN.search(sentence) or (wrong and not POLITE[language].search(end)):
            yield Finding(entry, "ending", f"{ADVICE[language]}: {end[-15:]}")
    if source.endswith(".") and not STOPPED.search(text) and POLITE[language].search(text):
        yield Finding(entry, "ending", "a full stop is missing")


def sentence_end(sentence: str) -> str:
    """A sentence without what may follow its last word: remarks in brackets, stops, quotes."""
    return ASIDE.sub("", sentence).strip("\"'”’」』»)）]*。．.?？!！:：… ")
