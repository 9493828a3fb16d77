"""How long a page takes: its prose in any of the languages, and its code, but not its outputs."""

from docutils import nodes
from docutils.utils import new_document

from docs._ext.reading_time import WORDS, minutes_of


def page(*children: nodes.Node) -> nodes.document:
    document = new_document("page")
    document += nodes.section("", *children)
    return document


def code(lines: int, *classes: str) -> nodes.container:
    return nodes.container("", nodes.literal_block("", "x = 1\n" * lines), classes=[*classes])


def test_prose_and_code_take_time() -> None:
    prose = nodes.paragraph("", "word " * (3 * WORDS))
    assert minutes_of(page(prose)) == 3
    assert minutes_of(page(prose, code(30, "cell_input"))) == 5


def test_outputs_and_tables_take_none() -> None:
    table = nodes.table("", nodes.paragraph("", "word " * 5000), code(500))
    assert minutes_of(page(table, code(500, "cell_output"))) == 0


def test_a_language_without_spaces_takes_as_long_as_one_with_them() -> None:
    japanese = nodes.paragraph("", "関数の値を計算します。" * 100)
    korean = nodes.paragraph("", "함수의 값을 계산해 봅니다. " * 100)
    assert minutes_of(page(japanese)) == minutes_of(page(korean)) == 2
