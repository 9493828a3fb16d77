"""A translation has the same code, mathematics, links and emphasis as its source.

Both sides are counted on MyST's nodes: what a reader will see, not what a regular expression
matches. The order is free. Code may be repeated, or named where the English has a pronoun, if the
page has it elsewhere.
"""

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from markdown_it.tree import SyntaxTreeNode

from docs._guide.po.entry import Entry, Finding, read
from docs._guide.po.markdown import BARE_URL, nodes

ADVICE = {
    "code": "keep every code span, character for character",
    "math": "keep every formula, character for character",
    "link": "keep every link's target: `[words in the language](the same target)`",
    "emphasis": "emphasise as many words as the English does, with `*` and `**`",
    "markup": "keep one paragraph with the same HTML, images, roles and line breaks",
}

# What remains in the text where CommonMark does not parse it as markup.
ASTERISKS = (
    "asterisks are printed, or pair up wrongly: no bracket, quotation mark, full stop, backtick "
    "or space may stand just inside `**`; put it outside: **純粋関数**（pure function）は, "
    "**순수 함수**(pure function)는"
)
LITERAL = {
    r"\*": ASTERISKS,
    r"(?<![A-Za-z0-9_])_(?=\w)": "underscores are printed: emphasise with `*`",
    "`": "a backtick is printed: close the code span with as many as opened it",
    r"\$": "a dollar sign is printed: close the formula, without a space just inside",
    r"\]\s?[(\[（]": "a link is printed: write `[words](target)`, with nothing between",
}


def check(entry: Entry, language: str) -> Iterator[Finding]:
    """Compare the inventories of both sides."""
    if not entry.msgstr:
        return
    source, target = inventory(entry.msgid), inventory(entry.msgstr)
    literal = list(printed_marks(entry))
    for rule, advice in ADVICE.items():
        missing, extra = source[rule] - target[rule], target[rule] - source[rule]
        if rule == "code":
            missing = Counter(set(source[rule]) - set(target[rule]))
            extra = Counter(set(extra) - set(source[rule]) - code_of_page(entry.file))
        if (missing or extra) and not (rule == "emphasis" and literal):
            for label, items in (("missing", missing), ("not in the English", extra)):
                advice += f"; {label}: {', '.join(items.elements())}" if items else ""
            yield Finding(entry, rule, advice)
    for advice in literal:
        yield Finding(entry, "literal-asterisks", advice)


@cache
def code_of_page(file: Path) -> set[str]:
    """All code spans in the English of a page."""
    entries = read(file) if file.suffix == ".po" and file.exists() else ()
    return {item for entry in entries for item in inventory(entry.msgid)["code"]}


@cache  # an English paragraph is compared with its translation and with all code of the page
def inventory(text: str) -> dict[str, Counter[str]]:
    """What must be equal on both sides, by rule."""
    counts: dict[str, Counter[str]] = {rule: Counter() for rule in ADVICE}
    for node in nodes(text):
        for rule, item in items_of(node):
            counts[rule][item] += 1
    outline = [node.type for node in nodes(text) if node.block]
    counts["markup"][" ".join(outline)] += 1
    counts["markup"]["line break"] += text.count("\n")  # would break a heading or a cell
    return counts


def items_of(node: SyntaxTreeNode) -> Iterator[tuple[str, str]]:
    """What one node adds to the inventory: rule and item."""
    match node.type:
        case "code_inline" | "code_block" | "fence" | "colon_fence":
            yield "code", node.content.strip()
        case kind if kind.startswith("math"):
            yield "math", node.content.strip()
        case "link":
            yield "link", str(node.attrs["href"])
        case "em":
            yield "emphasis", "*…*"
        case "strong":
            yield "emphasis", "**…**"
        case "image":
            yield "markup", f"![]({node.attrs['src']})"
        case "html_inline" | "html_block" | "myst_role":
            yield "markup", node.content.strip()
        case "hardbreak":
            yield "markup", "line break"
        case "text":
            for url in BARE_URL.findall(node.content):
                yield "link", url.rstrip(".,;:)")


def printed_marks(entry: Entry) -> Iterator[str]:
    """Advice on markup that is printed as it stands, and not so in the English."""
    source, target = (
        "\n".join(node.content for node in nodes(side) if node.type == "text")
        for side in (entry.msgid, entry.msgstr)
    )
    for mark, advice in LITERAL.items():
        if len(re.findall(mark, target)) > len(re.findall(mark, source)):
            yield advice
    if nested_emphasis(entry.msgstr) > nested_emphasis(entry.msgid):
        yield ASTERISKS


def nested_emphasis(text: str) -> int:
    """Count emphasis inside the same emphasis: a `**` that cannot close pairs with a later one."""
    emphasis = (node for node in nodes(text) if node.type in ("em", "strong"))
    return sum(
        any(inner.type == node.type for inner in node.walk(include_self=False)) for node in emphasis
    )
