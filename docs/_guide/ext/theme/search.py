"""Build HTML without Sphinx's search index: the site has Pagefind's (docs/_guide/site/search.py).

Sphinx has no setting for it, only this attribute of its builders.
"""

from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder


class SiteBuilder(StandaloneHTMLBuilder):
    """Replaces Sphinx's builder `html`."""

    search = False


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_builder(SiteBuilder, override=True)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
