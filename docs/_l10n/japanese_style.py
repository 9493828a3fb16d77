"""Rules `pronoun`, `wordy`, `no-chain`, `jit-verb` and `sentence-length`: plain wording."""

from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.japanese_patterns import apply, pattern
from docs._l10n.japanese_text import sentences
from docs._l10n.markdown import HOLE, prose

LONGEST = 120  # characters of a sentence
CODE = 3  # more for code and formulas: most are like `grad`
VERB_END = "[うくすつぬぶむぐる]"  # of a plain form
# 「計算を行う」 is 「計算する」, but 「作業を行う」 has no shorter form.
NO_VERB = "".join(f"(?<!{noun})" for noun in ("作業", "実験", "操作", "手順", "手続き", "行事"))
WORD = "[一-龠々〆ヶァ-ヴーA-Za-z0-9«O»]"

PATTERNS = (
    pattern(
        "pronoun",
        "あなた|貴方|(?<!公)私(?=[はがのもをに]|たち|達)|わたしたち|我々|われわれ|我われ|我ら|(?<!の)皆さん|みなさん",
        "主語のyou、weは訳しません",
    ),
    pattern(
        "pronoun",
        "それら|それ[がをの]|それは(?!さておき|ともかく|そう)|それに(?:は|対し|つい|よ[っり]|応じ|基づ|適用|渡|従)|彼ら",
        "「それ」「それら」は名詞に置き換えるか省きます",
    ),
    pattern("wordy", f"{VERB_END}[こ事]と?が(?:でき|出来|可能)", "「〜できます」とします"),
    pattern("wordy", f"(?<=[一-龠ァ-ヴー«O»]){NO_VERB}を行な?[いうえっわ]", "「〜します」とします"),
    pattern(
        "wordy",
        f"(?:{VERB_END}|[ただ])(?:こと|事)に(?:よって(?!は)|より(?!ま))",
        "「〜すると」「〜することで」とします",
    ),
    pattern(
        "no-chain", f"(?:{WORD}+の){{4}}", "「の」が4つ続いています。言い換えるか、文を分けます"
    ),
)
JIT = pattern(
    "jit-verb",
    r"(?<![A-Za-z0-9_.])(?:jax\.)?jit(?:する|し[たてま]|され)",
    "「JITコンパイルする」とします",
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield wording that the style guide refuses.

    >>> from pathlib import Path
    >>> def rules(msgstr):
    ...     return [found.rule for found in check(Entry(Path(), 1, "x", msgstr), "ja")]
    >>> rules("あなたは計算を行うことができます。それらは`jit`した関数です。")
    ['pronoun', 'pronoun', 'wordy', 'wordy', 'jit-verb']
    >>> rules("それぞれの公私の区別は、値によって異なります。作業を行います。")
    []
    >>> rules("あ" * 60 + "、" + "い" * 60 + "です。")
    ['sentence-length']
    """
    if language != "ja":
        return
    text = prose(entry.msgstr)
    yield from apply(PATTERNS, entry, text)
    yield from apply([JIT], entry, entry.msgstr.replace("`", ""))
    for sentence in sentences(text):
        length = len(sentence) + CODE * sentence.count(HOLE)
        if length > LONGEST:
            advice = f"「{sentence[:12]}…」は{length}字です。{LONGEST}字までの文に分けます"
            yield Finding(entry, "sentence-length", advice)
