"""Say at the head of each page about how many minutes it takes to read.

238 English words a minute is the mean of 190 studies of silent reading (Brysbaert 2019, How many
words do we read per minute?, doi.org/10.1016/j.jml.2019.104047). 500 Japanese or Korean characters
and 15 lines of code are estimates: with them a page takes about as long in each language.
sphinx-readtime and its like count words between spaces, of which Japanese has none.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

WORDS = 238
CHARACTERS = 500
CODE_LINES = 15

CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")
WORD = re.compile(r"[A-Za-z0-9][\w'’-]*", re.ASCII)
OUTPUT = "cell_output"


def minutes(prose: str, code_lines: int = 0) -> int:
    """Estimate the time for a text and the code in it, to five minutes where it is long.

    >>> minutes("word " * 1190)
    5
    >>> minutes("関数" * 500, code_lines=30)
    4
    >>> minutes("함수 " * 500 + "JAX " * 238)
    3
    >>> minutes("", code_lines=1000)
    65
    """
    words = WORD.findall(CJK.sub(" ", prose))
    characters = CJK.findall(prose)
    exact = len(words) / WORDS + len(characters) / CHARACTERS + code_lines / CODE_LINES
    return round(exact) if exact < 20 else 5 * round(exact / 5)


def minutes_of(doctree: nodes.document) -> int:
    """Estimate the time for a page: its paragraphs and its code, without tables and outputs."""
    prose = " ".join(
        paragraph.astext()
        for paragraph in doctree.findall(nodes.paragraph)
        if not inside(paragraph, nodes.table)
    )
    code_lines = sum(
        len(block.astext().splitlines())
        for block in doctree.findall(nodes.literal_block)
        if not inside(block, nodes.table) and not is_output(block)
    )
    return minutes(prose, code_lines)


def inside(node: nodes.Node | None, kind: type[nodes.Element]) -> bool:
    """Tell whether a node stands in one of a kind."""
    while node := node and node.parent:
        if isinstance(node, kind):
            return True
    return False


def is_output(node: nodes.Node | None) -> bool:
    """Tell whether a cell printed it."""
    while node := node and node.parent:
        if isinstance(node, nodes.Element) and OUTPUT in node.get("classes", []):
            return True
    return False


def add_minutes(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Tell the page's template; the first page leads on, and is not read through."""
    if doctree and pagename != app.config.root_doc:
        context["reading_minutes"] = minutes_of(doctree)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", add_minutes)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
