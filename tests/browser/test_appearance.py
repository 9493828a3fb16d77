"""Dark mode, formulas, figures in the colours of the text, and the printed page."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage

GRAD = "ja/transforms/grad.html"


def lightness(page: Page, property_: str) -> float:
    """How light a colour of the page is, from 0 to 1."""
    colour = page.evaluate(f"getComputedStyle(document.body).{property_}")
    return sum(int(part) for part in re.findall(r"\d+", colour)[:3]) / 765


@pytest.mark.parametrize("path", [GRAD, "ko/index.html"])
def test_dark_mode_follows_the_system_and_can_be_chosen(
    new_page: NewPage, address: str, path: str
) -> None:
    page = new_page(color_scheme="dark")
    page.goto(address + path)
    assert lightness(page, "backgroundColor") < 0.2 < 0.6 < lightness(page, "color")
    page.emulate_media(color_scheme="light")
    assert lightness(page, "backgroundColor") > 0.9
    page.locator(".theme-toggle-content button").click()  # the opposite of the system's
    assert page.evaluate("document.body.dataset.theme") == "dark"
    assert lightness(page, "backgroundColor") < 0.2
    page.emulate_media(media="print")
    assert lightness(page, "color") < 0.3 < 0.9 < lightness(page, "backgroundColor")


@pytest.mark.parametrize("colours", ["light", "dark"])
def test_axes_have_the_colour_of_the_text(new_page: NewPage, address: str, colours: str) -> None:
    page = new_page(color_scheme=colours)
    page.goto(f"{address}ja/transforms/scan.html")
    text = page.locator("article section > p").first.evaluate("(e) => getComputedStyle(e).color")
    axis = page.locator("svg.drawing text").first.evaluate("(e) => getComputedStyle(e).fill")
    assert axis == text


def test_forced_colours_show_which_tab_is_selected(new_page: NewPage, address: str) -> None:
    page = new_page(forced_colors="active")
    page.goto(address + GRAD)
    labels = page.locator(".tab-set").first.locator("> label")
    lines = labels.evaluate_all("(all) => all.map((e) => getComputedStyle(e).borderBottomWidth)")
    assert set(lines) == {"0px", "2px"} and lines.count("2px") == 1


def test_formulas_are_set_as_mathematics(laptop: Page, address: str) -> None:
    laptop.goto(address + GRAD)
    exponent = laptop.locator("article math msup mn").first.bounding_box()
    base = laptop.locator("article math msup mi").first.bounding_box()
    assert exponent and base
    assert exponent["y"] < base["y"]  # raised
    assert exponent["x"] >= base["x"] + base["width"] - 1


def test_paper_has_no_buttons_and_shows_the_answers(new_page: NewPage, address: str) -> None:
    page = new_page(viewport={"width": 800, "height": 1100})
    page.goto(address + GRAD)
    answer = page.locator("details.answer pre").first
    expect(answer).not_to_be_visible()
    page.emulate_media(media="print")
    controls = "nav.languages, .skip-to-content, .sidebar-drawer, .mobile-header, .back-to-top"
    assert page.locator(f":is({controls}):visible").count() == 0
    assert answer.evaluate("(box) => box.getBoundingClientRect().height") > 20
    wide = "(boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length"
    assert page.locator("article pre").evaluate_all(wide) == 0
