"""Write the prose of a doctree as the plain Markdown that Jupyter, Colab and VS Code show.

sphinx-markdown-builder is the nearest upstream. It escapes neither dollars nor code with backticks,
heads admonitions in English, and is a builder, which writes whole files. Here each kind of node is
a method of a few lines; any other node stops the build, so that nothing is lost silently.
"""

import base64
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import singledispatchmethod
from html import escape
from typing import TypeGuard

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import SphinxError
from sphinx.locale import _ as localized

from docs._guide.ext.components.exercises import answer, exercise
from docs._guide.ext.components.exercises import title as exercise_title
from docs._guide.ext.components.previews import term_link
from docs._guide.ext.components.questions import choice, choice_label, question, verdict
from docs._guide.ext.figures.nodes import inline_svg
from docs._guide.ext.figures.svg import standalone

# Markdown's syntax anywhere in a line, and at the start of a block.
SYNTAX = re.compile(r"[\\`*_<$~]|\](?=\()|&(?=#?\w+;)")
BLOCK_SYNTAX = re.compile(r"[#>+=-]|\d{1,9}(?=[.)](\s|$))")


class UnsupportedNode(SphinxError):
    """A part of a page that has no Markdown."""

    category = "Notebook"


@dataclass(frozen=True)
class MarkdownWriter:
    """Writes the nodes of one page."""

    page: str  # for messages
    target: Callable[[nodes.Element], str]  # where a link leads from the notebook

    @singledispatchmethod
    def write(self, node: nodes.Node) -> str:
        """Write a block, such as a paragraph, or a part of a sentence."""
        raise UnsupportedNode(
            f"docs/{self.page}.md: a notebook cannot show a {type(node).__name__} here "
            f"({node.astext()[:40]!r}): write it in another way, or add a method to {__name__}"
        )

    def blocks(self, children: Iterable[nodes.Node]) -> str:
        """Write blocks with a blank line between them."""
        return "\n\n".join(text for text in map(self.write, children) if text)

    def sentence(self, node: nodes.Element) -> str:
        """Write the content of a paragraph, in one line."""
        return "".join(map(self.write, node.children)).strip()

    @write.register(nodes.paragraph)
    @write.register(nodes.caption)
    def _(self, node: nodes.TextElement) -> str:
        text = self.sentence(node)
        match = BLOCK_SYNTAX.match(text)
        if not match:
            return text
        end = match.end() if match[0].isdigit() else 0
        return f"{text[:end]}\\{text[end:]}"

    @write.register(nodes.bullet_list)
    @write.register(nodes.enumerated_list)
    def _(self, node: nodes.Element) -> str:
        items = []
        for number, item in enumerate(node.children, start=node.get("start", 1)):
            marker = f"{number}. " if isinstance(node, nodes.enumerated_list) else "- "
            items.append(indented(self.blocks(item.children), marker, " " * len(marker)))
        loose = any(len(item.children) > 1 for item in node.children)
        return ("\n\n" if loose else "\n").join(items)

    @write.register
    def _(self, node: choice) -> str:
        label, *reason = node.children
        assert isinstance(label, choice_label)
        answer = f"<summary>{verdict(node)}</summary>\n\n{self.blocks(reason)}"
        text = f"{self.sentence(label)}\n\n<details>{answer}\n</details>"
        return indented(text, "- ", "  ")

    @write.register
    def _(self, node: exercise) -> str:
        return f"{emphasized('**', exercise_title(node))}\n\n{self.blocks(node.children)}"

    @write.register
    def _(self, node: answer) -> str:
        words = [child for child in node.children if not is_cell(child)]
        summary = f"<summary>{localized('Answer')}</summary>"
        return f"<details>{summary}\n\n{self.blocks(words)}\n</details>"

    @write.register
    def _(self, node: nodes.literal_block) -> str:
        code = node.astext().rstrip("\n")
        fence = longer_than_any("`", code, at_least=3)
        return f"{fence}{node.get('language', '')}\n{code}\n{fence}"

    @write.register
    def _(self, node: nodes.math_block) -> str:
        return f"$$\n{node.astext().strip()}\n$$"

    @write.register
    def _(self, node: nodes.table) -> str:
        rows = [[self.entry(entry) for entry in row] for row in node.findall(nodes.row)]
        rows.insert(1, ["---"] * len(rows[0]))
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def entry(self, node: nodes.Node) -> str:
        """Write one cell of a table, in one line; a bar would end it."""
        return "<br>".join(map(self.write, node.children)).replace("|", "\\|")

    @write.register(nodes.container)
    @write.register(nodes.figure)
    @write.register(question)
    def _(self, node: nodes.Element) -> str:
        return self.blocks(node.children)

    @write.register
    def _(self, node: inline_svg) -> str:
        data = base64.b64encode(standalone(node["svg"], node["translations"])).decode()
        # As HTML, since VS Code shows no SVG as a Markdown image.
        return f'<img alt="{escape(node["alt"])}" src="data:image/svg+xml;base64,{data}">'

    @write.register
    def _(self, node: nodes.Text) -> str:
        return SYNTAX.sub(r"\\\g<0>", node.astext().replace("\n", " "))

    @write.register
    def _(self, node: nodes.literal) -> str:
        text = node.astext()
        fence = longer_than_any("`", text)
        space = " " if text.startswith("`") or text.endswith("`") else ""
        return f"{fence}{space}{text}{space}{fence}"

    @write.register
    def _(self, node: nodes.math) -> str:
        # A bar would end the cell of a table.
        formula = node.astext().strip().replace("\\|", "\\Vert ").replace("|", "\\vert ")
        return f"${formula}$"

    @write.register(nodes.strong)
    @write.register(nodes.emphasis)
    def _(self, node: nodes.Element) -> str:
        return emphasized("**" if isinstance(node, nodes.strong) else "*", self.sentence(node))

    @write.register(nodes.inline)
    @write.register(term_link)
    def _(self, node: nodes.Element) -> str:
        return "".join(map(self.write, node.children))

    @write.register(nodes.reference)
    @write.register(addnodes.download_reference)
    def _(self, node: nodes.Element) -> str:
        target = self.target(node)
        target = f"<{target}>" if re.search("[() ]", target) else target
        return f"[{self.sentence(node)}]({target})"


def is_cell(node: nodes.Node) -> TypeGuard[nodes.container]:
    """Whether a node is a code cell, with its outputs."""
    return isinstance(node, nodes.container) and "cell_index" in node


def emphasized(mark: str, text: str) -> str:
    """Emphasize a text; in HTML where punctuation beside a letter or kana makes `**` no mark."""
    if text[:1].isalnum() and text[-1:].isalnum():
        return f"{mark}{text}{mark}"
    tag = {"**": "strong", "*": "em"}[mark]
    return f"<{tag}>{text}</{tag}>"


def longer_than_any(sign: str, text: str, at_least: int = 1) -> str:
    """Repeat a sign more often than the text does, for a fence around it."""
    runs = re.findall(f"{sign}+", text)
    return sign * max([at_least, *(len(run) + 1 for run in runs)])


def indented(text: str, first: str, others: str) -> str:
    """Prefix the first line, and every other line."""
    lines = (f"{others}{line}".rstrip() for line in text.split("\n"))
    return first + "\n".join(lines).removeprefix(others.rstrip()).lstrip(" ")
