"""The tables of the phrasebook and of old code, which cells print as HTML: heads, and colours.

The phrasebook's own code is in its notebook and script only: the page would be too heavy with it.
"""

import html
import re

from docutils import nodes
from myst_nb.sphinx_ import HideCodeCellNode
from pygments import highlight
from pygments.lexers import PythonLexer
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform

from docs._guide.ext.theme import PlainFormatter

CODE = re.compile(r"(?<=<pre>).*?(?=</pre>)", re.DOTALL)
VALUE = re.compile(r"\n(\w+)(?=\n#|$)")  # a last line that only names the result
UNWRAPPED = PlainFormatter(nowrap=True)


class HighlightPhrases(SphinxPostTransform):
    """Complete the tables of a page."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Find them among the outputs."""
        page = self.env.current_document.docname
        for output in list(self.document.findall(nodes.raw)):
            if 'class="phrase' not in (table := output.astext()):
                continue
            if self.env.metadata[page].get("filter"):  # the phrasebook, of many tables
                drop_code(output)
            if 'class="phrase-names"' in table:  # the index of their names
                table = table.replace('"phrase-names"', '"phrase-names" lang="en"')
            else:
                table = complete(table)
            output.replace_self(nodes.raw("", table, format="html"))


def drop_code(table: nodes.Node) -> None:
    """Drop the folded code of a table, which repeats it; the notebook and the script have it."""
    cell = table.parent
    while "cell" not in cell["classes"]:
        cell = cell.parent
    for fold in list(cell.findall(HideCodeCellNode)):
        cell["source"] = next(fold.findall(nodes.literal_block)).astext()  # for notebooks
        fold.parent.remove(fold)


def complete(table: str) -> str:
    """Add to a table what its cell left out."""
    left, right = "PyTorch" if "torch" in table else "NumPy", "JAX"
    if 'class="phrases old-code"' in table:
        left, right = _("Old code"), _("Today")
    table = CODE.sub(lambda code: colored(html.unescape(code[0])), table)
    head = f"<thead><tr><th>{left}</th><td></td><th>{right}</th></tr></thead>"
    heads = f"--left: '{left}'; --right: '{right}'"
    table = table.replace("><tbody>", f' style="{heads}">{head}<tbody>', 1)
    return f'<div class="highlight">{table}</div>'


def colored(code: str) -> str:
    """Highlight code, and show the name of its value as a comment.

    >>> colored("a[1] = 9\\na").split("\\n")[1]
    '<span class="c1"># a</span>'
    """
    spans: str = highlight(VALUE.sub(r"\n# \1", code), PythonLexer(), UNWRAPPED)
    return spans.rstrip("\n")


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_post_transform(HighlightPhrases)
