"""The search is Pagefind's (docs/_make/search_index.py): Sphinx makes no index, and a page for it.

Sphinx has no setting for that; its builders have an attribute.
"""

from collections.abc import Iterator
from typing import Any

from sphinx.application import Sphinx


def no_index(app: Sphinx) -> None:
    """Switch Sphinx's own search off before it begins to collect words."""
    if app.builder.name == "html":
        app.builder.search = False  # type: ignore[attr-defined]


def search_page(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Make the page that the form in the sidebar leads to; a book has no such form."""
    if app.builder.name == "html":
        yield "search", {}, "search.html"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", no_index)
    app.connect("html-collect-pages", search_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
