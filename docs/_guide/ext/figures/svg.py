"""Matplotlib's SVG, rewritten for a page: in its language, fonts and colors, and minimized.

Matplotlib draws for paper: black on white, in one font, with labels in one language. Here styles
become attributes, ids get a prefix and bitmaps become files, so that a page can hold many figures
under a strict Content-Security-Policy and stays small.
"""

import base64
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from docs._guide.ext.figures.labels import make_room, translate
from docs._guide.ext.figures.palette import use_page_colors
from docs._guide.ext.figures.shapes import draw_shapes

# What a figure is drawn with. Anything else, such as metadata, styles and scripts, is dropped.
TAGS = {
    *("svg", "g", "defs", "clipPath", "use", "image", "text", "tspan"),
    *("path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "marker"),
}
PROPERTIES = {
    *("fill", "fill-opacity", "fill-rule", "stroke", "stroke-opacity", "stroke-width", "opacity"),
    *("stroke-linejoin", "stroke-linecap", "stroke-dasharray", "stroke-dashoffset"),
    *("stroke-miterlimit", "font-size", "font-style", "font-weight", "text-anchor"),
}
MONOSPACE = re.compile(r"font(-family)?:[^;,]*\bmono", re.IGNORECASE)
LONG_NUMBER = re.compile(r"-?\d+\.\d+(?:e-\d+)?")
ID_REFERENCE = re.compile(r"(?<=url\(#)[^)]+|(?<=^#).+")
PNG = "data:image/png;base64,"


def inline(
    svg: str,
    translations: Mapping[str, str],
    *,
    untranslated: Collection[str] = (),
    alt: str = "",
    prefix: str = "",
    save_bitmap: Callable[[bytes], str] | None = None,
) -> Element:
    """Return a figure as an element of a page.

    Ids get the prefix, labels that are untranslated are marked, and `save_bitmap` stores an
    embedded PNG and returns its URL.
    """
    root = read(svg)
    draw_shapes(root)
    use_page_colors(root)
    make_room(root, translations)
    for element in root.iter():
        shorten(element)
        translate(element, translations, untranslated)
        if save_bitmap and (data := element.get("href", "")).startswith(PNG):
            element.set("href", save_bitmap(base64.b64decode(data.removeprefix(PNG))))
    prefix_ids(root, prefix)
    flatten(root)
    size = {name: pixels(root.attrib.pop(name)) for name in ("width", "height")}
    root.attrib = {
        "xmlns": "http://www.w3.org/2000/svg",
        **size,
        "role": "img",
        "fill": "currentColor",  # Matplotlib leaves black out
        "stroke-linejoin": "round",
        **({"aria-label": alt} if alt else {}),
        **root.attrib,
    }
    return root


def standalone(svg: str, translations: Mapping[str, str]) -> bytes:
    """Return a figure as a file, which gets neither colors nor fonts from a page."""
    root = inline(svg, translations)
    black_on_white(root)
    root.set("font-family", "sans-serif")
    return write(root).encode()


def black_on_white(root: Element) -> None:
    """Give a figure fixed colors, since no style sheet of the site applies to a file.

    >>> root = Element("svg", {"fill": "currentColor"})
    >>> black_on_white(root)
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


def read(svg: str) -> Element:
    """Parse a figure; monospaced text gets the class `code`, other text the page's font."""
    root = ElementTree.fromstring(svg)
    for parent in list(root.iter()):
        for child in list(parent):
            if local_name(child.tag) not in TAGS:
                parent.remove(child)
    for element in root.iter():
        element.tag = local_name(element.tag)
        style = element.attrib.pop("style", "")
        attributes = {local_name(name): value.strip() for name, value in element.attrib.items()}
        for name, _, value in (declaration.partition(":") for declaration in style.split(";")):
            if name.strip() in PROPERTIES:
                attributes[name.strip()] = value.strip()
        # Attributes such as onclick hold scripts.
        element.attrib = {k: value for k, value in attributes.items() if not k.startswith("on")}
        if MONOSPACE.search(style):
            element.set("class", "code")
    mark_steps(root)
    root.attrib.pop("version", None)
    return root


def mark_steps(root: Element) -> None:
    """Mark what was drawn with `set_gid("bandwidth = 0.3")`, for the sliders of steps.js."""
    for parent in root.iter("g"):
        for group in parent:
            if " = " in (name := group.get("id", "")):
                group.set("data-step", name)
                if parent.get("id", "").startswith("figure_"):  # all of the axes is a step
                    group.set("data-panel", "")
                    group.set("id", "axes_step")
    steps = [group for group in root.iter("g") if "data-step" in group.attrib]
    for step in steps:  # on paper and without a script, the last is shown
        if step.get("data-step") != steps[-1].get("data-step"):
            step.set("class", "earlier")


def local_name(name: str) -> str:
    """Strip the namespace, which ElementTree writes in braces."""
    return name.rpartition("}")[2]


def write(element: Element) -> str:
    """Serialize an element."""
    return ElementTree.tostring(element, encoding="unicode", short_empty_elements=True)


def shorten(element: Element) -> None:
    """Drop what cannot be seen: digits after the second decimal, and rotations by zero.

    >>> path = Element("path", {"d": "M 10.123456 20.5 \\nL 3.000000 4"})
    >>> shorten(path)
    >>> path.get("d")
    'M 10.12 20.5 L 3 4'
    """
    for name in ("d", "x", "y"):
        if value := element.get(name):
            value = LONG_NUMBER.sub(lambda n: f"{float(n[0]):.2f}".rstrip("0").rstrip("."), value)
            element.set(name, " ".join(value.split()))
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]


def prefix_ids(root: Element, prefix: str) -> None:
    """Prefix the ids that the figure refers to, and drop all others."""
    values = [value for element in root.iter() for value in element.attrib.values()]
    used = {name for value in values for name in ID_REFERENCE.findall(value)}
    for element in root.iter():
        if (name := element.attrib.pop("id", None)) in used:
            element.set("id", f"{prefix}{name}")
        for attribute in element.attrib.keys() & {"href", "clip-path", "marker-end"}:
            value = ID_REFERENCE.sub(rf"{prefix}\g<0>", element.attrib[attribute])
            element.set(attribute, value)


def flatten(parent: Element) -> None:
    """Unwrap groups without attributes, merge groups with the same clip path, drop white space.

    >>> points = read('<svg><g><g clip-path="a"><use /></g><g clip-path="a"><use /></g></g></svg>')
    >>> flatten(points)
    >>> [child.tag for child in points.iter()]
    ['svg', 'g', 'use', 'use']
    """
    children: list[Element] = []
    for child in unwrapped(parent):
        last = children[-1] if children else Element("")
        alike = (child.tag, child.attrib) == (last.tag, last.attrib)
        if alike and child.attrib.keys() == {"clip-path"}:
            last.extend(child)
        else:
            children.append(child)
    parent[:] = children
    if parent.tag not in ("text", "tspan"):
        parent.text = None
    for child in parent:
        child.tail = None
        flatten(child)


def unwrapped(parent: Element) -> Iterator[Element]:
    """Yield the children, and those of groups without attributes in their place."""
    for child in parent:
        if child.tag == "g" and not child.attrib:
            yield from unwrapped(child)
        elif child.tag not in ("defs", "g") or len(child):
            yield child


def pixels(length: str) -> str:
    """Convert a length to CSS pixels."""
    points = length.endswith("pt")
    return f"{float(length.removesuffix('pt').removesuffix('px')) * (4 / 3 if points else 1):.4g}"
