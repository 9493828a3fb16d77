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


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_the_switcher_keeps_page_and_section(
    new_page: NewPage, address: str, size: dict[str, int]
) -> None:
    page = new_page(viewport=size)
    page.goto(f"{address}en/transforms/scan.html")  # without a section in the address
    page.locator("#gradients-through-a-loop p").first.evaluate("(text) => text.scrollIntoView()")
    expect(page.locator(".scroll-current")).to_have_text("Gradients through a loop")
    if size == PHONE:
        page.locator(".nav-overlay-icon").click()
    page.locator(".sidebar-drawer nav.languages").get_by_role("link", name="日本語").click()
    page.wait_for_url(f"{address}ja/transforms/scan.html#gradients-through-a-loop")
    heading = page.locator("#gradients-through-a-loop h2")
    assert re.search(r"[\u3040-\u30ff]", heading.inner_text())
    expect(heading).to_be_in_viewport()


DEEP_LINKS = [
    "ja/neural/digits-cnn.html#check-yourself",
    "en/neural/digits-inside.html#in-short",
    "ko/science/bayes.html#check-yourself",
    "ja/cases/ukr-model.html#check-yourself",
    "en/transforms/scan.html#check-yourself",
    "ko/transforms/grad.html#in-short",
    "ja/start/fifteen-minutes.html#check-yourself",
    "en/measure/memory.html#check-yourself",
    "ko/scale/sharding.html#check-yourself",
    "ja/trouble/errors-tracing.html#in-short",
]
RESTING_PLACE = """(id) => new Promise((resolve) => {
  const heading = document.getElementById(id).querySelector("h1, h2, h3");
  let [place, frames] = [NaN, 0];
  const look = () => {
    const { top } = heading.getBoundingClientRect();
    frames = top === place ? frames + 1 : 0;
    place = top;
    if (frames < 20) requestAnimationFrame(look);
    else resolve(top);
  };
  look();
})"""


@pytest.mark.parametrize("size", [LAPTOP, PHONE], ids=["laptop", "phone"])
def test_links_to_sections_arrive(new_page: NewPage, address: str, size: dict[str, int]) -> None:
    places = {}
    for link in DEEP_LINKS:
        page = new_page(viewport=size)
        page.goto(address + link)
        places[link] = page.evaluate(RESTING_PLACE, link.partition("#")[2])
    assert not {link: top for link, top in places.items() if not 0 <= top <= 120}


def test_the_address_of_a_heading_can_be_copied_by_touch(new_page: NewPage, address: str) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"{address}ja/transforms/scan.html")
    link = page.locator("#check-yourself > h2 > .headerlink")
    expect(link).to_be_visible()
    heading = page.locator("#check-yourself > h2").bounding_box()
    box = link.bounding_box()
    assert heading and box and box["x"] + box["width"] <= PHONE["width"]


@pytest.mark.parametrize("width", [1180, 1280, 1440, 1600])
def test_nothing_lies_over_the_button_to_the_top(
    new_page: NewPage, address: str, width: int
) -> None:
    page = new_page(viewport={"width": width, "height": 900}, reduced_motion="reduce")
    page.goto(f"{address}ja/transforms/grad.html")
    page.evaluate("scrollTo(0, 3000)")
    page.mouse.wheel(0, -200)
    page.locator(".back-to-top").click(trial=True)


def test_the_switcher_keeps_what_was_searched_for(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ja/search.html?q=vmap")
    laptop.locator(".sidebar-drawer nav.languages").get_by_role("link", name="한국어").click()
    laptop.wait_for_url(f"{address}ko/search.html?q=vmap")


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
    expect(laptop.locator("main a").last).to_have_attribute("href", f"{root}/ko/search.html")
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
    laptop.wait_for_url("**/phrasebook.html?route=from-pytorch")
    strip = laptop.locator(".facts .route:visible")
    expect(strip).to_contain_text("From PyTorch, 1 of 23")
    laptop.locator(".next-page:visible").click()
    laptop.wait_for_url("**/start/fifteen-minutes.html?route=from-pytorch")
    expect(strip).to_contain_text("2 of 23")
    laptop.goto(f"{address}ja/arrays/pytrees.html")  # the tab remembers the route
    expect(strip).to_contain_text("4/23")
    expect(laptop.locator(".related-pages > :visible")).to_have_count(1)
    laptop.goto(f"{address}ja/transforms/scan.html")  # not on the route
    expect(laptop.locator(".next-page:visible")).to_have_attribute(
        "href", "../arrays/random-keys.html"
    )


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


@pytest.mark.parametrize("scripts", [True, False])
@pytest.mark.parametrize(("drawer", "links"), [("navigation", "a"), ("toc", "li li a")])
def test_the_keyboard_opens_and_closes_a_drawer(
    new_page: NewPage, address: str, drawer: str, links: str, scripts: bool
) -> None:
    page = new_page(viewport={"width": 640, "height": 400}, java_script_enabled=scripts)  # 200 %
    page.goto(f"{address}ja/transforms/grad.html")
    button = page.locator(f".mobile-header button[popovertarget=__{drawer}]")
    for _ in range(6):
        page.keyboard.press("Tab")
        if button.evaluate("(button) => button === document.activeElement"):
            break
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    first = page.locator(f"#__{drawer} {links}").first
    expect(first).to_be_in_viewport(ratio=1)  # nothing takes the focus before it has slid in
    page.keyboard.press("Tab")
    expect(first).to_be_focused()
    page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(first).not_to_be_in_viewport()


@pytest.mark.parametrize(
    ("drawer", "links"),
    [("navigation", ".sidebar-tree .current-page > a"), ("toc", ".toc-tree li li a")],
)
def test_a_closed_drawer_is_not_in_the_tab_order(
    phone: Page, address: str, drawer: str, links: str
) -> None:
    phone.goto(f"{address}ko/trouble/errors-tracing.html")
    link = phone.locator(links).first
    assert not link.evaluate("(link) => link.checkVisibility()")
    phone.locator(f".mobile-header button[popovertarget=__{drawer}]").click()
    expect(link).to_be_in_viewport()
    assert link.evaluate("(link) => link.checkVisibility()")
