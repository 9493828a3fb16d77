"""Fold the assertions that end a cell, and name the code of a figure that is folded.

A page asserts what it claims, which readers need not read: on the site, and nowhere else, such
assertions are one line below the cell, "✓ 2 checks". They stay in the code of a cell that has
nothing else, that has the tag `shows-checks`, or that did not pass them.
"""

import ast
from itertools import takewhile
from typing import Any

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform

from docs._guide.execute.cache import NOT_HELD
from docs._guide.execute.page import RAISES, assertions, is_assertion, statements
from docs._guide.ext.figures.nodes import inline_svg

UNFOLDED = {"shows-checks", RAISES, "hide-input", "hide-cell"}  # the last two are folded as a whole


class FoldCode(SphinxPostTransform):
    """Fold the checks of each visible cell, whose comments are translated by now."""

    default_priority = 210  # after MyST-NB has folded cells, at 199, and devices.py has made tabs
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Go through the cells of the page."""
        for fold in self.document.findall(HideCodeCellNode):
            if any(fold.parent.findall(inline_svg)):
                fold["prompt_show"] = fold["prompt_hide"] = _("Code of this figure")
        for cell in list(self.document.findall(nodes.container)):
            metadata: dict[str, Any] = cell.get("cell_metadata", {})
            passed = cell.get("exec_count") and NOT_HELD not in metadata
            if passed and UNFOLDED.isdisjoint(metadata.get("tags", [])):
                fold_checks(cell)


def fold_checks(cell: nodes.container) -> None:
    """Move the checks that end a cell into a fold; a notebook has the cell's `source` instead."""
    block = next(cell.findall(nodes.literal_block))
    code, checks = split(block.astext())
    if not checks:
        return
    cell["source"] = block.astext()
    block.rawsource = code  # Sphinx highlights a block only if both are the same
    block[0] = nodes.Text(code)
    count = assertions(checks)
    label = _("✓ %d checks") % count if count > 1 else _("✓ 1 check")
    folded = nodes.literal_block(checks, checks, language=block["language"])
    cell += HideCodeCellNode("", folded, classes=["checks"], prompt_show=label, prompt_hide=label)


def split(source: str) -> tuple[str, str]:
    """Split a cell before the checks that end it, with the comments directly above them.

    >>> split("y = f(x)\\n\\n# small\\nassert y < 1\\nassert y > 0")
    ('y = f(x)', '# small\\nassert y < 1\\nassert y > 0')
    >>> split("assert f(2) == 4")
    ('assert f(2) == 4', '')
    """
    parsed = statements(source)
    checks = list(takewhile(is_check, reversed(parsed)))
    if not checks or len(checks) == len(parsed):
        return source, ""
    lines = source.split("\n")
    first, end = checks[-1].lineno - 1, parsed[-len(checks) - 1].end_lineno or 0
    while first > end and lines[first - 1].startswith("#"):
        first -= 1
    if first < end:  # `y = f(x); assert y`
        return source, ""
    return "\n".join(lines[:first]).rstrip(), "\n".join(lines[first:])


def is_check(statement: ast.stmt) -> bool:
    """Whether a statement does nothing but assert."""
    if isinstance(statement, ast.For | ast.With | ast.If):
        return not getattr(statement, "orelse", None) and all(map(is_check, statement.body))
    return is_assertion(statement.value if isinstance(statement, ast.Expr) else statement)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_post_transform(FoldCode)
