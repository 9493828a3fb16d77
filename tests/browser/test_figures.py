"""Figures in every language: no word is cut off, and the reader's fonts have every character."""

from typing import Literal

import pytest
from playwright.sync_api import Browser, Page

from tests.site.built import LANGUAGES, PAGES

# Words that leave the figure, where they would be cut off or lie on something else.
CUT_OFF = """() => [...document.querySelectorAll("svg.drawing text")].filter((text) => {
  const [inner, outer] = [text, text.ownerSVGElement].map((e) => e.getBoundingClientRect());
  return inner.width && (inner.left < outer.left - 1 || inner.right > outer.right + 1
    || inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1);
}).map((text) => text.textContent)"""

# A character that no font has is drawn like one that cannot exist.
MISSING = """() => {
  const context = Object.assign(document.createElement("canvas"), {width: 40, height: 40})
    .getContext("2d", {willReadFrequently: true});
  const picture = (character, font) => {
    context.clearRect(0, 0, 40, 40);
    context.font = font;
    context.fillText(character, 4, 30);
    return context.getImageData(0, 0, 40, 40).data.join();
  };
  const missing = new Set();
  for (const text of document.querySelectorAll("svg.drawing :is(text, tspan)")) {
    if (text.childElementCount) continue;
    const font = `24px ${getComputedStyle(text).fontFamily}`;
    const box = picture("\\u{10fffe}", font);
    for (const character of text.textContent.trim())
      if (character.trim() && picture(character, font) === box) missing.add(character);
  }
  return [...missing];
}"""

# Pictures inside a figure are files of their own.
LOST_PICTURES = """async () => {
  const all = [...document.querySelectorAll("svg.drawing image")].map((i) => i.href.baseVal);
  const answers = await Promise.all(all.map((address) => fetch(address)));
  return answers.filter((answer) => !answer.ok).map((answer) => answer.url);
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_every_figure_can_be_read(laptop: Page, address: str, language: str) -> None:
    problems = {}
    figures = 0
    for name in PAGES:
        laptop.goto(f"{address}{language}/{name}.html")
        figures += laptop.locator("svg.drawing").count()
        for what in (CUT_OFF, MISSING, LOST_PICTURES):
            if found := laptop.evaluate(what):
                problems[name] = found
    assert figures > 60
    assert problems == {}


def test_a_missing_character_and_a_cut_off_word_are_found(laptop: Page) -> None:
    """The two checks above would see what they look for."""
    laptop.set_content(
        '<svg class="drawing" width="100" height="40"><text x="80" y="20">a word</text>'
        '<text x="1" y="20">x\u0378</text></svg>'
    )
    assert laptop.evaluate(CUT_OFF) == ["a word"]
    assert laptop.evaluate(MISSING) == ["\u0378"]


@pytest.mark.parametrize(("scheme", "page_is"), [("light", 255), ("dark", 19)])
def test_axes_have_the_colour_of_the_text(
    chromium: Browser, address: str, scheme: Literal["light", "dark"], page_is: int
) -> None:
    context = chromium.new_context(color_scheme=scheme)
    page = context.new_page()
    page.goto(f"{address}ja/transforms/scan.html")
    text, ink, paper = page.evaluate("""() => [
      getComputedStyle(document.querySelector("article section > p")).color,
      getComputedStyle(document.querySelector("svg.drawing text")).fill,
      getComputedStyle(document.body).backgroundColor,
    ]""")
    assert ink == text
    assert paper.startswith(f"rgb({page_is},")
    context.close()
