"""The ways around the guide: languages, drawers, wrong addresses, and the home page's entrances."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from docs._guide.options import configured_languages
from docs._guide.site.root import write_root
from tests.browser.conftest import LANGUAGES, NewPage

LAPTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize(
    ("preferred", "language"), [("ja-JP", "ja"), ("ko", "ko"), ("en-GB", "en"), ("fr-FR", "en")]
)
def test_the_root_goes_to_the_browsers_language(
    new_page: NewPage, address: str, preferred: str, language: str
) -> None:
    page = new_page(locale=preferred)
    page.goto(address)
    page.wait_for_url(f"{address}{language}/index.html")


def test_the_root_offers_the_languages_without_javascript(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False, locale="ja-JP")
    page.goto(address)
    page.get_by_role("link", name="한국어").click()
    assert page.url == f"{address}ko/index.html"


def test_the_switcher_keeps_page_and_section(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}en/transforms/scan.html")
    laptop.locator(".toc-tree a[href='#gradients-through-a-loop']").click()
    laptop.wait_for_url("**#gradients-through-a-loop")
    laptop.locator("nav.languages").get_by_role("link", name="日本語").click()
    laptop.wait_for_url(f"{address}ja/transforms/scan.html#gradients-through-a-loop")
    heading = laptop.locator("#gradients-through-a-loop h2")
    assert re.search(r"[\u3040-\u30ff]", heading.inner_text())
    expect(heading).to_be_in_viewport()  # once scrolled there


def test_the_switcher_works_without_javascript(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address}ja/transforms/grad.html")
    page.locator("nav.languages").get_by_role("link", name="한국어").click()
    assert page.url == f"{address}ko/transforms/grad.html"


@pytest.mark.parametrize(
    ("configured", "root", "path"),
    [
        (False, "", "ja/none.html"),
        (False, "/guide", "ko/deep/er/none.html"),
        (False, "/en/latest", "ko/none.html"),
        (True, "", "ja/none.html"),
        (True, "/guide", "none"),
        (True, "/en/latest", "none.html"),
    ],
)
def test_a_wrong_address_leads_back(
    laptop: Page,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    configured: bool,
    root: str,
    path: str,
) -> None:
    address = f"https://guide.example{root}"
    monkeypatch.setenv("GUIDE_SITE_URL", address if configured else "")
    write_root(tmp_path, configured_languages())

    def answer(route: Route) -> None:
        if urlsplit(route.request.url).path == f"{root}/ja/index.html":
            route.fulfill(body="The start.")
        else:
            route.fulfill(status=404, path=tmp_path / "404.html")

    laptop.route("**", answer)
    laptop.goto(f"{address}/{path}")
    assert laptop.locator("main a").last.get_attribute("href").endswith("/ko/search.html")
    assert laptop.locator("main p").count() == len(LANGUAGES)
    laptop.get_by_role("link", name="ガイドの最初へ").click()
    expect(laptop.locator("body")).to_have_text("The start.")


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_home_page_fits_one_screen(
    new_page: NewPage, address: str, language: str, size: dict[str, int]
) -> None:
    page = new_page(viewport=size)
    page.goto(f"{address}{language}/index.html")
    entrances = page.locator(".entrances").bounding_box()
    assert entrances
    assert entrances["y"] + entrances["height"] <= size["height"]
    if size == LAPTOP:  # its code is not cut off
        code = page.locator("article .cell_input pre").first
        assert code.evaluate("(pre) => pre.scrollWidth <= pre.clientWidth")


def test_a_route_leads_on_in_its_own_order(laptop: Page, address: str) -> None:
    """In the sidebar, other pages come between its steps."""
    laptop.goto(f"{address}en/index.html")
    laptop.locator(".entrances").get_by_role("link", name="From PyTorch").click()
    laptop.wait_for_url("**/start/fifteen-minutes.html?route=from-pytorch")
    strip = laptop.locator(".facts .route:visible")
    expect(strip).to_contain_text("From PyTorch, 1 of 12")
    laptop.locator(".next-page:visible").click()
    laptop.wait_for_url("**/phrasebook.html?route=from-pytorch#from-pytorch-tensors")
    expect(strip).to_contain_text("2 of 12")
    laptop.goto(f"{address}ja/arrays/pytrees.html")  # the tab remembers the route
    expect(strip).to_contain_text("4/12")
    expect(laptop.locator(".related-pages > :visible")).to_have_count(1)
    laptop.goto(f"{address}ja/transforms/vmap.html")  # not on the route
    expect(laptop.locator(".next-page:visible")).to_have_attribute("href", "jit.html")


def test_without_javascript_a_page_lists_its_routes(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address}ko/start/fifteen-minutes.html")
    assert page.locator(".next-page:visible").count() == 4  # three routes, and the sidebar
    assert page.locator(".facts .route:visible").count() == 0


@pytest.mark.parametrize("scripts", [True, False])
def test_the_contents_open_on_a_phone(new_page: NewPage, address: str, scripts: bool) -> None:
    page = new_page(viewport=PHONE, java_script_enabled=scripts)
    page.goto(f"{address}ko/transforms/grad.html")
    page.locator(".toc-header-icon").click()
    link = page.locator(".toc-drawer a[href='#check-yourself']")
    expect(link).to_be_in_viewport(ratio=1)  # once the drawer has slid in
    link.click()
    assert page.url.endswith("#check-yourself")


@pytest.mark.parametrize(
    ("drawer", "links"), [("navigation", ".sidebar-tree a"), ("toc", ".toc-tree a")]
)
def test_a_closed_drawer_is_not_in_the_tab_order(
    phone: Page, address: str, drawer: str, links: str
) -> None:
    phone.goto(f"{address}ko/trouble/errors-tracing.html")
    link = phone.locator(links).nth(1)
    assert not link.evaluate("(link) => link.checkVisibility()")
    phone.locator(f".mobile-header label[for=__{drawer}]").click()
    expect(link).to_be_in_viewport()
    assert link.evaluate("(link) => link.checkVisibility()")


def test_reduced_motion_turns_smooth_scrolling_off(phone: Page, address: str) -> None:
    scrolling = "getComputedStyle(document.documentElement).scrollBehavior"
    phone.goto(f"{address}ja/transforms/grad.html")
    assert phone.evaluate(scrolling) == "smooth"
    phone.emulate_media(reduced_motion="reduce")
    assert phone.evaluate(scrolling) == "auto"
