"""A message as MyST parses it: its nodes, and its prose without markup."""

import re
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.tree import SyntaxTreeNode
from myst_parser.parsers.mdit import create_md_parser

from docs._guide.execute.page import markdown_configuration

# Replaces code and mathematics in the prose, so that the words around them stay apart.
HOLE = "\N{OBJECT REPLACEMENT CHARACTER}"

BARE_URL = re.compile(r"https?://[!-~]+")


@cache
def parser() -> MarkdownIt:
    """The parser that Sphinx uses for the pages."""
    return create_md_parser(markdown_configuration(), RendererHTML)


@lru_cache(maxsize=4096)
def nodes(text: str) -> tuple[SyntaxTreeNode, ...]:
    """All nodes in order, also those inside paragraphs, links and images."""
    return tuple(SyntaxTreeNode(parser().parse(text)).walk(include_self=False))


def prose(text: str) -> str:
    """The visible words, with a hole for each code span, formula and URL.

    >>> prose("[勾配](grad.md)は`jax.grad`で求め、形状は$n$です。")
    '勾配は\N{OBJECT REPLACEMENT CHARACTER}で求め、形状は\N{OBJECT REPLACEMENT CHARACTER}です。'
    """
    # Asterisks are left by broken emphasis, which is a finding of its own.
    return "".join(map(visible, nodes(text))).replace("*", "")


def visible(node: SyntaxTreeNode) -> str:
    """What a reader sees of one node, without its children."""
    if node.type == "text":
        return BARE_URL.sub(HOLE, node.content)
    if node.type in ("softbreak", "hardbreak"):
        return "\n"
    if node.type in ("code_inline", "myst_role") or node.type.startswith("math"):
        return HOLE
    return ""
