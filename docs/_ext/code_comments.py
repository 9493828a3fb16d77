"""Comments in cells go through the page's catalogue; the code beside them stays as it is.

Sphinx can translate a literal block as a whole only, so a translator would handle all of its code
(`gettext_additional_targets`). Here each comment is a message of its own, in a node inside the
block, and what is shown is the block with its comments exchanged. Nothing runs again.
"""

import io
import re
import tokenize
from collections.abc import Iterator, Mapping

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms import SphinxTransform

from docs._ext.inner_text import inner_text, skip

# Comments that speak to programs.
DIRECTIVE = re.compile(r"!|%%|(noqa|type|fmt|pragma|ruff|mypy|pylint|isort)\b\s*:")
MAGIC = re.compile(r"\s*[%!?]")


class code_comment(inner_text):
    """One comment of a cell."""


def comments(source: str) -> list[str]:
    """Every comment of a cell that speaks to the reader, once.

    >>> comments("x = f(1)  # compiles\\nx  # noqa: B018\\ns = '# no comment'")
    ['compiles']
    >>> comments("%timeit f(1)  # for IPython")
    []
    """
    return list(dict.fromkeys(words for _, _, words in found(source)))


def translated_source(source: str, translations: Mapping[str, str]) -> str:
    """Exchange the comments of a cell that have a translation, and nothing else.

    >>> translated_source("x = f(1)   #  compiles", {"compiles": "コンパイルします"})
    'x = f(1)   #  コンパイルします'
    """
    lines = source.split("\n")
    for row, column, words in found(source):
        code, comment = lines[row][:column], lines[row][column:]
        lines[row] = code + comment.replace(words, translations.get(words, words), 1)
    return "\n".join(lines)


def found(source: str) -> Iterator[tuple[int, int, str]]:
    """Line, column and words of each comment that speaks to the reader."""
    lines = source.split("\n")
    if "#" not in source or lines[0].startswith("%%"):  # a cell of another language
        return
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):  # a cell that is meant to fail
        return
    for token in tokens:
        words = token.string.lstrip("#").strip()
        row, column = token.start[0] - 1, token.start[1]
        if token.type != tokenize.COMMENT or MAGIC.match(lines[row]):
            continue
        if words and not DIRECTIVE.match(words):
            yield row, column, words


class FindComments(SphinxTransform):
    """Read the cells of a page, before its messages are taken down and translated."""

    default_priority = 8  # before Sphinx's PreserveTranslatableMessages, at 10

    def apply(self) -> None:
        """Put every comment into a node."""
        for cell in self.document.findall(is_cell):
            for block in cell.findall(nodes.literal_block):
                block += [code_comment(english=words) for words in comments(block.astext())]


class ShowComments(SphinxTransform):
    """Show each cell with the comments of its language."""

    default_priority = 30  # after Sphinx translated, at 20, and counted, at 25

    def apply(self) -> None:
        """Exchange the text; Sphinx highlights it only if the raw source is the same."""
        for block in self.document.findall(nodes.literal_block):
            said = [node for node in block.children if isinstance(node, code_comment)]
            if not said:
                continue
            shown = {node["english"]: node["shown"] for node in said}
            text = translated_source(block.astext(), shown)
            block.rawsource = text
            block[0] = nodes.Text(text)
            if not all(node.get("translated", True) for node in said):
                block["classes"].append("untranslated")


def is_cell(node: nodes.Node) -> bool:
    """Tell the source of a cell from what it printed."""
    return isinstance(node, nodes.container) and node.get("nb_element") == "cell_code_source"


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    visitors = (skip, None)
    app.add_node(code_comment, html=visitors, latex=visitors, text=visitors)
    app.add_transform(FindComments)
    app.add_transform(ShowComments)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
