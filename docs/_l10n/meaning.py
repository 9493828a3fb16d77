"""A translation neither drops a negation, nor adds one, nor ends in the middle.

What a sentence means, no rule can tell; these catch what a tired translator does. Negations are
counted generously on the translation's side, because a language has many ways to say no.
"""

import re
from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.markdown import HOLE, prose

NEGATION = re.compile(
    r"\b(?:[Nn]ot|[Cc]annot|[Nn]ever|none|None of|[Nn]othing|[Nn]either|[Nn]obody|[Nn]owhere|"
    r"[Ww]ithout|[Nn]o)\b|n['’]t\b"
)
# English that has a negative word and no negative sense, or one that other languages turn round.
RHETORICAL = re.compile(
    r"\bnot (?:only|merely|just|simply|to mention|until|before|unless|long|far|bad)\b"
    r"|\bno (?:more|less|fewer|later|earlier|sooner|matter|doubt|wonder|problem)\b|\bNo\. ?\d"
    r"|\bno[- ]ops?\b|\bnothing (?:but|more|less|other|else)"
    r"|\b(?:to|for) nothing\b|\bnone (?:other|the less)\b"
    r"|\b(?:whether|why|or|if) not\b|\bn(?:ot|['’]t) (?:forget|hesitate|worry|help but)"
    r"|\bcannot (?:help|but|wait)"
    r"|\bnot (?:un\w+|in(?:frequent|significant|conceivab)\w*|impossible)"
    r"|\b(?:is|are|was|does|do|did|has|have|would|could)n['’]t (?:it|they|that|we|you)\b"
    r"|['\"‘“]no['\"’”]|\byes\b.{,6}\bno\b",
    re.I,
)
# Words after which a translation may well be negative though the English has no `not`.
NEGATIVE_WORDS = r"""
absent all almost alone already another any apart avoid\w* away bad barely before below beyond
break\w* broke broken but constant deni\w+ deny differ\w* different\w* drop\w* else empty error
even every exactly except\w* exclud\w* fail\w* false far few first fixed forbid\w* forbidden
free gone guard hard\w* hidden if ignor\w* instead invalid just keep\w* kept lack\w* large late
likely little los\w+ loses lost may maybe mere merely might miss\w* must nearly need\w* no nor
null off omit\w* once only other otherwise outside perhaps prevent\w* probably prohibit\w*
protect\w* pure rare\w* rather refus\w* regardless reject\w* remain\w* remov\w* required
requires safe same scarcely seldom short should simply skip\w* small stays still stop\w* too
under unless until vanish\w* whatever wrong yet zero \w+less
"""
NEGATIVE_SENSE = re.compile(
    r"\b(?:(?:un|in|im|ir|il|dis|non|mis)[-a-z]{4,}|(?:have|has|out|long|as) (?:to|of|is|as)|"
    + "|".join(NEGATIVE_WORDS.split())
    + r")\b",
    re.I,
)

# The translation's own rhetoric goes first, then its negations are counted.
EMPTY = {
    "ja": re.compile(
        r"な(?:ければ|くては)(?:な(?:りません|らない|らず)|いけ(?:ません|ない))|かも(?:しれ|知れ)(?:ません|ない|ず)"
        r"|(?:だけ|ばかり|のみ)(?:では?)?なく|ではないでしょうか|ほかなりません|ほかならない"
        r"|違いありません|違いない|かまいません|構いません|(?:少|危|切|幼)な[いくけか]|必ず|まず、|はず|わず|いずれ"
        r"|非同期|非常|無限|未満|未来|無作為|不等|不定|非線形|非負|ではありませんか|差し支えありません|しか\w{0,15}?(?:ません|ない)"
    ),
    "ko": re.compile(
        r"수밖에 없|틀림없|다름없|뿐(?:만)? 아니라|상관없|상관 없|문제없|않으면 안|지 않습니까"
        r"|지나지 않|불과|비동기|무작위|무한|비선형|빠짐없|끊임없|아니면"
    ),
}
NEGATIVE = {
    "ja": re.compile(
        r"な(?:い|く|けれ|かっ|し|き)|ません|[わかさたなまばらがりえけせてねめべれじき]ず(?=[に、とも。])|ぬ|"
        r"[無不非未]|まい|無し"
    ),
    "ko": re.compile(
        r"않|없|못|아니|아닌|아닙|아닐|안 |마세요|마십시오|말고|말아|말라|말 것|모르|모릅|"
        r"불(?=가|필|일치|완전|명|안정|편|규|균)|비(?=활성|정상)|미(?=지|정의|완|사용|구현)|무(?=효|관|의미|시)"
    ),
}
# Ways to say the same without a negation, and the English that may be turned round so.
TURNED = {
    r"": {
        "ja": r"避け|抜き|禁|欠|不足|足らず|廃|困難|難し|控え|断|防|取り消|いいえ|以外",
        "ko": r"[이 ]외[에의]|거부|피하|금지|반대|어렵|힘들|막[습는고아]|삼가|폐지|드물|취소"
        r"|아니요|아뇨|안함",
    },
    r"^(?!.*\bzero)": {"ja": "ゼロ", "ko": "(?!)"},
    r"^(?!.*\bdiffer).*\b(?:same|equal|alike|agree|identical|match|like|together|share|expect)": {
        "ja": "異な|違",
        "ko": "다르|다릅|다른|달라|어긋",
    },
    r"\b(?:but|rather|instead|and not|as (?:a|an|the)|of)\b": {"ja": "代わり", "ko": "대신"},
    r"\b(?:unless|until|only|as long|may|can|must)\b": {"ja": "限り", "ko": r"는 한\b"},
    r"includ|contain|count|cover|consider|without": {"ja": "除", "ko": "제외|빼고|빠지|빠진"},
    r"large|big|great|long|much": {"ja": r"小さ|短|少", "ko": r"(?<![시동])작|짧|적"},
    r"fast|quick": {"ja": "遅", "ko": "느리|느립|느린"},
    r"succeed|work|run|pass|match": {"ja": "失敗|止|ずれ|外れ", "ko": "실패|멈"},
    r"fail|error|rais|warn": {"ja": "成功|通り", "ko": "성공|통과"},
    r"\b(?:los[et]|stop|discard|drop)": {"ja": "保|続|残", "ko": "유지|계속|남"},
    r"chang|mov|vary|varies|touch|modif|affect|\bdiffers?\b": {
        "ja": "まま|一定|固定|同じ|残",
        "ko": "그대로|일정|고정|같|똑같|남",
    },
    r"need|have to|has to|requir|necess": {"ja": "済|省", "ko": "덜|생략|그만|되지"},
    r"wait|delay|block": {"ja": "すぐ|直ち", "ko": "바로|즉시|곧"},
    r"forget": {"ja": "忘れ", "ko": "잊"},
    r"see|visib|show|appear|print|display": {"ja": "隠|省|消", "ko": "숨|생략|사라"},
    r"true|correct|right|valid|mean": {"ja": "偽|間違|誤[りっ]", "ko": "거짓|틀[리린립]|잘못"},
    r"\b(?:not|n['’]t|none|nothing|no|never|without)\b.*\b(?:but|except|other|else|than|all|every|"
    r"any|always)\b": {
        "ja": "だけ|しか|のみ|ほか|一部",
        "ko": r"(?<!지)만(?=[\W이을은])|뿐|일부|밖에",
    },
    r"\b(?:until|before)\b": {"ja": "前に|まで", "ko": "전에|까지"},
}
# A sentence of the translation that ends in a plain negation.
DENIAL = {
    "ja": re.compile(r"ません(?:でした)?[。？]"),
    "ko": re.compile(r"(?:[지]는? 않|없|아닙|못하?|못합)(?:았|었|했)?(?:습)?니다\."),
}

# From 8, 25, 60 and 120 characters of English on: the shortest and the longest translation, as a
# share of the English. Measured on the guide, and a little wider.
SHARES = {
    "ja": {8: (0.0, 2.5), 25: (0.1, 1.4), 60: (0.25, 1.0), 120: (0.26, 0.9)},
    "ko": {8: (0.0, 2.5), 25: (0.13, 1.6), 60: (0.27, 1.1), 120: (0.33, 1.0)},
}
ENDED = re.compile(rf"[.。．?？!！:：…]['\"’”」』)）\]*_{HOLE}]*\s*$")
SENTENCE = re.compile(r"\.['\"’”)\]]*\s*$")  # a question may well be a heading: pytreeとは
UNFINISHED = {
    "ja": re.compile(r"(?:[はがをにでへ、]|して|との|ので|から|まで|より)\s*$"),
    "ko": re.compile(r"(?:[은는을를,며면]|에서|하고|하여|해서|으로|처럼|까지| 수)\s*$"),
}
FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|does|do|can|must|will|may|should|needs?|gives?|takes?"
    r"|returns?|shows?|makes?|compares?|uses?|prints?|appears?|becomes?|calls?|says|say|runs"
    r"|gets|replaces?|represents?|accepts?|stands?|comes?)\b"
)
ABBREVIATED = re.compile(r"\b(?:etc|e\.g|i\.e|al|vs|Inc|Ltd)\.$")
SENTENCE_END = re.compile(r"(?<=[。？！])|(?<=[.?!])\s+|(?<=니다\.)|(?<=세요\.)")


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Look for a negation dropped or added, and for a translation cut off or doubled.

    >>> from pathlib import Path
    >>> def rules(msgid, msgstr, language="ja"):
    ...     return [f.rule for f in check(Entry(Path("p.po"), 1, msgid, msgstr), language)]
    >>> rules("The loop does not return.", "ループは戻りません。")
    []
    >>> rules("The loop does not return.", "ループは戻ります。")
    ['negation']
    >>> rules("Not only the value is kept.", "残るのは値だけではありません。")
    []
    >>> rules("The loop returns a value.", "루프는 값을 반환하지 않습니다.", "ko")
    ['negation']
    >>> rules("The two are not the same.", "両者は異なります。")
    []
    >>> rules("The returned function computes the slope.", "返された関数は")
    ['length']
    >>> rules("JAX runs a whole loop.", "ループをJAXで実行します。ループをJAXで実行します。")
    ['length']
    """
    if not entry.msgstr:
        return
    source, target = prose(entry.msgid), prose(entry.msgstr)
    yield from negation(entry, source, target, language)
    yield from length(entry, source, target, language)


def negation(entry: Entry, source: str, target: str, language: str) -> Iterator[Finding]:
    """Compare which sentences of both sides deny something."""
    own = EMPTY[language].sub("", target)
    if not all(
        denials(sentence) <= answers(sentence, beside, language)
        for sentence, beside in side_by_side(source, own)
    ):
        yield Finding(entry, "negation", "the English denies something that this does not deny")
    elif (
        not NEGATION.search(source)
        and not NEGATIVE_SENSE.search(source)
        and DENIAL[language].search(own)
    ):
        yield Finding(entry, "negation", "this denies something that the English does not deny")


def denials(english: str) -> int:
    """How often a sentence of the English denies something.

    >>> denials("It is not only slow: it neither returns nor stops, no matter why.")
    1
    """
    return len(NEGATION.findall(RHETORICAL.sub("", english)))


def answers(english: str, translation: str, language: str) -> int:
    """How many negations there are in a translation, or words that stand for one."""
    found = len(NEGATIVE[language].findall(translation))
    for condition, turned in TURNED.items():
        if re.search(condition, english, re.I):
            found += len(re.findall(turned[language], translation))
    return found


def side_by_side(source: str, target: str) -> Iterator[tuple[str, str]]:
    """Each sentence of the English with the sentences that may translate it.

    With as many sentences on both sides, that is the one at the same place; else all that
    overlap with it when both texts are laid side by side, and one more at each end.
    """
    english, translated = sentences(source), sentences(target)
    if len(english) == len(translated):
        yield from zip(english, translated, strict=True)
        return
    places = list(spans(translated))
    for sentence, (start, end) in zip(english, spans(english), strict=True):
        overlapping = [n for n, (first, last) in enumerate(places) if first < end and start < last]
        yield sentence, " ".join(translated[max(overlapping[0] - 1, 0) : overlapping[-1] + 2])


def sentences(text: str) -> list[str]:
    """The sentences of a text.

    >>> sentences("次は2.5です。JAX is fast. なぜでしょうか？")
    ['次は2.5です。', 'JAX is fast.', 'なぜでしょうか？']
    """
    return [part.strip() for part in SENTENCE_END.split(text) if part.strip()] or [""]


def spans(parts: list[str]) -> Iterator[tuple[float, float]]:
    """Where each part begins and ends, as shares of the whole."""
    whole = sum(map(len, parts)) or 1
    end = 0
    for part in parts:
        start, end = end, end + len(part)
        yield start / whole, end / whole


def length(entry: Entry, source: str, target: str, language: str) -> Iterator[Finding]:
    """Compare the lengths, and look at the end."""
    least, most = 0.0, float("inf")
    for characters, shares in SHARES[language].items():
        if len(source) >= characters:
            least, most = shares
    if cut_off(source, target, language):
        yield Finding(entry, "length", "this ends in the middle of a sentence")
    elif len(target) < least * len(source):
        yield Finding(entry, "length", "this is very short: is something missing?")
    elif len(target) > most * len(source):
        yield Finding(entry, "length", "this is very long: is something added?")
    elif (doubled(target) and not doubled(source)) or half_twice(target):
        yield Finding(entry, "length", "this says the same twice")


def cut_off(source: str, target: str, language: str) -> bool:
    """Whether the English ends a sentence where the translation does not.

    A short caption may lose its full stop with its verb; a particle at the end is no caption.
    """
    if ABBREVIATED.search(source) or not SENTENCE.search(source) or ENDED.search(target):
        return False
    return bool(len(source) >= 60 or FINITE.search(source) or UNFINISHED[language].search(target))


def doubled(text: str) -> bool:
    """Whether a text says something twice: a sentence, or a long phrase in a row."""
    parts = [part for part in sentences(text) if len(part) > 9]
    return len(set(parts)) < len(parts) or bool(re.search(r"(\w.{8,})\s?\1", text))


def half_twice(text: str) -> bool:
    """Whether a text is its own first half, twice."""
    half = len(text) // 2
    return half > 7 and text[:half].strip() == text[-half:].strip()
