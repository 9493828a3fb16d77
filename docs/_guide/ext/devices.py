"""Show what a page printed on another device in tabs: "CPU | GPU (NVIDIA H100)".

The outputs come from docs/_outputs. Those that differ are added to the notebook as cells at its
end, so that MyST-NB renders them, and a transform moves each into tabs beside the outputs of the
cell that printed it. A cell whose numbers agree to a thousandth, and whose figures look the same,
has no tabs.
"""

import re
from math import isclose
from typing import Any

from docutils import nodes
from nbformat import NotebookNode, v4
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

from docs._guide.execute import cache
from docs._guide.ext.components.tabs import tab, tab_set
from docs._guide.ext.figures.nodes import inline_svg

NUMBER = re.compile(r"[-+]?\d+(?:\.\d*)?(?:e[-+]?\d+)?")
GENERATED = re.compile(r"\b[mp][0-9a-f]{10}\b")  # names that Matplotlib derives from coordinates
STEPS = re.compile(r'id="[^"]+ = ')  # parts that a slider shows one by one (steps.js)
RELATIVE, POINTS = 1e-3, 1.0  # differences that do not count: of a number, in a figure


def device_label(run: dict[str, Any]) -> str:
    """The label of a tab: the backend, and which device it is where it is no CPU."""
    name = str(run["backend"]).upper()
    return name if name == "CPU" else f"{name} ({run['device']})"


def add_outputs(notebook: NotebookNode, other: NotebookNode, own: str) -> dict[str, Any]:
    """Add the outputs of another device that differ from a page's own; return how it was run."""
    run = other.metadata[cache.RUN] | {"label": device_label(other.metadata[cache.RUN])}
    pairs = zip(list(notebook.cells), list(other.cells), strict=True)
    for index, (cell, on_device) in enumerate(pairs):
        if "outputs" in on_device and differ(cell.outputs, on_device.outputs):
            added = v4.new_code_cell("pass", outputs=on_device.outputs)  # MyST-NB drops empty cells
            image = cell.metadata.get("mystnb", {}).get("image", {})
            added.metadata = NotebookNode(
                mystnb={"image": image},
                tags=["remove-input"],
                device={"cell": index, "own": own, "label": run["label"]},
            )
            notebook.cells.append(added)
            notebook.metadata.source_map.append(notebook.metadata.source_map[index])
    return dict(run)


def differ(outputs: list[NotebookNode], others: list[NotebookNode]) -> bool:
    """Whether readers would see a difference.

    A figure with a slider counts as equal: steps.js cannot measure one that a tab hides.
    """
    if any(STEPS.search(shown(output)) for output in outputs):
        return False
    pairs = [(shown(a), shown(b)) for a, b in zip(outputs, others, strict=False)]
    return len(outputs) != len(others) or any(visibly_differ(a, b) for a, b in pairs)


def shown(output: NotebookNode) -> str:
    """What a page shows of an output, as text; of an error, what it says."""
    if output.output_type == "stream":
        return str(output.text)
    if output.output_type == "error":
        return str(output.ename)  # messages name files and versions
    data = output.data
    return str(data.get("image/svg+xml") or data.get("text/html") or data.get("text/plain", ""))


def visibly_differ(text: str, other: str) -> bool:
    """Compare two texts or SVG figures, and the numbers in them with a tolerance.

    >>> visibly_differ("loss 0.50001", "loss 0.50002"), visibly_differ("1.9 times", "40 times")
    (False, True)
    >>> visibly_differ("[CpuDevice(id=0)]", "[CudaDevice(id=0)]")
    True
    >>> visibly_differ("[1. 2. 3.]", "[1. 2.]")
    True
    """
    text, other = (GENERATED.sub("", t) for t in (text, other))
    if NUMBER.sub("", text).split() != NUMBER.sub("", other).split():
        return True
    absolute = POINTS if "<svg" in text else 0.0
    numbers, others = NUMBER.findall(text), NUMBER.findall(other)
    return len(numbers) != len(others) or not all(
        isclose(float(a), float(b), rel_tol=RELATIVE, abs_tol=absolute)
        for a, b in zip(numbers, others, strict=True)
    )


class CollectDevices(SphinxPostTransform):
    """Move the cells of other devices into tabs beside the page's own outputs."""

    default_priority = 200  # after MyST-NB has folded cells, at 199
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Make the tabs of every cell that another device printed something else for."""
        containers = self.document.findall(nodes.container)
        cells = {node["cell_index"]: node for node in containers if "cell_index" in node}
        for cell in list(cells.values()):
            device = cell["cell_metadata"].get("device")
            if not device:
                continue
            cell.parent.remove(cell)
            own, others = output(cells[device["cell"]]), output(cell)
            if own is None or others is None:
                continue
            other = tab("", others, label=device["label"], other=True)
            tabs = [tab("", label=device["own"]), other]
            own.replace_self(tab_set("", *tabs, name=f"devices-{device['cell']}"))
            tabs[0] += own
            copy_captions(own, others)


def output(cell: nodes.Element) -> nodes.Element | None:
    """The part of a cell that shows what it printed."""
    parts = cell.findall(nodes.container)
    return next((part for part in parts if part.get("nb_element") == "cell_code_output"), None)


def copy_captions(own: nodes.Element, others: nodes.Element) -> None:
    """Set the figures of another device into copies of the page's own, with their captions."""
    figures = zip(list(own.findall(nodes.figure)), list(others.findall(inline_svg)), strict=False)
    for figure, drawing in figures:
        copy = figure.deepcopy()
        copy["ids"] = [f"{name}-other" for name in figure["ids"]]  # Sphinx numbers no such figure
        next(copy.findall(inline_svg)).replace_self(drawing.deepcopy())
        drawing.parent.replace(drawing, copy)  # replace_self would add its classes to the copy


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_post_transform(CollectDevices)
