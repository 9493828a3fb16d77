"""Let go of each page once it is read or written: memory must not grow by every page.

Sphinx holds each page from its reading to its writing, and what it reads back from its own files
until it ends: with a thousand pages, gigabytes in three languages. Only its parallel reading, which
these extensions cannot take part in, goes without; there is no setting. Python and Sphinx hold the
messages of each page besides.

A page is a tree whose parts know each other, so that only the garbage collector finds that it is no
longer needed. Left to itself, the collector looks at all pages again and again, for a third of the
time: a build switches it off (docs/_make/languages.py), and here it is called once for each page.
"""

import gc
import gettext

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import translators
from sphinx.util.i18n import docname_to_domain


def let_go(app: Sphinx, *_page: object) -> None:
    """Empty both places; Sphinx reads from its files what it does not find there."""
    app.env._write_doc_doctree_cache.clear()
    app.env._pickled_doctree_cache.clear()
    gc.collect()


def let_go_of_messages(app: Sphinx, _doctree: nodes.document) -> None:
    """Empty both places where the messages of the page are that was read and translated."""
    domain = docname_to_domain(app.env.docname, app.config.gettext_compact)
    translators.pop(("general", domain), None)
    gettext._translations.clear()  # type: ignore[attr-defined]


def set_aside(app: Sphinx, *_page: object) -> None:
    """Spare the collector what stays: call this only while there is no page, or that stays too."""
    gc.freeze()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx: before a page is read, and before one is written."""
    for event in ("env-purge-doc", "write-started"):
        app.connect(event, let_go)
        app.connect(event, set_aside)
    app.connect("doctree-read", let_go_of_messages)
    app.connect("doctree-resolved", let_go)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
