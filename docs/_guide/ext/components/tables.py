"""The head of each column beside the cells below it: on a phone, a row is a card (look.css)."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.writers.html5 import HTML5Translator

FEWEST_COLUMNS = 3  # a table of two fits a phone


def visit_entry(translator: HTML5Translator, node: nodes.entry) -> None:
    """Open a cell, with the head of its column as an attribute."""
    row, tag = node.parent, len(translator.body)
    HTML5Translator.visit_entry(translator, node)
    titles = next(iter(row.parent.parent.findall(nodes.thead)), None)
    if titles and isinstance(row.parent, nodes.tbody) and len(row) >= FEWEST_COLUMNS:
        title = translator.attval(titles[0][row.index(node)].astext())
        translator.body[tag] = translator.body[tag].replace("<td", f'<td data-head="{title}"', 1)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    html = (visit_entry, HTML5Translator.depart_entry)
    app.add_node(nodes.entry, override=True, html=html)
