"""Read Matplotlib's SVG: what is drawn, in plain names, with styles as attributes."""

import re
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

# What is drawn. Anything else in a file, such as metadata, styles and scripts, is left out.
DRAWN = {
    *("svg", "g", "defs", "clipPath", "use", "image", "text", "tspan"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon"),
}
PROPERTIES = {
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width", "opacity"),
    *("stroke-linejoin", "stroke-linecap", "stroke-dasharray", "stroke-dashoffset"),
    *("stroke-miterlimit", "font-size", "font-style", "font-weight", "text-anchor"),
}
MONOSPACE = re.compile(r"font(-family)?:[^;,]*\bmono", re.IGNORECASE)
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def read(svg: str) -> Element:
    """Read a figure; a text in typewriter gets the class `code`, other typefaces are the page's."""
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if plain(child.tag) not in DRAWN:
                parent.remove(child)
    for element in root.iter():
        element.tag = plain(element.tag)
        style = element.attrib.pop("style", "")
        given = {plain(name): value.strip() for name, value in element.attrib.items()}
        given |= {
            name.strip(): value.strip()
            for name, _, value in (part.partition(":") for part in style.split(";"))
            if name.strip() in PROPERTIES
        }
        # Handlers of events are code.
        element.attrib = {name: given[name] for name in given if not name.startswith("on")}
        if MONOSPACE.search(style):
            element.set("class", "code")
    root.attrib.pop("version", None)
    return root


def plain(name: str) -> str:
    """Leave out a name's namespace.

    >>> plain("{http://www.w3.org/1999/xlink}href")
    'href'
    """
    return name.rpartition("}")[2]


def corners(shape: Element) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of a path.

    >>> corners(Element("path", {"d": "M 1 2 L 5 2 L 5 9 z"}))
    (1.0, 2.0, 5.0, 9.0)
    """
    numbers = [float(number) for number in NUMBER.findall(shape.get("d", ""))] or [0.0, 0.0]
    return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


def frame(axes: Element) -> list[tuple[float, float, float, float]]:
    """Corners of the frame of axes: none, where they are switched off.

    >>> frame(read('<svg><g id="patch_1"><path d="M 1 2 L 5 2 L 5 9 z"/></g></svg>'))
    [(1.0, 2.0, 5.0, 9.0)]
    >>> frame(read('<svg><g id="line2d_1"><path d="M 1 2 L 5 2 L 5 9 z"/></g></svg>'))
    []
    """
    first = next(iter(axes), None)
    if first is None or not first.get("id", "").startswith("patch_"):
        return []
    return [corners(path) for path in first.iter("path")]
