r"""A translated page's prose as the plain Markdown that Jupyter, Colab and VS Code show.

sphinx-markdown-builder is the nearest upstream. It writes files of its own from a builder of its
own, heads admonitions in English, and does not escape dollars or code with backticks, so what it
writes is not always what the page says. Here each kind of node is a few lines; one that is not
known stops the build, so nothing gets lost silently.
"""

import base64
import re
from collections.abc import Callable, Iterable
from functools import singledispatchmethod
from html import escape
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.errors import SphinxError
from sphinx.locale import admonitionlabels

from docs._ext.drawings import alone
from docs._ext.figures import drawing

IMAGE_TYPES = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}
# What has a meaning for Markdown wherever it stands, and what has one at the start of a block.
ANYWHERE = re.compile(r"[\\`*_<$~]|\](?=\()|&(?=#?\w+;)")
AT_START = re.compile(r"[#>+=-]|\d{1,9}(?=[.)](\s|$))")


class UnknownNode(SphinxError):
    """Something on a page for which there is no Markdown yet."""

    category = "Notebook"


class Prose:
    """Writes the parts of one page; `address` says where a link leads from its notebook."""

    def __init__(self, page: str, folder: Path, address: Callable[[nodes.Element], str]) -> None:
        self.page = page
        self.folder = folder  # the pages' own: their images are there
        self.address = address

    @singledispatchmethod
    def block(self, node: nodes.Node) -> str:
        """Write a part of a page that stands by itself."""
        raise self.unknown(node)

    @singledispatchmethod
    def inline(self, node: nodes.Node) -> str:
        """Write a part of a sentence."""
        raise self.unknown(node)

    def unknown(self, node: nodes.Node) -> UnknownNode:
        """Say what stops the build."""
        return UnknownNode(
            f"docs/{self.page}.md: a notebook cannot show a {type(node).__name__} here "
            f"({node.astext()[:40]!r}): write it in another way, or teach docs/_ext/markdown.py"
        )

    def blocks(self, parts: Iterable[nodes.Node]) -> str:
        """Write parts with a blank line between them."""
        return "\n\n".join(text for text in map(self.block, parts) if text)

    def sentence(self, node: nodes.Element) -> str:
        """Write all of a paragraph, in one line."""
        return "".join(map(self.inline, node.children)).strip()

    @block.register(nodes.paragraph)
    @block.register(nodes.caption)
    def _(self, node: nodes.TextElement) -> str:
        text = self.sentence(node)
        found = AT_START.match(text)
        if not found:
            return text
        end = found.end() if found[0].isdigit() else 0
        return f"{text[:end]}\\{text[end:]}"

    @block.register
    def _(self, node: nodes.bullet_list) -> str:
        return self.items(node, ["-"] * len(node))

    @block.register
    def _(self, node: nodes.enumerated_list) -> str:
        first = node.get("start", 1)
        return self.items(node, [f"{number}." for number in range(first, first + len(node))])

    def items(self, node: nodes.Element, marks: list[str]) -> str:
        """Write a list: what follows an item's first line is indented as far as its text."""
        loose = any(len(item.children) > 1 for item in node.children)
        written = (
            indented(self.blocks(item.children), f"{mark} ", " " * (len(mark) + 1))
            for mark, item in zip(marks, node, strict=True)
        )
        return ("\n\n" if loose else "\n").join(written)

    @block.register
    def _(self, node: nodes.block_quote) -> str:
        return indented(self.blocks(node.children), "> ", "> ")

    @block.register(nodes.Admonition)
    def _(self, node: nodes.Element) -> str:
        title, *rest = node.children
        if isinstance(title, nodes.title):
            heading = self.sentence(title)
        else:
            heading, rest = admonitionlabels[node.tagname], [*node.children]
        return indented(f"{emphasized('**', heading)}\n\n{self.blocks(rest)}", "> ", "> ")

    @block.register
    def _(self, node: nodes.literal_block) -> str:
        code = node.astext().rstrip("\n")
        fence = longer_than_any("`", code, at_least=3)
        return f"{fence}{node.get('language', '')}\n{code}\n{fence}"

    @block.register
    def _(self, node: nodes.math_block) -> str:
        return f"$$\n{node.astext().strip()}\n$$"

    @block.register
    def _(self, node: nodes.table) -> str:
        rows = [[self.entry(entry) for entry in row] for row in node.findall(nodes.row)]
        if not any(node.findall(nodes.thead)):
            rows.insert(0, [""] * len(rows[0]))  # Markdown has no table without a head
        rows.insert(1, ["---"] * len(rows[0]))
        return "\n".join(f"| {' | '.join(row)} |" for row in rows)

    def entry(self, node: nodes.Node) -> str:
        """Write what is in one cell of a table, in one line; a bar would end it."""
        return "<br>".join(map(self.block, node.children)).replace("|", "\\|")

    @block.register
    def _(self, node: nodes.container) -> str:
        if not {"table-wrapper", "math-wrapper", "entrances"} & {*node["classes"]}:
            raise self.unknown(node)
        return self.blocks(node.children)

    @block.register
    def _(self, node: nodes.figure) -> str:
        return self.blocks(node.children)

    @block.register(nodes.image)
    @inline.register(nodes.image)
    def _(self, node: nodes.image) -> str:
        file = self.folder / node["candidates"]["*"]  # its uri is now that of the site
        return picture(node.get("alt", ""), IMAGE_TYPES[file.suffix], file.read_bytes())

    @block.register
    @inline.register
    def _(self, node: drawing) -> str:
        return picture(node["alt"], "image/svg+xml", alone(node["svg"], node["words"]))

    @inline.register
    def _(self, node: nodes.Text) -> str:
        return escaped(node.astext().replace("\n", " "))

    @inline.register
    def _(self, node: nodes.literal) -> str:
        text = node.astext()
        fence = longer_than_any("`", text)
        space = " " if text.startswith("`") or text.endswith("`") else ""
        return f"{fence}{space}{text}{space}{fence}"

    @inline.register
    def _(self, node: nodes.math) -> str:
        # A bar would end the cell of a table.
        formula = node.astext().strip().replace("\\|", "\\Vert ").replace("|", "\\vert ")
        return f"${formula}$"

    @inline.register
    def _(self, node: nodes.strong) -> str:
        return emphasized("**", self.sentence(node))

    @inline.register
    def _(self, node: nodes.emphasis) -> str:
        return emphasized("*", self.sentence(node))

    @inline.register
    def _(self, node: nodes.inline) -> str:
        return "".join(map(self.inline, node.children))

    @inline.register(nodes.reference)
    @inline.register(addnodes.download_reference)
    def _(self, node: nodes.Element) -> str:
        address = self.address(node)
        return (
            f"[{self.sentence(node)}]({f'<{address}>' if re.search('[() ]', address) else address})"
        )


def escaped(text: str) -> str:
    r"""Take from each character the meaning that it has in Markdown.

    >>> print(escaped("2 * 3 < 7, f(x)[0](1), $5, a_b, &amp;"))
    2 \* 3 \< 7, f(x)[0\](1), \$5, a\_b, \&amp;
    """
    return ANYWHERE.sub(r"\\\g<0>", text)


def emphasized(mark: str, text: str) -> str:
    """Emphasize a text so that it is shown so beside any character.

    Markdown takes no `**` for a mark between punctuation and a letter, and kana are letters.

    >>> emphasized("**", "純粋関数"), emphasized("*", "関数（f）")
    ('**純粋関数**', '<em>関数（f）</em>')
    """
    if text[:1].isalnum() and text[-1:].isalnum():
        return f"{mark}{text}{mark}"
    tag = {"**": "strong", "*": "em"}[mark]
    return f"<{tag}>{text}</{tag}>"


def longer_than_any(sign: str, text: str, at_least: int = 1) -> str:
    """Repeat a sign more often than the text does.

    >>> longer_than_any("`", "a ``b`` c")
    '```'
    """
    runs = re.findall(f"{sign}+", text)
    return sign * max([at_least, *(len(run) + 1 for run in runs)])


def indented(text: str, first: str, others: str) -> str:
    """Put something before the first line, and before each other one that is not empty."""
    lines = (f"{others}{line}".rstrip() for line in text.split("\n"))
    return first + "\n".join(lines).removeprefix(others.rstrip()).lstrip(" ")


def picture(alt: str, kind: str, content: bytes) -> str:
    """Write an image as HTML that holds all of it.

    As HTML, since VS Code takes no SVG for the image of a Markdown link.

    >>> picture('A "dot"', "image/svg+xml", b"<svg/>")
    '<img alt="A &quot;dot&quot;" src="data:image/svg+xml;base64,PHN2Zy8+">'
    """
    return (
        f'<img alt="{escape(alt)}" src="data:{kind};base64,{base64.b64encode(content).decode()}">'
    )
