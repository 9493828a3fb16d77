"""Each kind of prose becomes Markdown that Jupyter, Colab and VS Code show alike."""

from types import SimpleNamespace

import pytest
from docutils import nodes
from docutils.core import publish_doctree
from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin
from myst_parser.parsers.docutils_ import Parser

from docs._guide.ext.notebooks.links import Links
from docs._guide.ext.notebooks.markdown import MarkdownWriter, UnsupportedNode

MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"]).use(dollarmath_plugin)
SETTINGS = {"myst_enable_extensions": ["colon_fence", "dollarmath"], "report_level": 5}


def writer() -> MarkdownWriter:
    return MarkdownWriter("one", lambda node: str(node.get("refuri", f"#{node.get('refid')}")))


def written(text: str) -> str:
    """The Markdown of a page's text, which is MyST."""
    document = publish_doctree(text, parser=Parser(), settings_overrides=SETTINGS)
    return writer().blocks(document.children)


SAME = [
    "A paragraph with `code`, *emphasis*, **strong** and $x^2$.",
    "**純粋関数**（pure function）は、`f(x)`を*変えない*関数です。",
    "**순수 함수**(pure function)는 `f(x)`를 바꾸지 않습니다.",
    "Two ``code `with` ticks`` and `` ` `` alone.",
    "2 \\* 3 \\< 7 \\$5 a\\_b \\\\ \\`tick\\` \\~\\~no\\~\\~",
    "1\\. is no list.",
    "\\# is no heading.",
    "- one\n- two",
    "3. three\n4. four",
    "- one\n\n  more of it\n\n  1. inner\n  2. inner too\n\n- two",
    "```\nprint(1)\n```",
    "````\n```\n````",
    "$$\nx = \\frac{1}{2}\n$$",
    "| a | `b` |\n| --- | --- |\n| 1 | $x$ |\n| `x \\| y` | two words |",
    "[a `link`](https://docs.example/page.html#anchor)",
    "[brackets](<https://docs.example/a(b)>)",
]


@pytest.mark.parametrize("text", SAME)
def test_plain_markdown_stays_as_it_is(text: str) -> None:
    assert written(text) == text


def test_emphasis_is_shown_beside_any_letter() -> None:
    for inner in ("関数（f）", "`f`", "f(x)", "「純粋」"):
        paragraph = nodes.paragraph("", "", nodes.Text("この"), nodes.strong("", inner))
        paragraph += nodes.Text("は")
        assert f"この<strong>{inner}</strong>は" in MARKDOWN.render(writer().write(paragraph))


def test_code_says_its_language() -> None:
    assert writer().write(nodes.literal_block("", "ls", language="bash")) == "```bash\nls\n```"


def test_a_formula_does_not_end_the_cell_of_a_table() -> None:
    paragraph = nodes.paragraph("", "", nodes.math("", "|x| + \\|y\\|"))
    assert writer().write(paragraph) == "$\\vert x\\vert  + \\Vert y\\Vert $"


@pytest.mark.parametrize(
    "text", ["A footnote.[^1]\n\n[^1]: Here.", "```{raw} html\n<b>x</b>\n```", "{sub}`x`"]
)
def test_what_is_not_known_is_refused(text: str) -> None:
    with pytest.raises(UnsupportedNode, match=r"docs/one\.md: a notebook cannot show a "):
        written(text)


def test_a_link_leads_to_the_section_of_its_anchor_or_is_refused() -> None:
    text = "# Other\n\n# Part\n\n(here)=\nBefore, [a link](#here), and after."
    document = publish_doctree(text, parser=Parser(), settings_overrides=SETTINGS)
    links = Links(SimpleNamespace(), "one", document)  # type: ignore[arg-type]
    paragraph = next(document.findall(nodes.paragraph))
    written = MarkdownWriter("one", links.target).write(paragraph)
    assert written == "Before, [a link](#Part), and after."
    next(document.findall(nodes.reference))["refid"] = "nowhere"
    with pytest.raises(UnsupportedNode, match=r"^docs/one\.md: no section has the anchor #nowhere"):
        MarkdownWriter("one", links.target).write(paragraph)
