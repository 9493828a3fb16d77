"""Sliders for the steps of a figure, for readers who have a screen and JavaScript."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import LANGUAGES, NewPage

FILM = "cases/ukr-model.html"  # the steps of one of its figures are panels
PANELS = "[data-panel]"
PATHS = "transforms/scan.html"  # its steps are lines in one panel
WORDS = {
    "en": ("Play", "Pause", "epoch"),
    "ja": ("再生", "一時停止", "エポック"),
    "ko": ("재생", "일시정지", "에폭"),
}


def open_paused(page: Page, url: str) -> None:
    """Open a page whose timers run only when the test says so."""
    page.clock.install(time=0)
    page.goto(url)
    page.clock.pause_at(60_000)


def shown(page: Page, part: str = PANELS) -> list[str]:
    """The steps that can be seen."""
    steps: list[str] = page.locator(f"{part}:not(.other-step)").evaluate_all(
        "(parts) => parts.map((part) => part.dataset.step)"
    )
    return steps


def whole_frame(page: Page) -> bool:
    """Whether the frame of the panel that is shown is inside the figure."""
    inside: bool = page.locator("[data-panel]:not(.other-step) > path").first.evaluate(
        """(path) => {
          const [inner, outer] = [path, path.ownerSVGElement].map((e) => e.getBoundingClientRect());
          return inner.width > 0.9 * outer.width && inner.left > outer.left - 1
            && inner.right < outer.right + 1 && inner.bottom < outer.bottom + 1;
        }"""
    )
    return inside


def slider(page: Page, name: str) -> Locator:
    return page.get_by_role("slider", name=name, exact=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_plays_on_request_and_stops_at_the_end(
    laptop: Page, address: str, language: str
) -> None:
    play, pause, epoch = WORDS[language]
    open_paused(laptop, f"{address}{language}/{FILM}")
    button = laptop.locator(".steps button")
    laptop.clock.run_for(10_000)
    expect(slider(laptop, epoch)).to_have_attribute("aria-valuetext", "0")  # never by itself
    expect(button).to_have_text(play)

    button.click()
    expect(button).to_have_text(pause)
    laptop.clock.run_for(410)
    assert shown(laptop) == [f"{epoch} = 2"]
    laptop.clock.run_for(400 * 20)
    expect(slider(laptop, epoch)).to_have_attribute("aria-valuetext", "30")
    expect(button).to_have_text(play)
    assert shown(laptop) == [f"{epoch} = 30"]
    assert whole_frame(laptop)

    button.click()  # from the start again
    expect(slider(laptop, epoch)).to_have_attribute("aria-valuetext", "0")
    expect(button).to_have_text(pause)


@pytest.mark.parametrize(
    ("language", "rate", "momentum"),
    [
        ("en", "learning rate", "momentum"),
        ("ja", "学習率", "モメンタム"),
        ("ko", "학습률", "모멘텀"),
    ],
)
def test_two_sliders_select_one_line(
    laptop: Page, address: str, language: str, rate: str, momentum: str
) -> None:
    laptop.goto(f"{address}{language}/{PATHS}")
    assert shown(laptop, "[data-step]") == [f"{rate} = 0.02, {momentum} = 0"]
    slider(laptop, rate).press("End")
    assert shown(laptop, "[data-step]") == [f"{rate} = 0.85, {momentum} = 0"]
    slider(laptop, momentum).press("ArrowRight")
    assert shown(laptop, "[data-step]") == [f"{rate} = 0.85, {momentum} = 0.5"]
    expect(laptop.locator(".steps output")).to_have_text(["0.85", "0.5"])


def test_it_is_played_and_moved_by_keyboard(laptop: Page, address: str) -> None:
    open_paused(laptop, f"{address}en/{FILM}")
    button = laptop.get_by_role("button", name="Play", exact=True)
    button.focus()
    laptop.keyboard.press("Space")
    laptop.clock.run_for(810)
    assert shown(laptop) == ["epoch = 4"]

    laptop.keyboard.press("Tab")
    expect(slider(laptop, "epoch")).to_be_focused()
    laptop.keyboard.press("ArrowRight")
    assert shown(laptop) == ["epoch = 6"]
    laptop.clock.run_for(5_000)
    assert shown(laptop) == ["epoch = 6"]  # moving it stops it
    expect(button).to_have_text("Play")


def test_less_motion_is_slower(new_page: NewPage, address: str) -> None:
    page = new_page(reduced_motion="reduce")
    open_paused(page, f"{address}en/{FILM}")
    page.locator(".steps button").click()
    page.clock.run_for(1400)
    assert shown(page) == ["epoch = 0"]
    page.clock.run_for(200)
    assert shown(page) == ["epoch = 2"]


def test_a_phone_shows_one_panel_and_both_controls(phone: Page, address: str) -> None:
    phone.goto(f"{address}ja/{FILM}")
    figure = phone.locator(f"svg:has({PANELS})").bounding_box()
    assert figure
    assert figure["width"] > 300 and figure["x"] + figure["width"] <= 390
    assert whole_frame(phone)
    for control in phone.locator(".steps :is(button, input)").all():
        box = control.bounding_box()
        assert box
        assert box["height"] >= 44
        assert box["x"] + box["width"] <= 390
    phone.locator(".steps button").tap()
    expect(phone.locator(".steps button")).to_have_text("一時停止")


def test_paper_shows_all_steps_and_no_controls(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}ko/{FILM}")
    figure = laptop.locator(f"svg:has({PANELS})")
    whole = "0 0 648 648"
    assert figure.get_attribute("viewBox") != whole
    laptop.emulate_media(media="print")
    expect(figure).to_have_attribute("viewBox", whole)
    assert laptop.locator(PANELS).last.is_visible()
    controls = laptop.locator(".steps :is(button, input)").all()
    assert controls and not any(control.is_visible() for control in controls)


def test_without_javascript_there_is_the_figure(new_page: NewPage, address: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{address}ja/{FILM}")
    box = page.locator(f"svg:has({PANELS})").bounding_box()
    assert box and box["width"] > 300
    assert page.locator(".steps").count() == 0


def test_it_plays_from_a_disk_too(laptop: Page, site: Path) -> None:
    open_paused(laptop, f"{site.as_uri()}/ko/{FILM}")
    laptop.locator(".steps button").click()
    laptop.clock.run_for(410)
    assert shown(laptop) == ["에폭 = 2"]
