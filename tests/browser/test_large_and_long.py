"""Figures, tables and lists that are larger than a screen."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage


def test_a_figure_opens_larger_than_a_phone_and_then_whole(phone: Page, address: str) -> None:
    phone.goto(f"{address}ja/transforms/scan.html")
    phone.locator("svg.drawing").first.tap()
    dialog = phone.get_by_role("dialog", name="拡大")
    is_larger = "(dialog) => dialog.scrollWidth > 1.5 * dialog.clientWidth"
    assert dialog.evaluate(is_larger)
    dialog.locator("svg").tap()
    assert not dialog.evaluate(is_larger)
    dialog.locator("button").tap()
    expect(dialog).to_be_hidden()


def test_a_figure_opens_by_keyboard(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}en/transforms/scan.html")
    button = laptop.get_by_role("button", name="Enlarge").first
    button.press("Enter")
    expect(laptop.get_by_role("dialog", name="Enlarge")).to_be_visible()
    laptop.keyboard.press("Escape")
    expect(button).to_be_focused()


def test_paper_and_a_page_without_scripts_show_one_step_of_lines(
    new_page: NewPage, laptop: Page, address: str
) -> None:
    url = f"{address}en/transforms/scan.html"
    plain = new_page(java_script_enabled=False)
    plain.goto(url)
    laptop.goto(url)
    laptop.emulate_media(media="print")
    for page in (plain, laptop):
        steps = page.locator("[data-step]:visible")
        shown = {step.get_attribute("data-step") for step in steps.all()}
        assert shown == {"learning rate = 0.85, momentum = 0.9"}
    expect(laptop.locator(".steps output")).to_have_text(["0.85", "0.9"])


def test_a_row_of_a_wide_table_is_a_card_on_a_phone(
    phone: Page, laptop: Page, address: str
) -> None:
    head = "(cell) => [getComputedStyle(cell, '::before').content, getComputedStyle(cell).display]"
    for page, expected in ((phone, ['"原因"', "block"]), (laptop, ["none", "table-cell"])):
        page.goto(f"{address}ja/trouble/installing.html")
        cell = page.locator("td[data-head='原因']").first
        assert cell.evaluate(head) == expected
    wrapper = phone.locator(".table-wrapper").first
    assert wrapper.evaluate("(table) => table.scrollWidth <= table.clientWidth")


@pytest.mark.parametrize("typed", ["자코비안", "JACOBIAN"])
def test_the_glossary_is_filtered_by_any_spelling(laptop: Page, address: str, typed: str) -> None:
    laptop.goto(f"{address}ko/reference/glossary.html")
    laptop.get_by_role("searchbox", name="항목 좁히기").fill(typed)
    expect(laptop.locator("#term-jacobian")).to_be_visible()
    expect(laptop.locator("#term-gradient")).to_be_hidden()
    assert laptop.locator(".letter:visible").count() < 5


@pytest.mark.parametrize(
    ("name", "typed", "rows"),
    [
        ("reference/phrasebook", "argsort", ".phrases tbody tr"),
        ("reference/api", "jax.lax.scan", ".api-names dt"),
    ],
)
def test_other_lists_are_filtered(
    laptop: Page, address: str, name: str, typed: str, rows: str
) -> None:
    laptop.goto(f"{address}ja/{name}.html")
    before = laptop.locator(f"{rows}:visible").count()
    laptop.get_by_role("searchbox", name="項目を絞り込む").fill(typed)
    expect(laptop.locator(f"{rows}:visible").filter(has_text=typed)).not_to_have_count(0)
    assert laptop.locator(f"{rows}:visible").count() < before / 10
    assert laptop.locator("article h2:visible").count() > 0
    laptop.get_by_role("searchbox", name="項目を絞り込む").fill("zzz")
    expect(laptop.get_by_text("該当する項目がありません。")).to_be_visible()


def test_the_groups_of_the_sidebar_unfold_without_a_script(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False, viewport={"width": 1440, "height": 900})
    page.goto(f"{address}en/transforms/grad.html")
    other = page.locator(".sidebar-tree a", has_text="Glossary")
    expect(other).to_be_hidden()
    page.locator(".sidebar-tree summary", has_text="Reference").click()
    expect(other).to_be_visible()
