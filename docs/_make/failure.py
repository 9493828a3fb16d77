"""How a page's failure is told: where, what, and how to try just that page."""

import re

from docs._make.page import Page

ANSI = re.compile(r"\x1b\[[0-9;]*m")
LINE_IN_CELL = re.compile(r"Cell In\[\d+\], line (\d+)")


class PageFailure(Exception):
    """A page that did not run to its end."""

    def __init__(self, page: Page, cell_index: int, what: str, traceback: str = "") -> None:
        self.of_claim = what == "raised AssertionError"
        traceback = ANSI.sub("", traceback).rstrip()
        inner = LINE_IN_CELL.search(traceback)
        line = page.line(cell_index, int(inner[1]) if inner else 1)
        ordinals = page.code_indices
        cell = f"cell {ordinals.index(cell_index) + 1} of {len(ordinals)}"
        told = [f"{page.path}:{line}: {cell} {what}"]
        if traceback:
            told.append(re.sub("^", "    ", traceback, flags=re.MULTILINE))
        told.append(f"To try just this page: nox -s docs -- --page {page.name}")
        super().__init__("\n".join(told))
