"""The page's colors instead of those of paper, since a page may be dark.

Black becomes the color of the page's text, a gray a share of it, and a white area the page's
background. What lies on a color of the figure itself stays black or white.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element

Box = tuple[float, float, float, float]  # left, top, right, bottom

GRAY = re.compile(r"#([0-9a-f]{2})\1\1")
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# Matplotlib's names of groups: color maps, and data that may lie over one.
COLOR_MAP = re.compile("QuadMesh|QuadContourSet")
DATA = re.compile(r"line2d|\w*Collection|Quiver|QuadContourSet|QuadMesh")
TRANSLATION = re.compile(r"translate\(([-\d.]+) ([-\d.]+)\)")  # of a text with several lines


def use_page_colors(root: Element) -> None:
    """Replace black, gray and white in place."""
    unchanged = set()
    for group in groups_on_color(root):
        group.set("fill", "#000000")  # Matplotlib leaves black out
        unchanged |= {id(element) for element in group.iter()}
    for element in root.iter():
        if id(element) not in unchanged:
            use_page_color(element, "fill")
            use_page_color(element, "stroke")


def use_page_color(element: Element, name: str) -> None:
    """Replace one color of one element."""
    color = element.get(name, "")
    if color == "#ffffff":  # white lines and words are on a color
        if name == "fill" and element.tag not in ("g", "text", "tspan", "use"):
            element.set("class", "paper")
    elif gray := GRAY.fullmatch(color):
        share = 1 - int(gray[1], 16) / 255
        element.set(name, "currentColor")
        if share < 1:
            opacity = share * float(element.get(f"{name}-opacity", 1))
            element.set(f"{name}-opacity", f"{opacity:.3g}")


def groups_on_color(root: Element) -> Iterator[Element]:
    """Yield data and texts that lie on a color map, and texts on a bar or in a box."""
    for axes in root.iter("g"):
        if not axes.get("id", "").startswith("axes_"):
            continue
        areas: list[Box] = []
        covered = False
        for group in axes:
            name = group.get("id", "")
            if name.startswith("text_"):
                if any(is_inside(group, area) for area in (*areas, *colored_areas(group))):
                    yield group
                continue
            if covered and DATA.match(name):
                yield group
            is_bitmap = next(group.iter("image"), None) is not None
            if not covered and (is_bitmap or (COLOR_MAP.match(name) and colored_areas(group))):
                covered = True
                areas += frame(axes)
            areas += colored_areas(group)


def colored_areas(group: Element) -> list[Box]:
    """Return the shapes of a group whose color is neither gray nor pale."""
    return [
        bounding_box(shape)
        for shape in group.iter("path")
        if shape.get("fill", "").startswith("#")
        and not GRAY.fullmatch(shape.attrib["fill"])
        and float(shape.get("fill-opacity", shape.get("opacity", 1))) > 0.5
    ]


def is_inside(group: Element, area: Box) -> bool:
    """Return whether the text of a group is anchored in an area."""
    text = next(group.iter("text"), None)
    if text is None:
        return False
    translation = TRANSLATION.match(text.get("transform", ""))
    if not (translation or text.get("x")):
        return False
    x, y = translation.groups() if translation else (text.attrib["x"], text.attrib["y"])
    left, top, right, bottom = area
    return left <= float(x) <= right and top <= float(y) <= bottom


def bounding_box(shape: Element) -> Box:
    """Return the corners of a path."""
    numbers = [float(number) for number in NUMBER.findall(shape.get("d", ""))] or [0.0, 0.0]
    return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


def frame(axes: Element) -> list[Box]:
    """Return the frame of axes: Matplotlib draws it first, or not at all (`axis("off")`)."""
    if len(axes) and axes[0].get("id", "").startswith("patch_"):
        return [bounding_box(path) for path in axes[0].iter("path")]
    return []
