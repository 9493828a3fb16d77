"""Refuse translations whose code, formulas, links or other markup differ from the English.

Sphinx shows what it can parse of such a paragraph, and warns of lost references only. This is the
part of the translation checks (docs/_guide/po) without which a page would be wrong silently.
"""

from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging

from docs._guide.options import LOCALE
from docs._guide.po import markup
from docs._guide.po.entry import UnreadableCatalog, read, split

logger = logging.getLogger(__name__)


def check_catalog(app: Sphinx, doctree: nodes.document) -> None:
    """Warn of every finding in the .po of the page that was read; a warning fails the build."""
    language = app.config.language
    catalog = Path(LOCALE, language, "LC_MESSAGES", f"{app.env.docname}.po")
    if not catalog.exists():
        return
    try:
        entries = [entry for entry in read(catalog) if not entry.fuzzy]
    except UnreadableCatalog as error:
        logger.warning("%s", error, type="translation")
        return
    findings, _ = split(finding for entry in entries for finding in markup.check(entry, language))
    for finding in findings:
        logger.warning("%s", finding, type="translation")
