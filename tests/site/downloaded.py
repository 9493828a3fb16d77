"""Notebooks as a reader downloads them: run in a folder with nothing of the repository."""

import os
import tempfile
from pathlib import Path

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbformat import NotebookNode

from docs._guide.execute.page import code_cells
from tests.site.built import SITE


def downloaded(language: str, name: str) -> NotebookNode:
    """Read the notebook of a page."""
    file = SITE / language / "_notebooks" / f"{name}.ipynb"
    notebook: NotebookNode = nbformat.read(file, as_version=4)
    return notebook


def run(language: str, name: str, cell_limit_s: int) -> None:
    """Run all cells of a notebook; each must have the kinds of outputs that it has on the page."""
    published, notebook = downloaded(language, name), downloaded(language, name)
    with tempfile.TemporaryDirectory(prefix="notebook-") as folder:
        work = Path(folder) / "work"
        work.mkdir()
        client = NotebookClient(
            notebook,
            km=AsyncKernelManager(transport="ipc", ip=f"{folder}/kernel"),
            timeout=cell_limit_s,
            resources={"metadata": {"path": str(work)}},
        )
        client.execute(env=environment(folder), cleanup_kc=True)  # else its kernel stays
    install, *cells = code_cells(notebook)
    log = "".join(output.get("text", "") for output in install.outputs)
    assert "ERROR" not in log, log
    for cell, expected in zip(cells, code_cells(published)[1:], strict=True):
        assert kinds(cell) == kinds(expected) or was_skipped(expected), cell.source


def was_skipped(cell: NotebookNode) -> bool:
    """Whether the page skipped a cell, since a package that it needs is not installed."""
    return any(output.get("text", "").endswith(" is not installed\n") for output in cell.outputs)


def environment(folder: str) -> dict[str, str]:
    """The variables of a reader's Jupyter; pip finds no index, so it keeps what is installed."""
    ours = ("JAX_", "XLA_", "PYTHON", "MATPLOTLIB", "MPL")
    others = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    return others | {"IPYTHONDIR": folder, "PIP_NO_INDEX": "1", "JUPYTER_PREFER_ENV_PATH": "1"}


def kinds(cell: NotebookNode) -> set[str]:
    """The kinds of a cell's outputs: text, a figure, an error."""
    return {output.output_type for output in cell.outputs}
