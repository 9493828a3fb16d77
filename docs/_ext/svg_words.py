"""Which texts of a figure have words that a reader wants in the own language.

Not numbers, units and formulas; and not code, which is what looks like it (`jax.jit(f)`,
`fori_loop`, `float32`) and what is drawn with `family="monospace"`.
"""

import re
from collections.abc import Mapping
from xml.etree.ElementTree import Element

from docs._ext.svg import read

FORMULA = re.compile(r"\$[^$]*\$")
# What a reader knows for code: brackets, underscores, dots or digits inside, `name=value`.
CODE = re.compile(r"\S*(?:[\w)\]]\.\w|[_()\[\]=]|[A-Za-z]\d|\d[A-Za-z])\S*")
WORD = re.compile(r"(?<![^\W_])[A-Za-z]?[a-z]+(?![^\W_])")
UNITS = {"ms", "ns", "km", "cm", "mm", "kg", "px", "pt"}


def has_words(text: str) -> bool:
    """Tell a text that is translated from a number, a unit, a formula or code.

    >>> [text for text in ("time / ms", "learning rate", "loss", "Step 3") if not has_words(text)]
    []
    >>> [text for text in ("ms", "10 MiB", "n", "$n$", "jax.jit(f)", "fori_loop", "float32", "x=3",
    ...                    "-0.5", "RMS") if has_words(text)]
    []
    """
    words = WORD.findall(CODE.sub(" ", FORMULA.sub(" ", text)))
    return any(len(word) > 1 and word not in UNITS for word in words)


def labels(svg: str) -> list[str]:
    """Every text of a figure that has words, once, in the order in which it is drawn.

    >>> labels('<svg><text>loss</text><text>0.5</text><text>step</text><text>loss</text></svg>')
    ['loss', 'step']
    >>> labels('<svg><text style="font-family: monospace">scan</text></svg>')
    []
    """
    return list(dict.fromkeys(e.text for e in read(svg).iter() if e.text and is_label(e)))


def is_label(element: Element) -> bool:
    """Tell a text that has words, and is not set in the typeface of code."""
    if element.tag != "text" or element.get("class") == "code":
        return False
    return has_words(element.text or "")


def unreachable(svg: str) -> list[str]:
    """Words that no translation can reach: beside a formula, or drawn as outlines.

    Matplotlib writes the source of such a text into a comment.

    >>> unreachable("<svg><!-- error of $x$ --><!-- $x_1$ --></svg>")
    ['error of $x$']
    """
    return [text for text in re.findall(r"<!-- (.*?) -->", svg, re.DOTALL) if has_words(text)]


def translate(
    element: Element, translations: Mapping[str, str], untranslated: frozenset[str]
) -> None:
    """Put a text into the reader's language."""
    if element.text is None or element.text not in translations or not is_label(element):
        return
    if element.text in untranslated:
        element.set("class", "untranslated")
    element.text = translations[element.text]
