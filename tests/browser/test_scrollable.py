"""What scrolls sideways can be reached by keyboard; what fits is no stop on the way."""

from playwright.sync_api import Browser, Page, expect

from tests.browser.whole import WHOLE

PAGE = "ja/transforms/grad.html"
STOPS = """() => [...document.querySelectorAll("article pre")]
  .filter((box) => box.checkVisibility())
  .map((box) => [box.scrollWidth > box.clientWidth, box.tabIndex === 0])"""


def test_only_what_scrolls_is_a_stop(phone: Page, address: str) -> None:
    phone.goto(address + PAGE)
    phone.evaluate(WHOLE)
    phone.wait_for_function(f"() => ({STOPS})().every(([scrolls, stop]) => scrolls === stop)")
    stops = phone.evaluate(STOPS)
    assert [True, True] in stops
    assert [False, False] in stops


def test_it_follows_the_window(phone: Page, address: str) -> None:
    phone.goto(address + PAGE)
    first = phone.locator("article pre").first
    expect(first).to_have_attribute("tabindex", "0")
    phone.set_viewport_size({"width": 1280, "height": 900})
    expect(first).not_to_have_attribute("tabindex", "0")


def test_a_long_line_is_scrolled_by_keyboard(phone: Page, address: str) -> None:
    phone.goto(address + PAGE)
    first = phone.locator("article pre").first
    expect(first).to_have_attribute("tabindex", "0")
    first.focus()
    phone.keyboard.press("ArrowRight")
    expect(first).not_to_have_js_property("scrollLeft", 0)


def test_paper_has_no_buttons_and_shows_the_answers(chromium: Browser, address: str) -> None:
    context = chromium.new_context(viewport={"width": 800, "height": 1100})
    page = context.new_page()
    page.goto(address + PAGE)
    answer = page.locator("details.hide pre").first
    expect(answer).not_to_be_visible()
    page.emulate_media(media="print")
    hidden = "nav.languages, .skip-to-content, .sidebar-drawer, .mobile-header, .back-to-top"
    assert page.locator(f":is({hidden}):visible").count() == 0
    assert answer.evaluate("(box) => box.getBoundingClientRect().height") > 20
    wide = "(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length"
    assert page.locator("article pre").evaluate_all(wide) == 0
    context.close()
