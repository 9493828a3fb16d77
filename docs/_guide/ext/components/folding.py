"""Say what is in a cell that is folded, in one line, and fold text that is longer than a screen.

MyST-NB has one text for all folded cells, or one that an author writes for a cell.
"""

import ast

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform

from docs._guide.execute.page import statements
from docs._guide.ext.figures.nodes import inline_svg

LONGEST_OUTPUT = 30  # lines


class Summarize(SphinxPostTransform):
    """Set what MyST-NB shows in place of folded code and outputs."""

    default_priority = 160  # before MyST-NB folds, at 199, and after answers took their cells
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Go through the cells of the page."""
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") != "cell_code":
                continue
            if cell.get("hide_mode") == "input":
                set_summary(cell, summary(cell))
            elif not cell.get("hide_mode") and (lines := output_lines(cell)) > LONGEST_OUTPUT:
                cell["hide_mode"] = "output"
                set_summary(cell, _("Output: %d lines") % lines)


def set_summary(cell: nodes.container, text: str) -> None:
    """Show the same line while the cell is folded and while it is open."""
    cell["prompt_show"] = cell["prompt_hide"] = text


def output_lines(cell: nodes.container) -> int:
    """The number of lines that a cell printed; a traceback is never folded."""
    blocks = list(cell.findall(nodes.literal_block))[1:]
    if any("traceback" in block["classes"] for block in blocks):
        return 0
    return sum(len(block.astext().splitlines()) for block in blocks)


def summary(cell: nodes.container) -> str:
    """Describe the code of a cell."""
    source = next(cell.findall(nodes.literal_block)).astext()
    modules, functions = imports(source), definitions(source)
    if modules:
        return _("Imports: %s") % ", ".join(modules)
    if any("<table" in output.astext() for output in cell.findall(nodes.raw)):
        return _("Code of this table")
    if functions:
        return _("Code: %s") % ", ".join(functions)
    return _("Code of this figure") if any(cell.findall(inline_svg)) else _("Code")


def imports(source: str) -> list[str]:
    """Return the packages that a cell imports, if it does nothing else.

    >>> imports("import jax\\njax.devices()")
    []
    """
    names: list[str] = []
    for statement in statements(source):
        if isinstance(statement, ast.Import):
            names += [alias.name.split(".")[0] for alias in statement.names]
        elif isinstance(statement, ast.ImportFrom):
            names.append((statement.module or "").split(".")[0])
        else:
            return []
    return list(dict.fromkeys(names))


def definitions(source: str) -> list[str]:
    """Return the functions and classes that a cell defines."""
    return [
        f"{statement.name}()" if isinstance(statement, ast.FunctionDef) else statement.name
        for statement in statements(source)
        if isinstance(statement, ast.FunctionDef | ast.ClassDef)
    ]


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_post_transform(Summarize)
