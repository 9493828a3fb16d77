"""A legend keeps its place at the edge when its words grow."""

import unicodedata
from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from docs._ext.svg import frame


def make_room(root: Element, translations: Mapping[str, str]) -> None:
    """Move every legend that is on the right to the left, by what its words have grown.

    Matplotlib writes where a text begins, and chose the place for the English words.
    """
    for axes, legend in legends(root):
        legend.set("class", "legend")
        middle = [(left + right) / 2 for left, _, right, _ in frame(axes)]
        texts = [text for text in legend.iter("text") if text.get("x")]  # else it is a formula
        if not texts or not middle or float(texts[0].attrib["x"]) < middle[0]:
            continue
        english = max(right_end(text, text.text or "") for text in texts)
        translated = max(
            right_end(text, translations.get(text.text or "", text.text or "")) for text in texts
        )
        if translated > english:
            legend.set("transform", f"translate({english - translated:.1f} 0)")


def legends(root: Element) -> Iterator[tuple[Element, Element]]:
    """Each legend, after the axes (or the figure) that it is in."""
    for around in root.iter("g"):
        for group in around:
            if group.get("id", "").startswith("legend_"):
                yield around, group


def right_end(text: Element, words: str) -> float:
    """Where a text ends that begins where another begins."""
    size = float(text.get("font-size", "10").removesuffix("px"))
    return float(text.attrib["x"]) + size * ems(words)


def ems(text: str) -> float:
    """Width of a text, in widths of an ideograph: of other letters no more than is usual.

    >>> ems("損失"), ems("up")
    (2.0, 1.2)
    """
    return sum(1.0 if unicodedata.east_asian_width(each) in "WF" else 0.6 for each in text)
