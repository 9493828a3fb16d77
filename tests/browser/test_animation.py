"""A film: one panel of a figure at a time, for those who have a screen and JavaScript."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LANGUAGES, NewPage

PAGE = "cases/ukr-model.html"
WORDS = {
    "en": ("Play", "Pause", "Epoch"),
    "ja": ("再生", "一時停止", "エポック"),
    "ko": ("재생", "일시정지", "에폭"),
}
# Where the panel's left upper corner is within the image, in panels.
SHOWN = """(panel) => {
  const [outer, inner] = [panel, panel.firstElementChild].map((e) => e.getBoundingClientRect());
  return [outer.y - inner.y, outer.x - inner.x].map((gap) => Math.round(gap / outer.width));
}"""


def open_paused(page: Page, url: str) -> None:
    """Open a page whose timers run only when the test says so."""
    page.clock.install(time=0)
    page.goto(url)
    page.clock.pause_at(60_000)


def shown(page: Page) -> list[int]:
    """Row and column of the panel that can be seen."""
    place: list[int] = page.locator(".animation-panel").evaluate(SHOWN)
    return place


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_plays_on_request_and_stops_at_the_end(
    laptop: Page, address: str, language: str
) -> None:
    play, pause, epoch = WORDS[language]
    open_paused(laptop, f"{address}{language}/{PAGE}")
    button = laptop.locator(".animation-controls button")
    slider = laptop.get_by_role("slider", name=epoch, exact=True)
    laptop.clock.run_for(10_000)
    expect(slider).to_have_value("0")  # never by itself
    # A margin around the panels would shift them in the film.
    assert laptop.locator(".animation-panel svg").get_attribute("viewBox") == "0 0 648 648"
    expect(button).to_have_text(play)

    button.click()
    expect(button).to_have_text(pause)
    laptop.clock.run_for(410)
    expect(slider).to_have_value("2")
    assert shown(laptop) == [0, 1]
    laptop.clock.run_for(400 * 20)
    expect(slider).to_have_value("30")
    expect(slider).to_have_attribute("aria-valuetext", "30 / 30")
    expect(button).to_have_text(play)
    assert shown(laptop) == [3, 3]

    button.click()  # from the start again
    expect(slider).to_have_value("0")
    expect(button).to_have_text(pause)


@pytest.mark.parametrize(("language", "step"), [("en", "Step"), ("ja", "ステップ"), ("ko", "단계")])
def test_an_episode_has_steps_instead_of_epochs(
    laptop: Page, address: str, language: str, step: str
) -> None:
    laptop.goto(f"{address}{language}/neural/evolution.html")
    slider = laptop.get_by_role("slider", name=step, exact=True)
    slider.press("End")
    expect(slider).to_have_attribute("aria-valuetext", "375 / 375")
    assert shown(laptop) == [3, 3]


def test_it_is_played_and_moved_by_keyboard(laptop: Page, address: str) -> None:
    open_paused(laptop, f"{address}en/{PAGE}")
    button = laptop.get_by_role("button", name="Play", exact=True)
    button.focus()
    laptop.keyboard.press("Space")
    laptop.clock.run_for(810)
    slider = laptop.get_by_role("slider", name="Epoch", exact=True)
    expect(slider).to_have_value("4")

    laptop.keyboard.press("Tab")
    expect(slider).to_be_focused()
    laptop.keyboard.press("ArrowRight")
    expect(slider).to_have_value("6")
    expect(slider).to_have_attribute("aria-valuetext", "6 / 30")
    assert shown(laptop) == [0, 3]
    laptop.keyboard.press("ArrowRight")
    assert shown(laptop) == [1, 0]
    laptop.clock.run_for(5_000)
    expect(slider).to_have_value("8")  # who moves it stops it
    expect(button).to_have_text("Play")


def test_less_motion_is_slower(new_page: NewPage, address: str) -> None:
    page = new_page(reduced_motion="reduce")
    open_paused(page, f"{address}ja/{PAGE}")
    page.locator(".animation-controls button").click()
    page.clock.run_for(1400)
    expect(page.locator(".animation-controls input")).to_have_value("0")
    page.clock.run_for(200)
    expect(page.locator(".animation-controls input")).to_have_value("2")


def test_a_phone_shows_one_panel_and_both_controls(phone: Page, address: str) -> None:
    phone.goto(f"{address}ja/{PAGE}")
    panel = phone.locator(".animation-panel").bounding_box()
    assert panel
    assert panel["x"] + panel["width"] <= 390
    assert abs(panel["width"] - panel["height"]) < 1
    assert panel["width"] > 300
    for control in phone.locator(".animation-controls :is(button, input)").all():
        box = control.bounding_box()
        assert box
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= 390
    phone.locator(".animation-controls button").tap()
    expect(phone.locator(".animation-controls button")).to_have_text("一時停止")


def test_paper_shows_all_panels_and_no_controls(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ko/{PAGE}")
    laptop.locator(".animation-controls input").press("End")
    assert shown(laptop) == [3, 3]
    laptop.emulate_media(media="print")
    assert shown(laptop) == [0, 0]
    image = laptop.locator(".animation-panel svg").bounding_box()
    article_box = laptop.locator("article").bounding_box()
    assert image and article_box
    assert 500 < image["width"] <= article_box["width"]
    assert laptop.locator(".animation-controls").is_hidden()


def test_without_javascript_there_is_the_figure(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address}ja/{PAGE}")
    box = page.locator("svg[class*='film-']").bounding_box()
    assert box and box["width"] > 300
    assert page.locator(".animation-panel, .animation-controls").count() == 0


def test_it_plays_from_a_disk_too(laptop: Page, site: Path) -> None:
    open_paused(laptop, f"{site.as_uri()}/ko/{PAGE}")
    laptop.locator(".animation-controls button").click()
    laptop.clock.run_for(410)
    expect(laptop.locator(".animation-controls input")).to_have_value("2")
