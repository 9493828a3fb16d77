"""Matplotlib's SVG, made fit to stand inside a page: in its language, fonts and colours.

Matplotlib draws for paper: black on white, in one font, with the words of one language. Nothing
upstream goes on from there; this is what a page needs, and no more. Styles become attributes, ids
get a prefix, pictures are files: a page may then hold many figures, under a strict
Content-Security-Policy, and stays small.
"""

import base64
import re
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from docs._ext.svg import read
from docs._ext.svg_colours import paint
from docs._ext.svg_legends import make_room
from docs._ext.svg_words import translate

LONG_NUMBER = re.compile(r"-?\d+\.\d+(?:e-\d+)?")
PICTURE = "data:image/png;base64,"


def draw(
    svg: str,
    alt: str,
    prefix: str,
    translations: Mapping[str, str],
    untranslated: frozenset[str] = frozenset(),
    picture: Callable[[bytes], str] | None = None,
) -> Element:
    """Make of Matplotlib's SVG an element of a page.

    `picture` keeps a PNG that is part of the figure, and returns its address.
    """
    root = ElementTree.fromstring(in_short(svg))
    make_room(root, translations)
    for element in root.iter():
        translate(element, translations, untranslated)
        if picture and element.get("href", "").startswith(PICTURE):
            element.set("href", picture(base64.b64decode(element.attrib["href"][len(PICTURE) :])))
    name_apart(root, prefix)
    flatten(root)
    size = {name: pixels(root.attrib.pop(name)) for name in ("width", "height")}
    root.attrib = {
        "xmlns": "http://www.w3.org/2000/svg",
        **size,
        "role": "img",
        "fill": "currentColor",  # what Matplotlib leaves out is black
        "stroke-linejoin": "round",
        **({"aria-label": alt} if alt else {}),
        **root.attrib,
    }
    return root


@lru_cache(maxsize=32)  # a page shows a figure, and then its notebook
def in_short(svg: str) -> str:
    """Do what is the same for a figure in its page and alone; kept as text, which is smaller."""
    root = read(svg)
    paint(root)
    for element in root.iter():
        shorten(element)
    return write(root)


def alone(svg: str, translations: Mapping[str, str]) -> bytes:
    """Make a file of a figure, in its language, for where no page gives it paper and letters.

    >>> figure = '<svg width="9" height="9" viewBox="0 0 9 9"><text>loss</text></svg>'
    >>> alone(figure, {"loss": "損失"}).decode().endswith("<text>損失</text></svg>")
    True
    """
    root = draw(svg, "", "", translations)
    put_on_paper(root)
    root.set("font-family", "sans-serif")
    return write(root).encode()


def put_on_paper(root: Element) -> None:
    """Make a drawing black on white: what shows it may have other colours, or no style sheet.

    >>> root = Element("svg", {"fill": "currentColor"})
    >>> put_on_paper(root)
    >>> root.attrib
    {'fill': '#000000', 'style': 'background: #fff'}
    """
    for element in root.iter():
        for name in ("fill", "stroke"):
            if element.get(name) == "currentColor":
                element.set(name, "#000000")
        if element.get("class") == "code":
            element.set("font-family", "monospace")
    root.set("style", "background: #fff")


def shorten(element: Element) -> None:
    """Drop what cannot be seen: digits far behind the point, and turning by nothing.

    >>> path = Element("path", {"d": "M 10.123456 20.5 \\nL 3.000000 4"})
    >>> shorten(path)
    >>> path.get("d")
    'M 10.12 20.5 L 3 4'
    """
    for name in ("d", "x", "y"):
        if value := element.get(name):
            element.set(name, " ".join(LONG_NUMBER.sub(rounded, value).split()))
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]


def rounded(number: re.Match[str]) -> str:
    """Round to a hundredth of a point."""
    return f"{float(number[0]):.2f}".rstrip("0").rstrip(".")


def name_apart(root: Element, prefix: str) -> None:
    """Keep the ids that the figure itself refers to, and tell them from other figures'."""
    link = re.compile(r"(?<=url\(#)[^)]+|(?<=^#).+")
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = {found for value in values for found in link.findall(value)}
    for element in root.iter():
        if (name := element.attrib.pop("id", None)) in used:
            element.set("id", f"{prefix}{name}")
        for attribute, value in element.attrib.items():
            if attribute in ("href", "clip-path"):
                element.set(attribute, link.sub(rf"{prefix}\g<0>", value))


def flatten(parent: Element) -> None:
    """Take away groups that say nothing, and the space between elements.

    >>> points = read('<svg><g><g clip-path="a"><use /></g><g clip-path="a"><use /></g></g></svg>')
    >>> flatten(points)
    >>> [child.tag for child in points.iter()]
    ['svg', 'g', 'use', 'use']
    """
    parent[:] = together(unwrapped(parent))
    if parent.tag not in ("text", "tspan"):
        parent.text = None
    for child in parent:
        child.tail = None
        flatten(child)


def unwrapped(parent: Element) -> Iterator[Element]:
    """Children, and instead of a group without attributes its own."""
    for child in parent:
        if child.tag == "g" and not child.attrib:
            yield from unwrapped(child)
        elif child.tag not in ("defs", "g") or len(child):
            yield child


def together(children: Iterator[Element]) -> list[Element]:
    """One clipped group instead of one for each of hundreds of points."""
    groups: list[Element] = []
    for child in children:
        before = groups[-1] if groups else None
        if before is not None and set(child.attrib) == {"clip-path"} and same(before, child):
            before.extend(child)
        else:
            groups.append(child)
    return groups


def same(first: Element, second: Element) -> bool:
    """Tell whether two elements differ in nothing but what is inside."""
    return (first.tag, first.attrib) == (second.tag, second.attrib)


def pixels(length: str) -> str:
    """A length in pixels, as HTML has it.

    >>> pixels("432pt"), pixels("200")
    ('576', '200')
    """
    points = length.endswith("pt")
    return f"{float(length.removesuffix('pt').removesuffix('px')) * (4 / 3 if points else 1):.4g}"


def write(element: Element) -> str:
    """Write an element as HTML and XHTML both read it."""
    return ElementTree.tostring(element, encoding="unicode", short_empty_elements=True)
