"""Take the pictures of the READMEs from the built site: `python -m tests.browser.pictures`."""

from playwright.sync_api import Browser, sync_playwright

from docs._make.chromium import START
from docs._make.options import ROOT, configured_languages
from tests.browser.whole import WHOLE


def main() -> None:
    """Save one picture a language."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**START)
        for language in configured_languages():
            file = ROOT / "docs" / "_pictures" / f"page-{language}.png"
            file.write_bytes(picture(chromium, language))
        chromium.close()


def picture(chromium: Browser, language: str) -> bytes:
    """Show the page that has most to show, where it shows it."""
    page = chromium.new_page(viewport={"width": 1200, "height": 760})
    page.goto(f"file://{ROOT}/site/{language}/transforms/grad.html")
    page.evaluate(WHOLE)
    page.locator("#fig-gradient-field").evaluate(
        "figure => scrollTo({behavior: 'instant', "
        "top: figure.getBoundingClientRect().top + scrollY - 150})"
    )
    taken = page.screenshot()
    page.close()
    return taken


if __name__ == "__main__":
    main()
