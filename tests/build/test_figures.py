"""Labels of figures and comments of cells are translated by the page's catalog."""

import re
from html import unescape

from docs._guide.ext.figures.labels import figure_labels, unreachable
from docs._guide.ext.figures.svg import inline, read, write
from docs._guide.ext.i18n.comments import comments, translated_source
from docs._guide.site.publish import UNTRANSLATED
from tests.conftest import SmallGuide, notebook, po

CELL = """\
import matplotlib.pyplot as plt  # noqa: F401
value = 6 * 7  # half of it is 21
fig, ax = plt.subplots()
ax.plot([1, 2], [3, 4], color="black", label="learning rate")
ax.plot([1, 2], [4, 4], color="#666666", label="jax.jit(f)")
ax.set(xlabel="step", ylabel="$E$", title="42 MiB")
ax.legend(loc="upper right")
plt.show()"""

SVG = """<svg xmlns="http://www.w3.org/2000/svg" width="72pt" height="36pt" viewBox="0 0 72 36">
{}</svg>"""


def drawn(content: str, **translations: str) -> str:
    return write(inline(SVG.format(content), translations, alt="A figure.", prefix="f1-"))


def test_words_and_comments_are_translated_without_running_again(small_guide: SmallGuide) -> None:
    small_guide.write("docs/one.md", notebook(CELL))
    translations = {"half of it is 21": "その半分は21", "step": "ステップ"}
    small_guide.write("locale/ja/LC_MESSAGES/one.po", po(translations))
    small_guide.build("--language=en", "--language=ja")
    # "A page", "Some prose." and "learning rate" have no translation.
    page = small_guide.page("one", "ja")
    assert len(UNTRANSLATED.findall(page)) == 3
    assert re.findall(r'class="untranslated"[^>]*>([^<]+)</text>', page) == ["learning rate"]
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", page)
    assert {"ステップ", "jax.jit(f)", "42 MiB"} <= set(texts)
    assert "step" not in texts
    assert "# その半分は21" in code(page)
    assert code(page).replace("その半分は21", "half of it is 21") == code(small_guide.page("one"))
    assert ">step</text>" in small_guide.page("one")

    small_guide.write("locale/ja/LC_MESSAGES/one.po", po(translations | {"step": "段階"}))
    again = small_guide.make()
    assert small_guide.ran(again) == set()
    assert ">段階</text>" in small_guide.page("one", "ja")


def code(page: str) -> str:
    """The cells of a page, as a reader copies them."""
    blocks = re.findall(r"<pre>(.*?)</pre>", page, re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", "", "\n".join(blocks)))


def test_a_figure_has_the_colours_of_the_page() -> None:
    html = drawn(
        '<path style="stroke: #000000; fill: none"/><path style="fill: #ffffff"/>'
        '<path style="stroke: #666666"/><text style="fill: #ffffff">12</text>'
    )
    assert '<path stroke="currentColor" fill="none" />' in html
    assert '<path fill="#ffffff" class="paper" />' in html
    assert '<path stroke="currentColor" stroke-opacity="0.6" />' in html
    assert '<text fill="#ffffff">12</text>' in html
    assert 'fill="currentColor"' in html.split(">")[0]  # what has no colour is black


def test_words_on_a_colour_keep_theirs() -> None:
    def axes(content: str) -> str:
        return drawn(f'<g id="axes_1"><g id="patch_1"><path d="M 9 9 L 60 30"/></g>{content}</g>')

    bar = '<g id="patch_2"><path style="fill: #1f77b4" d="M 10 10 L 20 20"/></g>'
    for text in ('x="15" y="15"', 'transform="translate(12 19)"'):
        words = f'<g id="text_1"><text {text}>2</text></g>'
        assert '<g fill="#000000"><text' in axes(bar + words)
        assert "#000000" not in axes(words)
        assert '<g fill="#000000"><text' in axes(f"<g><image/></g>{words}")
    beside = '<g id="text_1"><text x="50" y="15">2</text></g>'
    assert "#000000" not in axes(bar + beside)
    box = '<path style="fill: #fff3e6" d="M 0 0 L 9 9"/><text transform="translate(1 5)">2</text>'
    assert "#000000" in axes(f'<g id="text_1">{box}</g>')


def test_nothing_but_drawing_comes_into_the_page() -> None:
    html = drawn(
        "<metadata>m</metadata><style>* {}</style><script>alert(1)</script>"
        '<foreignObject/><!-- c --><g id="figure_1" onclick="alert(1)"><path style="d: x"/></g>'
    )
    assert re.sub("<svg[^>]*>", "", html) == "<path /></svg>"
    assert 'role="img"' in html and 'aria-label="A figure."' in html
    assert 'width="96" height="48"' in html  # pixels


def test_two_figures_do_not_share_ids() -> None:
    content = (
        '<defs><path id="m1"/><path id="unused"/></defs>'
        '<use href="#m1"/><g clip-path="url(#m1)"><path/></g>'
    )
    html = drawn(content)
    assert re.findall(r'\bid="([^"]+)"', html) == ["f1-m1"]
    assert 'href="#f1-m1"' in html and 'clip-path="url(#f1-m1)"' in html


def test_bitmaps_become_files() -> None:
    svg = SVG.format('<image href="data:image/png;base64,\naGVsbG8="/>')
    html = write(inline(svg, {}, save_bitmap=lambda png: f"../_images/{png.decode()}.png"))
    assert '<image href="../_images/hello.png" />' in html


def test_a_legend_on_the_right_moves_left_for_longer_words() -> None:
    legend = (
        '<g id="axes_1"><g id="patch_2"><path d="M 0 36 L 72 0 z"/></g><g id="legend_1">'
        '<path d="M 5 5 L 9 5"/><text style="font-size: 10px" x="{}" y="9">up</text></g></g>'
    )
    moved = drawn(legend.format(50), up="ステップ")
    assert 'class="legend" transform="translate(-28.0 0)"' in moved
    assert "translate" not in drawn(legend.format(50), up="上")
    assert "translate" not in drawn(legend.format(10), up="ステップ")  # there is room


def test_words_that_no_translation_reaches_are_named() -> None:
    assert unreachable(SVG.format("<!-- error of $x$ --><!-- $x_1$ --><!-- 10 -->")) == [
        "error of $x$"
    ]


def test_a_formula_with_words_fails_the_build(small_guide: SmallGuide) -> None:
    cell = 'import matplotlib.pyplot as plt\nplt.title("error of $x$")\nplt.show()'
    small_guide.write("docs/one.md", notebook(cell))
    made = small_guide.make("--language", "en")
    assert made.returncode != 0
    assert "cannot reach the words of 'error of $x$'" in made.stdout


def test_labels_are_texts_with_words_that_are_not_code() -> None:
    texts = "<text>loss</text><text>0.5</text><text>step</text><text>loss</text>"
    code = '<g><text style="font-family: X Mono">scan</text></g>'
    assert figure_labels(read(SVG.format(texts + code))) == ["loss", "step"]


def test_only_comments_change() -> None:
    source = 'a = "# no"  # yes\n#  full line\nb = 1  # noqa: E1\n%time f()  # magic\n# fmt: off'
    assert comments(source) == ["yes", "full line"]
    translated = translated_source(source, {"yes": "はい", "full line": "行全体", "no": "x"})
    assert translated == source.replace("# yes", "# はい").replace("full line", "行全体")
    assert comments("%%bash\n# shell") == []
    assert comments("f(  # never closed") == []
