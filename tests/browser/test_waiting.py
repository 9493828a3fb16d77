"""Sections far from what is seen wait; nobody who looks for a place must notice it."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.site.built import LANGUAGES, page

LONG = "trouble/errors-tracing"
LAID_OUT = "(element) => element.checkVisibility({ contentVisibilityAuto: true })"
DOWN_UNTIL_SEEN = """(element) => {
  scrollTo({ top: document.body.scrollHeight, behavior: "instant" });
  return element.checkVisibility({ contentVisibilityAuto: true });
}"""
STILL = "() => scrollY === window.before || ((window.before = scrollY), false)"
SEEN = """() => [...document.querySelectorAll("article :is(p, pre)")]
  .find((element) => element.getBoundingClientRect().top > 100).innerText"""


def sections(language: str) -> list[str]:
    """Ids of all sections of a long page."""
    return [str(section["id"]) for section in page(language, LONG).select("section section")]


def test_a_first_visit_lays_out_what_is_near(phone: Page, address: str) -> None:
    phone.goto(f"{address}ja/{LONG}.html")
    *_, last = sections("ja")
    heading = phone.locator(f"[id='{last}'] > :is(h2, h3)")
    assert not heading.evaluate(LAID_OUT)
    assert phone.locator("article h1").evaluate(LAID_OUT)
    phone.wait_for_function(DOWN_UNTIL_SEEN, arg=heading.element_handle())


def test_without_javascript_nothing_waits(chromium: Browser, address: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{address}ja/{LONG}.html")
    *_, last = sections("ja")
    assert page.locator(f"[id='{last}'] > :is(h2, h3)").evaluate(LAID_OUT)
    context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_address_with_a_place_leads_there(phone: Page, address: str, language: str) -> None:
    for name in sections(language)[::3]:
        phone.goto("about:blank")
        phone.goto(f"{address}{language}/{LONG}.html#{name}")
        heading = phone.locator(f"[id='{name}'] > :is(h2, h3)")
        expect(heading).to_be_in_viewport()
        phone.wait_for_function(STILL, polling=200)
        expect(heading).to_be_in_viewport()  # also once nothing moves any more


def test_a_reload_stays_where_it_was(phone: Page, address: str) -> None:
    phone.goto(f"{address}ko/{LONG}.html")
    for _ in range(20):
        phone.mouse.wheel(0, 500)
        phone.wait_for_timeout(30)
    phone.wait_for_timeout(300)
    before = phone.evaluate(SEEN)
    phone.reload()
    phone.wait_for_function(f"(before) => ({SEEN})() === before", arg=before)


def test_a_search_in_the_page_finds_what_waits(phone: Page, address: str) -> None:
    phone.goto(f"{address}en/{LONG}.html")
    *_, last = phone.locator("article section > p").all_text_contents()
    assert phone.evaluate("(words) => window.find(words)", last.splitlines()[0])


@pytest.mark.parametrize("drawer", ["navigation", "toc"])
def test_a_closed_drawer_is_no_stop_on_the_way(phone: Page, address: str, drawer: str) -> None:
    phone.goto(f"{address}ko/{LONG}.html")
    inside = {"navigation": ".sidebar-tree a", "toc": ".toc-tree a"}[drawer]
    link = phone.locator(inside).nth(1)
    assert not link.evaluate("(link) => link.checkVisibility()")
    phone.locator(f".mobile-header label[for=__{drawer}]").click()
    expect(link).to_be_in_viewport()
    assert link.evaluate("(link) => link.checkVisibility()")
