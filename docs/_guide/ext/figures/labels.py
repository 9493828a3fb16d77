"""The labels of a figure: which texts they are, their translation, and the room they need.

A label is a text with words. Numbers, units and formulas are none, and neither is code: what looks
like it (`jax.jit(f)`, `fori_loop`, `float32`), or is drawn with `family="monospace"`.
"""

import re
from collections.abc import Collection, Mapping
from unicodedata import east_asian_width
from xml.etree.ElementTree import Element

from docs._guide.ext.figures.palette import frame

FORMULA = re.compile(r"\$[^$]*\$")
# Brackets, underscores, dots or digits inside, `name=value`.
CODE = re.compile(r"\S*(?:[\w)\]]\.\w|[_()\[\]=]|[A-Za-z]\d|\d[A-Za-z])\S*")
WORD = re.compile(r"(?<![^\W_])[A-Za-z]?[a-z]+(?![^\W_])")
UNITS = {"ms", "ns", "km", "cm", "mm", "kg", "px", "pt"}


def has_words(text: str) -> bool:
    """Return whether a text needs a translation.

    >>> [text for text in ("time / ms", "learning rate", "loss", "Step 3") if not has_words(text)]
    []
    >>> [text for text in ("ms", "10 MiB", "n", "$n$", "jax.jit(f)", "fori_loop", "float32", "x=3",
    ...                    "-0.5", "RMS") if has_words(text)]
    []
    """
    words = WORD.findall(CODE.sub(" ", FORMULA.sub(" ", text)))
    return any(len(word) > 1 and word not in UNITS for word in words)


def is_label(element: Element) -> bool:
    """Return whether an element is a text to translate."""
    is_text = element.tag == "text" and element.get("class") != "code"
    return is_text and has_words(element.text or "")


def figure_labels(root: Element) -> list[str]:
    """Return the labels of a figure, without duplicates, in the order in which they are drawn."""
    texts = [e.text for e in root.iter() if e.text and is_label(e)]
    steps = [name for e in root.iter() for name, _ in settings(e) if has_words(name)]
    return list(dict.fromkeys(texts + steps))


def settings(element: Element) -> list[tuple[str, str]]:
    """Return the parameters of a step and their values, as svg.py marks them.

    >>> settings(Element("g", {"data-step": "learning rate = 0.1, n = 20"}))
    [('learning rate', '0.1'), ('n', '20')]
    """
    step = element.get("data-step")
    return [tuple(part.split(" = ", 1)) for part in step.split(", ")] if step else []  # type: ignore[misc]


def unreachable(svg: str) -> list[str]:
    """Return texts with words that Matplotlib drew as outlines, and wrote into a comment."""
    return [text for text in re.findall(r"<!-- (.*?) -->", svg, re.DOTALL) if has_words(text)]


def translate(
    element: Element, translations: Mapping[str, str], untranslated: Collection[str]
) -> None:
    """Translate an element in place if it is a label, and mark it where it has no translation."""
    if step := settings(element):
        names = (f"{translations.get(name, name)} = {value}" for name, value in step)
        element.set("data-step", ", ".join(names))
        if {name for name, _value in step} & set(untranslated):
            element.set("class", "untranslated")
    if element.text is None or element.text not in translations or not is_label(element):
        return
    if element.text in untranslated:
        element.set("class", "untranslated")
    element.text = translations[element.text]


def make_room(root: Element, translations: Mapping[str, str]) -> None:
    """Shift each legend in the right half of its axes to the left by what its labels grew.

    Matplotlib chose the place for the English labels, and writes where a text begins.
    """
    for axes in root.iter("g"):
        for legend in axes:
            if not legend.get("id", "").startswith("legend_"):
                continue
            legend.set("class", "legend")
            middle = [(left + right) / 2 for left, _, right, _ in frame(axes)]
            texts = [text for text in legend.iter("text") if text.get("x")]  # else it is a formula
            if not texts or not middle or float(texts[0].attrib["x"]) < middle[0]:
                continue
            english = max(right_end(text, {}) for text in texts)
            translated = max(right_end(text, translations) for text in texts)
            if translated > english:
                legend.set("transform", f"translate({english - translated:.1f} 0)")


def right_end(element: Element, translations: Mapping[str, str]) -> float:
    """Estimate where a text ends once it is translated, without knowing the reader's font."""
    text = translations.get(element.text or "", element.text or "")
    width_in_em = sum(1.0 if east_asian_width(character) in "WF" else 0.6 for character in text)
    size = float(element.get("font-size", "10").removesuffix("px"))
    return float(element.attrib["x"]) + size * width_in_em
