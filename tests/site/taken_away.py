"""Notebooks as a reader has them: in a folder with nothing of the repository."""

import os
import tempfile
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode

from tests.site.built import SITE


def taken_away(language: str, name: str) -> NotebookNode:
    """Read the notebook of a page."""
    file = SITE / language / "_notebooks" / f"{name}.ipynb"
    found: NotebookNode = nbformat.read(file, as_version=4)
    return found


def run(language: str, name: str, cell_limit_s: int) -> None:
    """Run all cells of a notebook; each must print and draw what it did on the page."""
    before, after = taken_away(language, name), taken_away(language, name)
    with tempfile.TemporaryDirectory(prefix="taken-") as folder:
        work = Path(folder) / "work"
        work.mkdir()
        client = NotebookClient(
            after,
            km=AsyncKernelManager(transport="ipc", ip=f"{folder}/kernel"),
            timeout=cell_limit_s,
            resources={"metadata": {"path": str(work)}},
        )
        client.execute(env=environment(folder), cleanup_kc=True)  # else its kernel stays
    install, *cells = (cell for cell in after.cells if cell.cell_type == "code")
    said = "".join(output.get("text", "") for output in install.outputs)
    assert "ERROR" not in said, said
    _, *published = (cell for cell in before.cells if cell.cell_type == "code")
    for cell, shown in zip(cells, published, strict=True):
        assert kinds(cell) == kinds(shown), cell.source


def environment(folder: str) -> dict[str, str]:
    """Variables of a reader's Jupyter; what is installed must do, since pip finds no index."""
    ours = ("JAX_", "XLA_", "PYTHON", "MATPLOTLIB", "MPL")
    theirs = {name: text for name, text in os.environ.items() if not name.startswith(ours)}
    settings = {"IPYTHONDIR": folder, "PIP_NO_INDEX": "1", "JUPYTER_PREFER_ENV_PATH": "1"}
    return theirs | settings


def kinds(cell: NotebookNode) -> set[str]:
    """What a cell showed: text, a figure, an error."""
    return {output.output_type for output in cell.outputs}
