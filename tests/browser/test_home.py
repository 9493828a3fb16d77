"""The home page at a glance, and a page's contents on a telephone."""

import pytest
from playwright.sync_api import Browser, Page

from tests.site.built import LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844)])
def test_the_home_page_fits_one_screen(
    chromium: Browser, address: str, language: str, width: int, height: int
) -> None:
    context = chromium.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(f"{address}{language}/index.html")
    entrances = page.locator(".entrances").bounding_box()
    assert entrances
    assert entrances["y"] + entrances["height"] <= height
    for cell in page.locator("article .cell pre").all():  # nothing of the result is cut off
        assert cell.evaluate("(pre) => pre.scrollWidth <= pre.clientWidth")
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_the_contents_open_on_a_telephone(chromium: Browser, address: str, scripts: bool) -> None:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844}, java_script_enabled=scripts
    )
    page = context.new_page()
    page.goto(f"{address}ko/transforms/grad.html")
    contents = page.locator(".toc-drawer")
    icon = page.locator(".toc-header-icon")
    assert icon.locator("title, [aria-label]").count() or page.locator("#__toc").get_attribute(
        "aria-label"
    )
    icon.click()
    page.wait_for_timeout(400)  # the drawer slides in
    link = contents.locator("a[href='#exercises']")
    assert link.is_visible()
    box = link.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
    link.click()
    assert page.url.endswith("#exercises")
    context.close()


def test_the_root_asks_for_nothing_that_is_not_there(phone: Page, address: str) -> None:
    missing: list[str] = []
    phone.on("response", lambda r: missing.append(r.url) if r.status >= 400 else None)
    phone.goto(address, wait_until="networkidle")
    assert missing == []
