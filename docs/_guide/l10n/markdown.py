"""A message as MyST parses it: its tokens, and its prose without markup."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from myst_parser.parsers.mdit import create_md_parser

from docs._guide.execute.page import markdown_configuration

# Replaces code and mathematics in the prose, so that the words around them stay apart.
HOLE = "\N{OBJECT REPLACEMENT CHARACTER}"

# Roles whose content is prose; that of any other role is an identifier.
PROSE_ROLES = {"abbr", "dfn", "emphasis", "guilabel", "menuselection", "strong", "sub", "sup"}
# Roles that may have a title before their <target>.
REFERENCE_ROLES = {"term", "doc", "ref", "numref", "any", "download"}
TARGET = re.compile(r"(.*?)\s*<([^<>]+)>", re.DOTALL)

SUBSTITUTION = re.compile(r"\{\{.*?\}\}")
BARE_URL = re.compile(r"https?://[!-~]+")


@cache
def parser() -> MarkdownIt:
    """The parser that Sphinx uses for the pages."""
    return create_md_parser(markdown_configuration(), RendererHTML)


@lru_cache(maxsize=4096)
def blocks(text: str) -> tuple[Token, ...]:
    """The block tokens; those of a message are one paragraph."""
    return tuple(parser().parse(text))


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[Token, ...]:
    """All tokens in order, also those inside paragraphs, links and images."""
    return tuple(flatten(blocks(text)))


def flatten(nested: Iterable[Token]) -> Iterator[Token]:
    """Each token before its children."""
    for token in nested:
        yield token
        yield from flatten(token.children or [])


def prose(text: str) -> str:
    """The visible words, with a hole for each code span, formula, URL and substitution.

    >>> prose("[勾配](grad.md)は`jax.grad`で求め、{term}`形状 <shape>`は$n$です。")
    '勾配は\N{OBJECT REPLACEMENT CHARACTER}で求め、形状は\N{OBJECT REPLACEMENT CHARACTER}です。'
    """
    # Asterisks are left by broken emphasis, which is a finding of its own.
    return "".join(map(visible, tokens(text))).replace("*", "")


def spans(text: str) -> list[Token]:
    """The token behind each hole of `prose(text)`."""
    return [token for token in tokens(text) for _ in range(visible(token).count(HOLE))]


def visible(token: Token) -> str:
    """What a reader sees of one token, without its children."""
    if token.type == "text":
        return BARE_URL.sub(HOLE, SUBSTITUTION.sub(HOLE, token.content))
    if token.type in ("softbreak", "hardbreak"):
        return "\n"
    if token.type == "myst_role":
        name = token.meta["name"]
        if name in REFERENCE_ROLES and (titled := TARGET.fullmatch(token.content)):
            return titled[1]
        return token.content if name in PROSE_ROLES | {"term"} else HOLE
    if token.type == "code_inline" or token.type.startswith("math"):
        return HOLE
    return ""
