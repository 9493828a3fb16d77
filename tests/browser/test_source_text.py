"""The button that shows the English original under each translated paragraph."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import TRANSLATIONS, NewPage

GRAD = "transforms/grad.html"


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_button_shows_and_hides_them_by_keyboard(
    laptop: Page, address: str, language: str
) -> None:
    requests: list[str] = []
    laptop.on("request", lambda request: requests.append(request.url))
    laptop.goto(f"{address}{language}/{GRAD}")
    assert not any("_source_text" in url for url in requests)
    button = laptop.locator("button.source-text-toggle")
    assert laptop.locator(".source-text").count() == 0

    button.focus()
    laptop.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-pressed", "true")
    title = laptop.locator("h1 .source-text")
    expect(title).to_be_visible()
    expect(title).to_have_text("grad: the derivative of a function")
    expect(title).to_have_attribute("lang", "en")
    assert laptop.locator(".source-text code").count() > 10
    assert laptop.locator(".source-text math").count() > 3
    assert laptop.locator("figcaption .source-text").count() > 0

    laptop.keyboard.press("Space")
    expect(button).to_have_attribute("aria-pressed", "false")
    expect(title).to_be_hidden()
    assert len([url for url in requests if "_source_text" in url]) == 1


def test_the_choice_is_remembered_while_browsing(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ja/{GRAD}")
    laptop.locator("button.source-text-toggle").click()
    laptop.goto(f"{address}ko/transforms/scan.html")
    expect(laptop.locator("h1 .source-text")).to_be_visible()
    laptop.locator("button.source-text-toggle").click()
    laptop.goto(f"{address}ko/index.html")
    expect(laptop.locator("button.source-text-toggle")).to_have_attribute("aria-pressed", "false")
    assert laptop.locator(".source-text").count() == 0


def test_links_of_an_original_lead_where_those_of_its_translation_do(
    laptop: Page, address: str
) -> None:
    laptop.goto(f"{address}ja/index.html")
    laptop.locator("button.source-text-toggle").click()
    laptop.wait_for_selector(".source-text")
    pairs = laptop.evaluate(
        """[...document.querySelectorAll('.source-text')].map((original) => {
             const links = (e) => [...e.querySelectorAll('a:not(.headerlink)')].map((a) => a.href);
             const inside = links(original);
             return [inside, links(original.parentElement).slice(0, inside.length)];
           })"""
    )
    assert pairs
    for inside, translated in pairs:
        assert sorted(inside) == sorted(translated)


def test_paper_shows_neither_button_nor_originals(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ja/{GRAD}")
    laptop.locator("button.source-text-toggle").click()
    laptop.wait_for_selector("h1 .source-text")
    laptop.emulate_media(media="print")
    assert laptop.locator(":is(.source-text, .source-text-toggle):visible").count() == 0


def test_there_is_no_button_without_javascript_or_translation(
    new_page: NewPage, laptop: Page, address: str
) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address}ja/{GRAD}")
    expect(page.locator("button.source-text-toggle")).to_be_hidden()
    for path in ("en/index.html", "ja/search.html"):
        laptop.goto(address + path)
        assert laptop.locator("button.source-text-toggle").count() == 0


def test_they_are_shown_from_a_disk_too(laptop: Page, site: Path) -> None:
    laptop.goto(f"{site.as_uri()}/ja/{GRAD}")
    laptop.locator("button.source-text-toggle").click()
    expect(laptop.locator("h1 .source-text")).to_be_visible()


def test_a_missing_file_takes_the_button_away(laptop: Page, address: str) -> None:
    laptop.route("**/_source_text/**", lambda route: route.abort())
    laptop.goto(f"{address}ja/{GRAD}")
    laptop.locator("button.source-text-toggle").click()
    expect(laptop.locator("button.source-text-toggle")).to_be_hidden()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_phone_has_room_for_them(phone: Page, address: str, language: str) -> None:
    for name in ("index", "transforms/grad", "transforms/scan", "measure/async-dispatch"):
        phone.goto(f"{address}{language}/{name}.html")
        if phone.locator("button.source-text-toggle").get_attribute("aria-pressed") == "false":
            phone.locator("button.source-text-toggle").tap()
        phone.wait_for_selector(".source-text")
        assert phone.evaluate("document.documentElement.scrollWidth") <= 390
