"""Exchange the colours of paper for those of the page, which may be dark.

Black is the colour of the page's text, a grey is a share of it, and a white area is the page's
background. What lies on a colour of the figure itself keeps its black or white.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from docs._ext.svg import corners, frame

GREY = re.compile(r"#([0-9a-f]{2})\1\1")
# Matplotlib's names of groups: maps of colour, and what may lie over one.
MAP = re.compile("QuadMesh|QuadContourSet")
DATA = re.compile(r"line2d|\w*Collection|Quiver|QuadContourSet|QuadMesh")
PLACE = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)")  # of a text with several lines
WORDS = {"g", "text", "tspan", "use"}


def paint(root: Element) -> None:
    """Give a figure the colours of its page.

    >>> root = Element("path", {"stroke": "#666666", "fill": "none"})
    >>> paint(root)
    >>> root.attrib
    {'stroke': 'currentColor', 'fill': 'none', 'stroke-opacity': '0.6'}
    """
    kept = set()
    for group in on_colour(root):
        group.set("fill", "#000000")  # what Matplotlib leaves out is black
        kept |= {id(element) for element in group.iter()}
    for element in root.iter():
        if id(element) not in kept:
            paint_one(element)


def paint_one(element: Element) -> None:
    """Exchange the colours of one element."""
    for name in ("fill", "stroke"):
        colour = element.get(name, "")
        if colour == "#ffffff":
            if name == "fill" and element.tag not in WORDS:  # white lines and words are on colour
                element.set("class", "paper")
        elif grey := GREY.fullmatch(colour):
            share = 1 - int(grey[1], 16) / 255
            element.set(name, "currentColor")
            if share < 1:
                opacity = share * float(element.get(f"{name}-opacity", 1))
                element.set(f"{name}-opacity", f"{opacity:.3g}")


def on_colour(root: Element) -> Iterator[Element]:
    """Groups that lie on colours: data over a map, words over a map, on a bar or in a box."""
    for axes in root.iter("g"):
        if not axes.get("id", "").startswith("axes_"):
            continue
        areas: list[tuple[float, float, float, float]] = []
        covered = False
        for group in axes:
            name = group.get("id", "")
            if name.startswith("text_"):
                if any(is_inside(group, area) for area in (*areas, *coloured(group))):
                    yield group
                continue
            if covered and DATA.match(name):
                yield group
            if not covered and (has_picture(group) or (MAP.match(name) and coloured(group))):
                covered = True
                areas += frame(axes)
            areas += coloured(group)


def has_picture(group: Element) -> bool:
    """Tell whether a group draws a picture."""
    return next(group.iter("image"), None) is not None


def coloured(group: Element) -> list[tuple[float, float, float, float]]:
    """Where a group has areas of a colour that is neither grey nor pale."""
    return [
        corners(shape)
        for shape in group.iter("path")
        if shape.get("fill", "").startswith("#")
        and not GREY.fullmatch(shape.attrib["fill"])
        and float(shape.get("fill-opacity", shape.get("opacity", 1))) > 0.5
    ]


def is_inside(group: Element, area: tuple[float, float, float, float]) -> bool:
    """Tell whether a text begins, or has its middle, in an area."""
    left, top, right, bottom = area
    text = next(group.iter("text"), None)
    place = PLACE.match(text.get("transform", "")) if text is not None else None
    if text is None or not (place or text.get("x")):
        return False
    x, y = place.groups() if place else (text.attrib["x"], text.attrib["y"])
    return left <= float(x) <= right and top <= float(y) <= bottom
