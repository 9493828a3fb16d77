"""What the Content-Security-Policy of the pages stops in a browser, and that using a page does not.

The crawl (test_crawl.py) finds violations while pages load.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LANGUAGES
from tests.browser.visit import watch
from tests.host import Host

# The policy is the same in every language.
PAGES = {
    "en": ["index", "reference/glossary"],
    "ja": ["transforms/grad", "search"],
    "ko": ["cases/ukr-model", "trouble/errors-tracing"],
}


def use(page: Page) -> None:
    """Use everything on a page that can be used."""
    page.locator(".theme-toggle-content button").click()
    for button in page.locator(".source-text-toggle, .steps button").all():
        button.click()
    for answer in page.locator("details summary:visible").all():
        answer.click()
    if page.locator(".source-text-toggle").count():
        expect(page.locator(".source-text").first).to_be_visible()
        page.locator(".source-text-toggle").click()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_can_be_used(laptop: Page, address: str, language: str) -> None:
    problems = watch(laptop, address)
    for name in PAGES[language]:
        laptop.goto(f"{address}{language}/{name}.html")
        use(laptop)
        for menu in laptop.locator("[popovertarget=page-files]").all():
            menu.click()
            with laptop.expect_download() as download:
                laptop.locator("a.notebook-download").click()
            assert download.value.suggested_filename.endswith(".ipynb")
            laptop.keyboard.press("Escape")
        if name != "search":
            laptop.keyboard.press("/")
        laptop.locator(".search-box input:visible").fill("vmap")
        expect(laptop.locator(".search-results a:visible").first).to_be_visible()
    assert problems == []


@pytest.mark.parametrize("path", ["", "ja/none.html"])
def test_the_pages_at_the_root_can_be_used(laptop: Page, address: str, path: str) -> None:
    problems = watch(laptop, address)
    laptop.goto(address + path)
    if path:
        laptop.locator("a[data-page='ko/index']").click()
    laptop.wait_for_url(f"{address}{'ko' if path else 'en'}/index.html")
    # The root leads on at once, which may cut off the request for itself.
    left = [problem for problem in problems if problem != f"failed: {address}"]
    assert left == ([f"404: {address}{path}"] if path else [])


def test_a_page_can_be_used_from_a_disk(laptop: Page, site: Path) -> None:
    problems = watch(laptop, "file:")
    laptop.goto(f"{site.as_uri()}/ja/cases/ukr-model.html")
    use(laptop)
    laptop.goto(f"{site.as_uri()}/ja/search.html?q=scan")
    assert [problem for problem in problems if "Content Security Policy" in problem] == []


def test_with_the_headers_file_no_other_site_can_frame_a_page(
    laptop: Page, address: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def address_in_a_frame() -> str:
        laptop.goto(f"{address}around.html")
        return laptop.frames[1].url

    frame = f"<iframe src='{address}ko/index.html'></iframe>"
    laptop.route(
        "**/around.html", lambda route: route.fulfill(body=frame, content_type="text/html")
    )
    assert address_in_a_frame() == f"{address}ko/index.html"
    lines = (site / "_headers").read_text(encoding="utf-8").splitlines()
    headers = dict(line.strip().split(": ", 1) for line in lines[lines.index("/*") + 1 :])
    monkeypatch.setattr(Host, "extra_headers", headers)
    assert address_in_a_frame() == "chrome-error://chromewebdata/"
    problems = watch(laptop, address)
    laptop.goto(f"{address}ko/search.html?q=vmap")
    expect(laptop.locator(".search-results a").first).to_be_visible()
    assert problems == []


def test_no_page_is_sent_as_a_referrer(laptop: Page, address: str) -> None:
    laptop.goto(f"{address}en/transforms/grad.html")
    laptop.locator("nav.languages a").first.click()
    laptop.wait_for_url(f"{address}ja/transforms/grad.html")
    assert laptop.evaluate("document.referrer") == ""


INJECTIONS = {
    "script in the page": "add('script', {textContent: 'window.ran = 1'})",
    "script from elsewhere": "add('script', {src: 'http://example.org/a.js'})",
    "text as code": "setTimeout('window.ran = 1')",
    "fetch": "fetch('http://example.org/').catch(() => 0)",
    "form": "add('form', {action: 'http://example.org/'}).submit()",
}
INJECT = """(code) => {
  const add = (name, properties) => {
    const element = Object.assign(document.createElement(name), properties);
    document.body.append(element);
    return element;
  };
  window.violations = [];
  addEventListener("securitypolicyviolation", (event) => violations.push(event.blockedURI));
  try { eval(code) } catch (error) {}
}"""

# Not wait_for_function: it evaluates a string while it polls, which the policy stops.
VIOLATED = """() => new Promise((done) => {
  addEventListener("securitypolicyviolation", done);
  if (violations.length) done();
  setTimeout(done, 5000);
})"""


@pytest.mark.parametrize("injection", INJECTIONS)
def test_an_injection_is_stopped(laptop: Page, address: str, injection: str) -> None:
    laptop.goto(f"{address}ja/search.html")
    laptop.evaluate(INJECT, INJECTIONS[injection])
    laptop.evaluate(VIOLATED)
    assert laptop.evaluate("violations.length") == 1
    assert laptop.evaluate("window.ran") is None
