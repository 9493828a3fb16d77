"""Let go of each page once it is read or written: memory must not grow by every page.

Sphinx holds each page from its reading to its writing, and what it reads back from its own files
until it ends: with a thousand pages, gigabytes in three languages. Only its parallel reading, which
these extensions cannot take part in, goes without; there is no setting.
"""

from sphinx.application import Sphinx


def let_go(app: Sphinx, *_page: object) -> None:
    """Empty both; Sphinx reads from its files what it does not find there."""
    app.env._write_doc_doctree_cache.clear()
    app.env._pickled_doctree_cache.clear()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx: before a page is read, and when one is about to be written."""
    app.connect("source-read", let_go)
    app.connect("doctree-resolved", let_go)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
