"""Say what is in a cell that is folded, in one line.

MyST-NB has one text for all folded cells, or one that an author writes for a cell.
"""

import ast
from collections.abc import Iterable

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform

from docs._guide.execute.page import statements
from docs._guide.ext.figures.nodes import inline_svg


class Summarize(SphinxPostTransform):
    """Set what MyST-NB shows in place of folded code."""

    default_priority = 160  # before MyST-NB folds, at 199, and after answers took their cells
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Go through the cells of the page."""
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") == "cell_code" and cell.get("hide_mode") == "input":
                text = summary(cell)
                cell["prompt_show"] = cell["prompt_hide"] = text  # while it is folded, and open


def summary(cell: nodes.container) -> str:
    """Describe the code of a cell."""
    code = statements(next(cell.findall(nodes.literal_block)).astext())
    if code and all(isinstance(statement, ast.Import | ast.ImportFrom) for statement in code):
        return _("Imports: %s") % ", ".join(imported_modules(code))
    if any("<table" in output.astext() for output in cell.findall(nodes.raw)):
        return _("Code of this table")
    if functions := definitions(code):
        return _("Code: %s") % ", ".join(functions)
    return _("Code of this figure") if any(cell.findall(inline_svg)) else _("Code")


def imported_modules(code: Iterable[ast.AST]) -> list[str]:
    """Return the top-level modules that code imports, in order; notebooks install them."""
    names: list[str] = []
    for node in code:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.append(node.module)
    return list(dict.fromkeys(name.partition(".")[0] for name in names))


def definitions(code: Iterable[ast.stmt]) -> list[str]:
    """Return the functions and classes that a cell defines."""
    return [
        f"{statement.name}()" if isinstance(statement, ast.FunctionDef) else statement.name
        for statement in code
        if isinstance(statement, ast.FunctionDef | ast.ClassDef)
    ]


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_post_transform(Summarize)
