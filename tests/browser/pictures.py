"""Take the pictures of the READMEs from the built site: `python -m tests.browser.pictures`."""

from playwright.sync_api import sync_playwright

from docs._make.chromium import START
from docs._make.options import ROOT, configured_languages
from tests.browser.whole import WHOLE


def main() -> None:
    """Save one picture a language, of the page that has most to show."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(**START)
        page = chromium.new_page(viewport={"width": 1200, "height": 760})
        for language in configured_languages():
            page.goto(f"file://{ROOT}/site/{language}/transforms/grad.html")
            page.evaluate(WHOLE)
            page.add_style_tag(content="html { scroll-behavior: auto !important }")
            page.locator("#fig-gradient-field").evaluate(
                "figure => scrollTo(0, figure.getBoundingClientRect().top + scrollY - 150)"
            )
            page.screenshot(path=ROOT / "docs" / "_pictures" / f"page-{language}.png")
        chromium.close()


if __name__ == "__main__":
    main()
