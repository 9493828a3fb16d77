"""Rules `spacing`, `punctuation`, `brackets`, `quotes`, `exclamation`, `dash` and `colon`."""

from collections.abc import Iterator

from docs._l10n.entry import Entry, Finding
from docs._l10n.japanese_patterns import apply, pattern
from docs._l10n.japanese_text import JAPANESE
from docs._l10n.markdown import prose

SIGNS = "、。「」『』（）：？！・"
JA = f"[{JAPANESE}{SIGNS}]"
KANA = f"[{JAPANESE}]"
LATIN = "[A-Za-z0-9«O»]"
NAMES = "(?:JAX|XLA|NumPy|SciPy|Flax|Optax|PyTorch|TensorFlow|Python|GPU|CPU|TPU)"

PATTERNS = (
    pattern(
        "spacing",
        rf"{JA}[ \u3000]+(?={LATIN}|{JA})|(?:{LATIN}|[%)\]])[ \u3000]+(?={JA})",
        "和文と、英数字・コード・和文との間に空白を入れません",
    ),
    pattern("punctuation", "[，．､｡]", "句読点は「、」「。」です"),
    pattern("punctuation", rf"{KANA}[,]|,(?={KANA})|{KANA}\.(?![\w.])", "句読点は「、」「。」です"),
    pattern("punctuation", rf"{KANA}[?;]|{KANA}:(?!:)", "「？」「：」は全角にします"),
    pattern("punctuation", "«O», ?(?=«O»)", "コードは「、」で区切ります"),
    pattern(
        "punctuation", rf"\b{NAMES}, ?(?=[A-Z«O»])(?![^（]*）)(?![^(]*\))", "「、」で区切ります"
    ),
    pattern("punctuation", "、、|。。|、。|。、", "句読点が重なっています"),
    pattern(
        "brackets", rf"{KANA}\((?!\d+, )|\([^()]*{KANA}[^()]*\)", "かっこは全角「（）」にします"
    ),
    pattern("quotes", rf'{JA}"|"(?={JA})|[“”]', "引用は「」、書名は『』にします"),
    pattern("exclamation", rf"！|{KANA}!", "「！」は使わず、「。」で終えます"),
    pattern(
        "dash",
        rf"{JA} ?[—―─–]|[—―─–] ?(?={JA})|――|──|{KANA} - (?={KANA})",
        "ダッシュは使わず、文を分けるか、かっこにします",
    ),
    pattern(
        "colon",
        "(?:です|ます|ません|ました|とおり|通り|以下|ください|する|いる|ある|なる|れる|せる)[：:]$",
        "文末にコロンは使いません（「次のとおりです。」とします）",
    ),
)


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Yield what is set wrongly.

    >>> from pathlib import Path
    >>> def rules(msgstr):
    ...     return [found.rule for found in check(Entry(Path(), 1, "x", msgstr), "ja")]
    >>> rules("JAX は配列を、 関数に `vmap` を適用します(図1)。")
    ['spacing', 'brackets']
    >>> rules("JAX、XLA（accelerated linear algebra, XLA）は16 GiBのGPUで$O(n)$、`f(x, y)`です。")
    []
    >>> rules("`jit`, `vmap`を使います！次のとおりです：")
    ['punctuation', 'exclamation', 'colon']
    """
    if language == "ja":
        yield from apply(PATTERNS, entry, prose(entry.msgstr))
