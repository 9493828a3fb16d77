"""By keyboard alone: what scrolls sideways is in the tab order, and answers open."""

from playwright.sync_api import Page, expect

GRAD = "ja/transforms/grad.html"
TAB_STOPS = """() => [...document.querySelectorAll("article pre")]
  .filter((box) => box.checkVisibility())
  .map((box) => [box.scrollWidth > box.clientWidth, box.tabIndex === 0])"""


def test_only_what_scrolls_is_in_the_tab_order(phone: Page, address: str) -> None:
    phone.goto(address + GRAD)
    phone.get_by_label("行の折り返し").uncheck()
    phone.wait_for_function(f"() => ({TAB_STOPS})().every(([scrolls, stop]) => scrolls === stop)")
    stops = phone.evaluate(TAB_STOPS)
    assert [True, True] in stops
    assert [False, False] in stops


def test_the_tab_order_follows_the_window(phone: Page, address: str) -> None:
    phone.goto(address + GRAD)
    phone.get_by_label("行の折り返し").uncheck()
    first = phone.locator("article pre").first
    expect(first).to_have_attribute("tabindex", "0")
    first.focus()
    phone.keyboard.press("ArrowRight")
    expect(first).not_to_have_js_property("scrollLeft", 0)
    phone.set_viewport_size({"width": 1280, "height": 900})
    expect(first).not_to_have_attribute("tabindex", "0")


def test_an_answer_opens(laptop: Page, address: str) -> None:
    laptop.goto(address + GRAD)
    answer = laptop.locator("details.hide").first
    assert not answer.evaluate("(details) => details.open")
    answer.locator("summary").focus()
    laptop.keyboard.press("Enter")
    assert answer.evaluate("(details) => details.open")
