"""A patch: MyST's renderer makes a document for every translated message, and throws it away.

`options.get("document", make_document())` evaluates its default even where there is a document,
and a new document takes docutils milliseconds of option parsing: a tenth of the CPU time of a
translated page, measured. Sphinx always gives a document, so one default made once is enough.
tests/site/test_quick_messages.py fails when MyST no longer does this; then delete this file.
"""

from functools import cache

from myst_parser.mdit_to_docutils import base
from sphinx.application import Sphinx


def setup(app: Sphinx) -> dict[str, bool]:
    """Make the default document once."""
    if not hasattr(base.make_document, "cache_clear"):
        base.make_document = cache(base.make_document)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
