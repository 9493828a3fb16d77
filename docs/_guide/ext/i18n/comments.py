"""Translate the comments of cells through the page's catalog, and leave their code alone.

Sphinx can only translate a literal block as a whole (`gettext_additional_targets`), so that a
translator would handle all of its code. Here each comment is a message of its own, a node inside
the block; the block is then shown with its comments replaced. No cell runs again.
"""

import io
import re
import tokenize
from collections.abc import Iterator, Mapping

from docutils import nodes
from sphinx.transforms import SphinxTransform

from docs._guide.ext.i18n.translatable import translatable_text

DIRECTIVE = re.compile(r"!|%%|(noqa|type|fmt|pragma|ruff|mypy|pylint|isort)\b\s*:")
MAGIC = re.compile(r"\s*[%!?]")


def comments(source: str) -> list[str]:
    """Return the comments of a cell that are prose, without duplicates."""
    return list(dict.fromkeys(comment for _, _, comment in located_comments(source)))


def translated_source(source: str, translations: Mapping[str, str]) -> str:
    """Replace the comments of a cell that have a translation, and nothing else."""
    lines = source.split("\n")
    for row, column, comment in located_comments(source):
        code, rest = lines[row][:column], lines[row][column:]
        lines[row] = code + rest.replace(comment, translations.get(comment, comment), 1)
    return "\n".join(lines)


def located_comments(source: str) -> Iterator[tuple[int, int, str]]:
    """Yield the line, the column and the text of each comment that is prose."""
    lines = source.split("\n")
    if "#" not in source or lines[0].startswith("%%"):  # a cell in another language
        return
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):  # a cell that is meant to fail
        return
    for token in tokens:
        row, column = token.start[0] - 1, token.start[1]
        if token.type != tokenize.COMMENT or MAGIC.match(lines[row]):
            continue
        comment = token.string.lstrip("#").strip()
        if comment and not DIRECTIVE.match(comment):
            yield row, column, comment


class ExtractComments(SphinxTransform):
    """Add the comments of each cell to its block, before messages are extracted and translated."""

    default_priority = 8  # before Sphinx extracts messages, at 10

    def apply(self) -> None:
        """Read every cell of the page; what a cell printed is left alone."""
        for cell in self.document.findall(nodes.container):
            if cell.get("nb_element") == "cell_code_source":
                for block in cell.findall(nodes.literal_block):
                    block += [translatable_text(english=text) for text in comments(block.astext())]


class ReplaceComments(SphinxTransform):
    """Show each cell with its comments in the language of the build."""

    default_priority = 30  # after Sphinx translated, at 20, and counted, at 25

    def apply(self) -> None:
        """Replace the text of each block, and mark a block with an untranslated comment."""
        for block in self.document.findall(nodes.literal_block):
            messages = [node for node in block.children if isinstance(node, translatable_text)]
            if not messages:
                continue
            translations = {node["english"]: node["text"] for node in messages}
            text = translated_source(block.astext(), translations)
            block.rawsource = text  # Sphinx highlights a block only if both are the same
            block[0] = nodes.Text(text)
            if not all(node.get("translated", True) for node in messages):
                block["classes"].append("untranslated")
