"""Show what cells tagged `gpu` printed on a GPU: two short texts as lines, others in tabs.

The outputs come from docs/_outputs. They are added to the notebook as cells at its end, so that
MyST-NB renders them, and a transform moves each beside the output of the cell that printed it.
"""

import re
from typing import Any

from docutils import nodes
from nbformat import NotebookNode, v4
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError
from sphinx.transforms.post_transforms import SphinxPostTransform

from docs._guide.execute import cache
from docs._guide.execute.page import has_tag
from docs._guide.ext.components.tabs import tab, tab_set
from docs._guide.ext.figures.nodes import inline_svg

TAG = "gpu"
MODEL = re.compile(r"\b[A-Z]+\d+[A-Z]?\b")
STEPS = re.compile(r'id="[^"]+ = ')  # parts that a slider shows one by one (steps.js)
SHORT = 2  # lines


def device_label(run: dict[str, Any]) -> str:
    """Name the device and the JAX of a run in short.

    >>> device_label({"backend": "gpu", "device": "NVIDIA H100 80GB HBM3", "jax": "0.11.2"})
    'H100 · JAX 0.11'
    """
    model = MODEL.search(run["device"])
    name = "CPU" if run["backend"] == "cpu" else model[0] if model else run["device"]
    return f"{name} · JAX {'.'.join(run['jax'].split('.')[:2])}"


def add_outputs(
    notebook: NotebookNode, other: NotebookNode, run: dict[str, Any]
) -> dict[str, Any] | None:
    """Add a GPU's outputs of a page's tagged cells; return how they were run, if there are any."""
    on_gpu = other.metadata[cache.RUN]
    labels = {"own": device_label(run), "label": device_label(on_gpu)}
    count = len(notebook.cells)
    pairs = zip(list(notebook.cells), list(other.cells), strict=True)
    for index, (cell, on_device) in enumerate(pairs):
        if has_tag(cell, TAG) and "outputs" in on_device:
            if any(STEPS.search(str(output.get("data"))) for output in cell.outputs):
                # steps.js cannot measure what a tab hides.
                raise ExtensionError(f"a figure with a slider is tagged `{TAG}`:\n{cell.source}")
            added = v4.new_code_cell("pass", outputs=on_device.outputs)  # MyST-NB drops empty cells
            image = cell.metadata.get("mystnb", {}).get("image", {})
            added.metadata = NotebookNode(
                mystnb={"image": image}, tags=["remove-input"], device={"cell": index, **labels}
            )
            notebook.cells.append(added)
            notebook.metadata.source_map.append(notebook.metadata.source_map[index])
    return {**on_gpu, **labels} if len(notebook.cells) > count else None


class CollectDevices(SphinxPostTransform):
    """Move the outputs of other devices beside the page's own."""

    default_priority = 200  # after MyST-NB has folded cells, at 199
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Make the lines or the tabs of every cell with an output of another device."""
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
            lines = is_short(own) and is_short(others)
            # Tabs are chosen by these values on all pages, whatever the device and JAX's version.
            other = tab("", others, label=device["label"], value="GPU", other=True)
            tabs = [tab("", label=device["own"], value="CPU"), other]
            own.replace_self(tab_set("", *tabs, name=f"devices-{device['cell']}", lines=lines))
            tabs[0] += own
            copy_captions(own, others)


def output(cell: nodes.Element) -> nodes.Element | None:
    """The part of a cell that shows what it printed."""
    parts = cell.findall(nodes.container)
    return next((part for part in parts if part.get("nb_element") == "cell_code_output"), None)


def is_short(part: nodes.Element) -> bool:
    """Whether a cell printed only a few lines of text."""
    texts = all(isinstance(child, nodes.literal_block) for child in part.children)
    return texts and len(part.astext().strip().splitlines()) <= SHORT


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
