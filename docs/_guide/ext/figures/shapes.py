"""The shapes of hand-made diagrams, so that all diagrams look alike.

A diagram is an SVG file in docs/diagrams/, at most 380 wide so that a telephone shows it as it is.
Its elements name a shape as their class, and get the shape's attributes here:

- `array`, `function`, `program`: what a box is, by color and corners;
- `trace`: a value that is only a shape and a dtype;
- `device`: where something runs or is stored;
- `arrow`, `carry`: a path from one to another, and the value that a loop hands on;
- `key`: a key of random numbers; `note`: a small gray text.
"""

from xml.etree.ElementTree import Element, SubElement

BLUE, ORANGE, GREEN, GRAY = "#0b5fa5", "#b3430f", "#2e7d32", "#666666"

SHAPES = {
    "array": {"fill": BLUE, "fill-opacity": "0.14", "stroke": BLUE, "rx": "3"},
    "function": {"fill": ORANGE, "fill-opacity": "0.12", "stroke": ORANGE, "rx": "12"},
    "program": {"fill": GREEN, "fill-opacity": "0.12", "stroke": GREEN, "rx": "3"},
    "trace": {"fill": "none", "stroke": BLUE, "stroke-dasharray": "4 3", "rx": "3"},
    "device": {"fill": GRAY, "fill-opacity": "0.1", "stroke": GRAY, "rx": "8"},
    "key": {"fill": ORANGE, "fill-opacity": "0.12", "stroke": ORANGE},
    "arrow": {"fill": "none", "stroke": GRAY, "stroke-width": "1.4", "marker-end": "url(#arrow)"},
    "carry": {"fill": "none", "stroke": ORANGE, "stroke-width": "2.2", "marker-end": "url(#carry)"},
    "note": {"fill": GRAY, "font-size": "11"},
}
TIPS = {"arrow": GRAY, "carry": ORANGE}


def draw_shapes(root: Element) -> None:
    """Give each element the attributes of its shape, where it has none of its own.

    >>> box = Element("rect", {"class": "array", "rx": "0"})
    >>> draw_shapes(box)
    >>> box.attrib
    {'rx': '0', 'fill': '#0b5fa5', 'fill-opacity': '0.14', 'stroke': '#0b5fa5'}
    """
    used = set()
    for element in root.iter():
        shape = element.get("class", "")
        if shape in SHAPES:
            used.add(element.attrib.pop("class"))
            for name, value in SHAPES[shape].items():
                element.attrib.setdefault(name, value)
    for name in [tip for tip in TIPS if tip in used]:  # in the order of TIPS, in every build
        size = {"markerWidth": "9", "markerHeight": "9", "markerUnits": "userSpaceOnUse"}
        place = {"viewBox": "0 0 10 10", "refX": "9", "refY": "5", "orient": "auto"}
        tip = SubElement(root, "marker", {"id": name, **place, **size})
        SubElement(tip, "path", {"d": "M 0 0.5 L 10 5 L 0 9.5 z", "fill": TIPS[name]})
