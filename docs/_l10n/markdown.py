"""A message as MyST reads it: its tokens, and the words a reader sees."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.parsers.mdit import create_md_parser

from docs._make.page import markdown_configuration

# Stands where code or mathematics was, so that the words around it stay apart.
HOLE = "\N{OBJECT REPLACEMENT CHARACTER}"

# Roles whose content is words for the reader; that of any other role names something.
WORDY_ROLES = {"abbr", "dfn", "emphasis", "guilabel", "menuselection", "strong", "sub", "sup"}
# Roles that show words, and may say in <...> what they point to.
REFERENCE_ROLES = {"term", "doc", "ref", "numref", "any", "download"}
TARGET = re.compile(r"(.*?)\s*<([^<>]+)>", re.DOTALL)

SUBSTITUTION = re.compile(r"\{\{.*?\}\}")
BARE_URL = re.compile(r"https?://[!-~]+")


@cache
def parser() -> MarkdownIt:
    """The parser that Sphinx gives the pages to."""
    return create_md_parser(markdown_configuration(), RendererHTML)


@lru_cache(maxsize=4096)
def blocks(text: str) -> tuple[Token, ...]:
    """The tokens of the blocks; a message is one paragraph, or its translation is broken."""
    return tuple(parser().parse(text))


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """All tokens, those inside paragraphs, links and images too, in order."""
    return tuple(flattened(blocks(text)))


def flattened(nested: tuple[Token, ...] | list[Token]) -> Iterator[Token]:
    """Each token before its children."""
    for token in nested:
        yield token
        yield from flattened(token.children or [])


def prose(text: str) -> str:
    """The words a reader sees, with a hole for each code span, formula and substitution.

    >>> prose("[勾配](grad.md)は`jax.grad`で求め、{term}`形状 <shape>`は$n$です。")
    '勾配は\N{OBJECT REPLACEMENT CHARACTER}で求め、形状は\N{OBJECT REPLACEMENT CHARACTER}です。'
    """
    seen = "".join(shown(token) for token in tokens(text))
    return BARE_URL.sub(HOLE, SUBSTITUTION.sub(HOLE, seen))


def shown(token: Token) -> str:
    """What one token shows, without its children."""
    if token.type == "text":
        return token.content
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "myst_role":
        name = token.meta["name"]
        if name in REFERENCE_ROLES and (titled := TARGET.fullmatch(token.content)):
            return titled[1]
        return token.content if name in WORDY_ROLES | {"term"} else HOLE
    if token.type == "code_inline" or token.type.startswith("math"):
        return HOLE
    return ""
