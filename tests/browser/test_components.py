"""Questions, tabs, previews of terms, copying, marks and reports, as readers use them."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import NewPage


def test_a_choice_is_answered_by_keyboard(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ja/transforms/jit.html")
    choices = laptop.locator(".question").first.locator("details")
    choices.nth(0).locator("summary").focus()
    laptop.keyboard.press("Enter")
    expect(choices.nth(0)).to_contain_text("違います。")
    laptop.keyboard.press("Tab")
    laptop.keyboard.press("Space")
    expect(choices.nth(1)).to_contain_text("正解です。")
    assert choices.nth(2).get_attribute("open") is None


def test_tabs_are_chosen_by_keyboard_and_stored(laptop: Page, address: str) -> None:
    url = f"{address}en/transforms/grad.html"
    laptop.goto(url)
    buttons = laptop.locator(".tab-set").first.get_by_role("radio")
    expect(buttons.first).to_be_checked()
    buttons.first.focus()
    laptop.keyboard.press("ArrowRight")
    expect(laptop.get_by_role("radio", name="NumPy")).to_be_checked()
    expect(laptop.get_by_text("difference = (above - below)")).to_be_visible()
    laptop.goto(url)
    expect(laptop.get_by_role("radio", name="NumPy")).to_be_checked()


def test_tabs_need_no_script(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address}en/transforms/grad.html")
    page.locator(".tab-set label", has_text="PyTorch").click()
    expect(page.get_by_text("requires_grad=True")).to_be_visible()


def test_a_term_shows_its_meaning(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ja/transforms/jit.html")
    term = laptop.locator("a.term").first
    preview = laptop.get_by_role("tooltip")
    expect(preview).to_be_hidden()
    term.hover()
    expect(preview).to_contain_text(str(term.get_attribute("data-meaning")))
    preview.hover()
    expect(preview).to_be_visible()
    laptop.keyboard.press("Escape")
    expect(preview).to_be_hidden()
    term.evaluate("(link) => link.focus({ focusVisible: true })")
    expect(preview).to_be_visible()


def test_a_touch_shows_the_meaning_and_the_next_one_follows_the_link(
    phone: Page, address: str
) -> None:
    phone.goto(f"{address}ko/transforms/jit.html")
    term = phone.locator("a.term").first
    term.tap()
    preview = phone.get_by_role("tooltip")
    expect(preview).to_be_visible()
    box = preview.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
    term.tap()
    phone.wait_for_url("**/reference/glossary.html#term-*")


def test_a_link_to_the_reference_shows_a_card_that_leads_to_the_page(
    laptop: Page, address: str
) -> None:
    laptop.goto(f"{address}ja/reference/api.html")
    laptop.locator("a.api").first.hover()
    card = laptop.get_by_role("tooltip")
    expect(card.locator("code")).to_contain_text("jax.lax.scan(f, init, xs=None")
    expect(card.locator("[lang=en]")).to_contain_text("Scan a function")
    card.locator("a").click()
    laptop.wait_for_url("**/ja/transforms/scan.html")


def test_the_files_of_a_page_are_offered_without_a_script(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False, viewport={"width": 390, "height": 800})
    page.goto(f"{address}ko/transforms/scan.html")
    files = page.locator("#page-files")
    expect(files).to_be_hidden()
    page.get_by_role("button", name="내려받기").click()
    expect(files.get_by_role("link", name="Markdown")).to_be_visible()
    expect(files).to_contain_text("uv run transforms-scan-ko.py")
    box = files.bounding_box()
    assert box and box["x"] >= 0 and box["x"] + box["width"] <= 390
    page.keyboard.press("Escape")
    expect(files).to_be_hidden()


def test_code_is_copied_without_outputs(new_page: NewPage, address: str) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{address}ja/transforms/grad.html")
    cell = page.locator(".cell_input").nth(1)
    cell.hover()
    cell.get_by_role("button", name="コピー").click()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == cell.locator("pre").inner_text().rstrip()
    expect(page.get_by_role("status")).to_contain_text(["コピーしました"])
    expect(page.locator(".checks")).not_to_have_count(0)
    expect(page.locator(".checks button.copy")).to_have_count(0)


CUT_OFF = """() => [...document.querySelectorAll("article pre")]
  .filter((box) => box.scrollWidth > box.clientWidth).length"""


def test_a_phone_wraps_lines_until_a_reader_turns_it_off(phone: Page, address: str) -> None:
    phone.goto(f"{address}ja/transforms/grad.html")
    assert phone.evaluate(CUT_OFF) == 0
    starts = "(lines) => lines.map((line) => parseFloat(getComputedStyle(line).paddingLeft))"
    lines = phone.locator("article pre .line").filter(has_text=re.compile(r"^ {4}\S"))
    assert min(lines.evaluate_all(starts)) > 30  # the rest of a line begins behind its indentation
    phone.get_by_label("行の折り返し").uncheck()
    assert phone.evaluate(CUT_OFF) > 3
    phone.goto(f"{address}ja/transforms/scan.html")
    expect(phone.get_by_label("行の折り返し")).not_to_be_checked()
    assert phone.evaluate(CUT_OFF) > 3
    phone.set_viewport_size({"width": 1280, "height": 900})
    expect(phone.get_by_label("行の折り返し")).to_be_hidden()


def test_code_is_wider_than_prose_where_there_is_room(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}en/transforms/grad.html")
    for width, room in ((1280, False), (1400, True), (1552, True), (1920, True)):
        laptop.set_viewport_size({"width": width, "height": 900})
        code, prose = (
            laptop.locator(f"article section > {part}").first.bounding_box()
            for part in ("div.cell", "p")
        )
        contents = laptop.locator(".toc-sticky").bounding_box()
        assert code and prose and contents
        assert (code["width"] > prose["width"] + 40) == room
        assert code["x"] + code["width"] < contents["x"]
        assert laptop.evaluate("document.documentElement.scrollWidth") <= width


def test_a_page_that_was_read_is_marked_until_the_marks_are_cleared(
    laptop: Page, address: str
) -> None:
    routes = f"{address}en/start/routes.html"
    laptop.goto(routes)
    link = laptop.locator(".routes a", has_text="jit").first
    expect(link).not_to_have_class("read")
    laptop.goto(f"{address}en/transforms/jit.html")
    laptop.locator(".related-pages").scroll_into_view_if_needed()
    expect(laptop.locator(".sidebar-tree a.read")).to_have_text("jit: compile a function")
    laptop.goto(routes)
    assert "read" in str(link.get_attribute("class"))
    laptop.locator(".related-pages").scroll_into_view_if_needed()
    expect(laptop.locator(".sidebar-tree a.read")).to_have_count(2)
    laptop.locator(".clear-progress").click()
    expect(laptop.locator(".routes a").first).to_be_focused()
    assert "read" not in str(link.get_attribute("class")).split()
    assert laptop.evaluate("Object.keys(localStorage)") == []


BLOCKED = """for (const name of ["localStorage", "sessionStorage"])
  Object.defineProperty(window, name, { get() { throw new DOMException("blocked"); } });"""
DAMAGED = """for (const name of ["tabs", "pages-read", "source-text"])
  for (const storage of [localStorage, sessionStorage])
    for (const site of ["", "/guide/"]) storage.setItem(site + name, "5");"""


@pytest.mark.parametrize("state", [BLOCKED, DAMAGED])
def test_storage_that_is_blocked_or_unreadable_ends_no_script(
    laptop: Page, address: str, state: str
) -> None:
    errors: list[str] = []
    laptop.on("pageerror", lambda error: errors.append(str(error.stack)))
    laptop.add_init_script(state)
    laptop.goto(f"{address}ja/transforms/grad.html")
    laptop.locator("button.source-text-toggle").click()
    expect(laptop.locator("h1 .source-text")).to_be_visible()
    laptop.locator(".tab-set label", has_text="NumPy").first.click()
    laptop.locator(".related-pages").scroll_into_view_if_needed()
    expect(laptop.locator(".sidebar-tree a.read")).to_have_count(1)
    assert not [stack for stack in errors if "/_static/" in stack]  # else it is Furo's


def test_sites_of_one_host_share_no_choice(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ja/transforms/grad.html")
    laptop.locator("button.source-text-toggle").click()
    laptop.locator(".tab-set label", has_text="NumPy").first.click()
    names = laptop.evaluate("[...Object.keys(localStorage), ...Object.keys(sessionStorage)]")
    assert {"/guide/tabs", "/guide/source-text"} <= set(names)
    assert all(name.startswith("/guide/") for name in names)
