"""Two lines of JAX in one site, as a reader goes from one to the other."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, expect

from docs._make.join import join
from docs._make.options import SITE_LIST
from docs._make.versions import folder, older_lines
from tests.browser.whole import WHOLE
from tests.host import served
from tests.site.built import TRANSLATIONS

NEW, OLD = "99.2", "99.1"
BOTH, ONLY_NEW, ONLY_OLD = "cases/ukr-model", "transforms/grad", "transforms/scan"
ASIDE = ("en", "_notebooks", "_po", "_cards", "jax-guide-*")  # no test opens them


@pytest.fixture(scope="module")
def lines(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The real site as two lines, each with a page that the other does not have."""
    root = tmp_path_factory.mktemp("lines")
    left_out = shutil.ignore_patterns(*ASIDE, *map(folder, older_lines(site)))
    for line, lacks in ((NEW, ONLY_OLD), (OLD, ONLY_NEW)):
        shutil.copytree(site, root / line, ignore=left_out)
        (root / line / SITE_LIST).write_text(json.dumps([{"jax": line}]))
        for language in TRANSLATIONS:
            (root / line / language / f"{lacks}.html").unlink()
    join(root / NEW, NEW, {OLD: root / OLD})
    with served(root / NEW) as address:
        yield address


@pytest.fixture
def watched(request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page on the device that a test names; what it logs as an error fails the test."""
    page: Page = request.getfixturevalue(request.param)
    errors: list[str] = []

    def note(said: ConsoleMessage) -> None:
        if said.type == "error":  # what the policy stops is one, too
            errors.append(said.text)

    page.on("console", note)
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    assert errors == []


on_both = pytest.mark.parametrize("watched", ["phone", "laptop"], indirect=True)


def button(page: Page) -> Locator:
    return page.locator("nav.versions summary")


def choose(page: Page, line: str) -> None:
    button(page).click()
    page.locator("nav.versions").get_by_role("link", name=f"JAX {line}").click()


@on_both
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_same_page_and_section_of_the_other_line(
    watched: Page, lines: str, language: str
) -> None:
    old, new = f"{lines}{folder(OLD)}/{language}/{BOTH}.html", f"{lines}{language}/{BOTH}.html"
    watched.goto(new)
    expect(button(watched)).to_have_text(f"JAX {NEW}")
    expect(watched.locator(".older-version")).to_have_count(0)
    section = watched.locator("article section section").first.get_attribute("id")
    watched.goto(f"{new}#{section}")
    choose(watched, OLD)
    watched.wait_for_url(f"{old}#{section}")
    expect(button(watched)).to_have_text(f"JAX {OLD}")
    choose(watched, NEW)
    watched.wait_for_url(f"{new}#{section}")
    watched.goto(f"{old}#{section}")
    watched.locator(".older-version a").click()
    watched.wait_for_url(f"{new}#{section}")


@on_both
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_else_the_start_of_that_line(watched: Page, lines: str, language: str) -> None:
    watched.goto(f"{lines}{language}/{ONLY_NEW}.html#here")
    choose(watched, OLD)
    watched.wait_for_url(f"{lines}{folder(OLD)}/{language}/index.html")
    watched.goto(f"{lines}{folder(OLD)}/{language}/{ONLY_OLD}.html")
    watched.locator(".older-version a").click()
    watched.wait_for_url(f"{lines}{language}/index.html")


@on_both
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_the_list_fits_the_screen(watched: Page, lines: str, language: str) -> None:
    for path in (f"{folder(OLD)}/{language}/{ONLY_OLD}", f"{language}/search"):
        watched.goto(f"{lines}{path}.html")
        watched.evaluate(WHOLE)
        button(watched).click()
        size = watched.viewport_size
        assert size
        assert watched.evaluate("document.documentElement.scrollWidth") <= size["width"]
        for place in (button(watched), watched.locator("nav.versions ul")):
            box = place.bounding_box()
            assert box and box["height"] >= 24
            assert 0 <= box["x"] <= box["x"] + box["width"] <= size["width"]
        for link in watched.locator("nav.versions a").all():
            box = link.bounding_box()
            assert box and box["height"] >= 24  # for fingers


@pytest.mark.parametrize("watched", ["laptop"], indirect=True)
def test_by_keyboard(watched: Page, lines: str) -> None:
    watched.goto(f"{lines}ja/{BOTH}.html")
    watched.locator("nav.languages a").last.focus()
    watched.keyboard.press("Tab")
    expect(button(watched)).to_be_focused()
    entries = watched.locator("nav.versions ul")
    watched.keyboard.press("Enter")
    expect(entries).to_be_visible()
    watched.keyboard.press("Tab")
    watched.keyboard.press("Escape")
    expect(entries).to_be_hidden()
    expect(button(watched)).to_be_focused()
    watched.keyboard.press("Space")
    watched.keyboard.press("Tab")
    watched.keyboard.press("Enter")
    watched.wait_for_url(f"{lines}{folder(OLD)}/ja/{BOTH}.html")


@pytest.mark.parametrize("watched", ["laptop"], indirect=True)
def test_pressing_elsewhere_closes_the_list(watched: Page, lines: str) -> None:
    watched.goto(f"{lines}ko/{BOTH}.html")
    button(watched).click()
    expect(watched.locator("nav.versions ul")).to_be_visible()
    watched.locator("h1").click()
    expect(watched.locator("nav.versions ul")).to_be_hidden()


@pytest.mark.parametrize("watched", ["laptop"], indirect=True)
def test_searching_and_languages_stay_within_the_line(watched: Page, lines: str) -> None:
    line = f"{lines}{folder(OLD)}/"
    watched.goto(f"{line}ja/{BOTH}.html")
    watched.locator("nav.languages a[lang=ko]").click()
    watched.wait_for_url(f"{line}ko/{BOTH}.html")
    watched.keyboard.press("/")
    watched.locator(".search-box input:visible").fill("scan")
    watched.locator(".search-results a:visible").first.click()
    watched.wait_for_url(f"{line}ko/**")


def test_without_javascript(chromium: Browser, lines: str) -> None:
    context = chromium.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{lines}ja/{BOTH}.html")
    choose(page, OLD)
    page.wait_for_url(f"{lines}{folder(OLD)}/ja/{BOTH}.html")
    context.close()


def test_no_page_asks_for_the_list_and_one_line_has_no_switcher(
    laptop: Page, address: str, site: Path
) -> None:
    asked: list[str] = []
    laptop.on("request", lambda request: asked.append(request.url))
    laptop.goto(f"{address}ja/{BOTH}.html", wait_until="networkidle")
    expect(laptop.locator("nav.versions")).to_have_count(1 if older_lines(site) else 0)
    expect(laptop.locator(".older-version")).to_have_count(0)
    assert asked
    assert not any(SITE_LIST in url for url in asked)
