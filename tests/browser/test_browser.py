"""What only a browser shows."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.whole import WHOLE
from tests.site.built import LANGUAGES, PAGES

EVERY_PAGE = [f"{language}/{name}.html" for language in LANGUAGES for name in PAGES]


@pytest.mark.parametrize(
    ("preferred", "arrives_at"),
    [("ja-JP", "ja"), ("ko", "ko"), ("en-GB", "en"), ("fr-FR", "en")],
)
def test_the_root_goes_to_the_browsers_language(
    chromium: Browser, address: str, preferred: str, arrives_at: str
) -> None:
    context = chromium.new_context(locale=preferred)
    page = context.new_page()
    page.goto(address)
    page.wait_for_url(f"{address}{arrives_at}/index.html")
    assert page.locator("html").get_attribute("lang") == arrives_at
    context.close()


def test_the_root_offers_the_languages_without_javascript(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False, locale="ja-JP")
    page = context.new_page()
    page.goto(address)
    page.get_by_role("link", name="한국어").click()
    assert page.url == f"{address}ko/index.html"
    context.close()


def test_the_switcher_keeps_page_and_section(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}en/transforms/scan.html")
    laptop.locator(".toc-tree a[href='#gradients-through-a-loop']").click()
    laptop.wait_for_url("**#gradients-through-a-loop")
    laptop.locator("nav.languages").get_by_role("link", name="日本語").click()
    laptop.wait_for_url(f"{address}ja/transforms/scan.html#gradients-through-a-loop")
    heading = laptop.locator("#gradients-through-a-loop h2")
    assert re.search(r"[\u3040-\u30ff]", heading.inner_text())
    expect(heading).to_be_in_viewport()  # once scrolled there


def test_the_switcher_works_without_javascript(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}ja/transforms/grad.html")
    page.locator("nav.languages").get_by_role("link", name="한국어").click()
    assert page.url == f"{address}ko/transforms/grad.html"
    context.close()


@pytest.mark.parametrize("path", EVERY_PAGE)
def test_a_phone_shows_no_page_wider_than_itself(phone: Page, address: str, path: str) -> None:
    phone.goto(address + path)
    phone.evaluate(WHOLE)
    phone.evaluate("document.querySelectorAll('details').forEach((d) => (d.open = true))")
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    wider = phone.evaluate(
        """[...document.querySelectorAll('article img, article p, article figcaption, article li')]
           .filter((e) => e.offsetWidth > 0 && !e.closest('.table-wrapper, .film-panel'))
           .filter((e) => e.getBoundingClientRect().right > 391)
           .map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert wider == []


@pytest.mark.parametrize("path", ["ja/transforms/grad.html", "ko/index.html"])
def test_dark_mode_is_followed_and_can_be_chosen(
    chromium: Browser, address: str, path: str
) -> None:
    def lightness(page: Page, of: str) -> float:
        colour = page.evaluate(f"getComputedStyle(document.querySelector('body')).{of}")
        red, green, blue = (int(part) for part in re.findall(r"\d+", colour)[:3])
        return (red + green + blue) / 765

    context = chromium.new_context(color_scheme="dark")
    page = context.new_page()
    page.goto(address + path)
    assert lightness(page, "backgroundColor") < 0.2 < 0.6 < lightness(page, "color")
    page.emulate_media(color_scheme="light")
    assert lightness(page, "backgroundColor") > 0.9
    page.locator(".theme-toggle-content button").click()  # auto → light or dark
    page.locator(".theme-toggle-content button").click()
    assert page.evaluate("document.body.dataset.theme") in {"light", "dark"}
    context.close()


@pytest.mark.parametrize("path", EVERY_PAGE)
def test_no_page_asks_another_host_or_logs_an_error(laptop: Page, address: str, path: str) -> None:
    asked: list[str] = []
    problems: list[str] = []
    laptop.on("request", lambda request: asked.append(request.url))
    laptop.on("requestfailed", lambda request: problems.append(request.url))
    laptop.on("pageerror", lambda error: problems.append(str(error)))
    laptop.on("response", lambda r: problems.append(r.url) if r.status >= 400 else None)
    laptop.goto(address + path, wait_until="networkidle")
    assert [url for url in asked if not url.startswith((address, "data:"))] == []
    assert problems == []


def test_figures_are_drawn(laptop: Page, address: str) -> None:
    for name in PAGES:
        laptop.goto(f"{address}ko/{name}.html")
        for picture in laptop.locator(".cell_output img").all():
            picture.scroll_into_view_if_needed()
            assert picture.evaluate("(img) => img.complete && img.naturalWidth > 100")


def test_formulas_are_set_as_mathematics(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ja/transforms/grad.html")
    exponent = laptop.locator("article math msup mn").first.bounding_box()
    base = laptop.locator("article math msup mi").first.bounding_box()
    assert exponent and base
    assert exponent["y"] < base["y"]  # raised
    assert exponent["x"] >= base["x"] + base["width"] - 1


def test_an_answer_opens_by_keyboard(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ja/transforms/grad.html")
    answer = laptop.locator("details.hide").first
    assert not answer.evaluate("(d) => d.open")
    answer.locator("summary").focus()
    laptop.keyboard.press("Enter")
    assert answer.evaluate("(d) => d.open")


@pytest.mark.parametrize("path", ["ja/none.html", "ko/deep/er/none.html", "none"])
def test_a_wrong_address_leads_back(laptop: Page, address: str, path: str) -> None:
    laptop.goto(address + path)
    assert laptop.locator("main p").count() == 3
    if "/" in path:
        laptop.get_by_role("link", name="ガイドの最初へ").click()
        assert laptop.url == f"{address}ja/index.html"


def test_who_asked_for_less_motion_is_not_scrolled_in_steps(phone: Page, address: str) -> None:
    scrolling = "getComputedStyle(document.documentElement).scrollBehavior"
    phone.goto(f"{address}ja/transforms/grad.html")
    assert phone.evaluate(scrolling) == "smooth"
    phone.emulate_media(reduced_motion="reduce")
    assert phone.evaluate(scrolling) == "auto"
