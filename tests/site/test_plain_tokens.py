"""Code without a colour of its own has no element of its own."""

import re

import pytest

from tests.site.built import LANGUAGES, PAGES, SITE, page

pytestmark = pytest.mark.usefixtures("site")

PLAIN = ("n", "nx", "p")  # and `w`, which leaves nothing to colour
RULE = re.compile(r"\.highlight(?: \.(\w+))? \{[^}]*?\bcolor: (#\w+)", re.IGNORECASE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_brackets_and_spaces_are_text(language: str) -> None:
    marked = ", ".join(f".highlight [class={name}]" for name in (*PLAIN, "w"))
    assert [name for name in PAGES if page(language, name).select_one(marked)] == []
    assert page(language, "transforms/grad").select_one(".highlight .k")


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_code_in_a_sentence_are_text(language: str) -> None:
    codes = [code for name in PAGES for code in page(language, name).select("p code")]
    assert len(codes) > 1000
    assert [code for code in codes if code.find(True)] == []


def test_the_styles_draw_them_as_the_text_around_them() -> None:
    css = (SITE / "en" / "_static" / "site.css").read_text(encoding="utf-8")
    around, compared = "", 0
    for name, colour in RULE.findall(css):
        if not name:
            around = colour
        elif name in PLAIN:
            assert colour == around, name
            compared += 1
    assert compared == 3 * len(PLAIN)  # light, dark by choice, dark by the system
