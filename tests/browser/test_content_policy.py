"""What the Content-Security-Policy of the pages stops in a browser, and that no page minds it."""

import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.host import Host
from tests.site.built import LANGUAGES

PAGES = ["index", "transforms/grad", "cases/ukr-model", "reference/glossary", "search"]
WATCH = """addEventListener("securitypolicyviolation", (event) =>
  violated(`${event.effectiveDirective}: ${event.blockedURI}`));"""

BROWSERS_OWN = "content-autofill.googleapis.com"  # Chromium asks it about any form


@dataclass
class Watched:
    """A browser all of whose ways to another host end at a proxy, which only notes them."""

    context: BrowserContext
    elsewhere: list[str]
    violations: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)

    def open(self, url: str) -> Page:
        """Open a page that tells its violations and errors."""
        page = self.context.new_page()
        page.on("console", self.note_error)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("websocket", lambda socket: self.elsewhere.append(socket.url))
        page.goto(url)
        return page

    def note_error(self, said: ConsoleMessage) -> None:
        """Keep what a page logs as an error."""
        if said.type == "error":
            self.errors.append(said.text)


@pytest.fixture(scope="session")
def proxy() -> Iterator[tuple[str, list[str]]]:
    """A proxy that leads nowhere, and what it was asked for: workers and beacons ask it too."""
    asked: list[str] = []

    class Nowhere(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            line = self.rfile.readline().decode().strip()
            if line and BROWSERS_OWN not in line:
                asked.append(line)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Nowhere) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
        server.shutdown()


@contextmanager
def watching(
    chromium: Browser, proxy: tuple[str, list[str]], heeds_policies: bool = True
) -> Iterator[Watched]:
    """Open a browser of its own for some pages."""
    way, elsewhere = proxy
    elsewhere.clear()
    context = chromium.new_context(
        proxy={"server": way, "bypass": "127.0.0.1"},
        viewport={"width": 1440, "height": 900},
        bypass_csp=not heeds_policies,
    )
    watched = Watched(context, elsewhere)
    context.expose_function("violated", lambda told: watched.violations.append(told))
    context.add_init_script(WATCH)
    yield watched
    context.close()


@pytest.fixture
def watched(chromium: Browser, proxy: tuple[str, list[str]]) -> Iterator[Watched]:
    with watching(chromium, proxy) as watched:
        yield watched


def use(page: Page) -> None:
    """Use all that a page has to be used."""
    page.locator(".theme-toggle-content button").click()
    for button in page.locator(".originals-toggle, .film-controls button").all():
        button.click()
    for answer in page.locator("details.hide summary").all():
        answer.click()
    if toggle := page.locator(".originals-toggle").all():
        expect(page.locator(".original").first).to_be_visible()
        toggle[0].click()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_no_page_breaks_it_and_none_asks_another_host(
    watched: Watched, address: str, language: str, name: str
) -> None:
    page = watched.open(f"{address}{language}/{name}.html")
    use(page)
    for notebook in page.locator(".take-away a[download]").all():
        with page.expect_download() as download:
            notebook.click()
        assert download.value.suggested_filename.endswith(".ipynb")
    if name != "search":
        page.keyboard.press("/")
    page.locator(".search-box input:visible").fill("vmap")
    expect(page.locator(".search-results a:visible").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert (watched.violations, watched.errors, watched.elsewhere) == ([], [], [])


@pytest.mark.parametrize("path", ["", "ja/none.html"])
def test_nor_do_the_pages_at_the_root(watched: Watched, address: str, path: str) -> None:
    page = watched.open(address + path)
    if path:
        page.get_by_role("link", name="한국어").or_(page.locator("a[data-language=ko]")).click()
    page.wait_for_url(f"{address}{'ko' if path else 'en'}/index.html")
    # A browser logs each 404 as an error.
    errors = [error for error in watched.errors if "404" not in error]
    assert (watched.violations, errors, watched.elsewhere) == ([], [], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_from_a_disk_keeps_it_too(watched: Watched, site: Path, language: str) -> None:
    page = watched.open(f"{site.as_uri()}/{language}/cases/ukr-model.html")
    use(page)
    page.locator("input.sidebar-search").press("Enter")
    page.wait_for_url("**/search.html?q=")
    assert (watched.violations, watched.elsewhere) == ([], [])


def test_a_host_that_reads_headers_lets_nobody_frame_it(
    watched: Watched, address: str, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def in_a_frame() -> str:
        page = watched.context.new_page()
        html = f"<iframe src='{address}ko/index.html'></iframe>"
        page.route(
            "**/around.html", lambda asked: asked.fulfill(body=html, content_type="text/html")
        )
        page.goto(f"{address}around.html")
        return page.frames[1].url

    assert in_a_frame() == f"{address}ko/index.html"
    lines = (site / "_headers").read_text(encoding="utf-8").splitlines()
    end_headers = Host.end_headers

    def with_ours(host: Host) -> None:
        for line in lines[lines.index("/*") + 1 :]:
            host.send_header(*line.strip().split(": ", 1))
        end_headers(host)

    monkeypatch.setattr(Host, "end_headers", with_ours)
    assert in_a_frame() == "chrome-error://chromewebdata/"
    watched.errors.clear()
    page = watched.open(f"{address}ko/search.html?q=vmap")
    expect(page.locator(".search-results a").first).to_be_visible()
    assert (watched.violations, watched.errors) == ([], [])


def test_no_site_is_told_where_a_reader_comes_from(watched: Watched, address: str) -> None:
    page = watched.open(f"{address}en/transforms/grad.html")
    page.locator("nav.languages a").first.click()
    page.wait_for_url(f"{address}ja/transforms/grad.html")
    assert page.evaluate("document.referrer") == ""  # not even this one


INJECTED = {
    "a script in the page": "add('script', {textContent: 'window.ran = 1'})",
    "a script from elsewhere": "add('script', {src: 'http://example.org/a.js'})",
    "a handler": "add('p', {innerHTML: '<b onclick=window.ran=1>'}).firstChild.click()",
    "an address that is code": "add('a', {href: 'javascript:window.ran = 1'}).click()",
    "text made code": "setTimeout('window.ran = 1')",
    "a style sheet": "add('style', {textContent: 'p {}'})",
    "a style": "add('p', {innerHTML: '<b style=color:red>'})",
    "a picture": "add('img', {src: 'http://example.org/a.png'})",
    "a frame": "add('iframe', {src: 'http://example.org/'})",
    "a request": "fetch('http://example.org/').catch(() => 0)",
    "a beacon": "navigator.sendBeacon('http://example.org/', 'seen')",
    "a socket": "new WebSocket('ws://example.org/')",
    "a form": "add('form', {action: 'http://example.org/'}).submit()",
}
INJECT = """(what) => {
  const add = (name, has) => {
    const element = Object.assign(document.createElement(name), has);
    document.body.append(element);
    return element;
  };
  try { eval(what) } catch (refused) {}
}"""


def until(page: Page, happened: Callable[[], object]) -> bool:
    """Wait for what a browser tells later than it does it."""
    for _ in range(200):
        if happened():
            return True
        page.wait_for_timeout(100)
    return False


def went_through(watched: Watched, page: Page, code: str) -> bool:
    """Whether what was injected asked a host, or ran; of styles nothing is seen."""
    if "example.org" in code:
        return any("example.org" in asked for asked in watched.elsewhere)
    return "ran" not in code or bool(page.evaluate("window.ran") == 1)


@pytest.mark.parametrize("what", INJECTED)
def test_what_does_not_belong_there_is_stopped(watched: Watched, address: str, what: str) -> None:
    page = watched.open(f"{address}ja/search.html")
    page.evaluate(INJECT, INJECTED[what])
    assert until(page, lambda: watched.violations)
    assert len(watched.violations) == 1
    assert page.evaluate("window.ran") is None
    assert watched.elsewhere == []


def test_without_a_policy_it_would_happen(
    chromium: Browser, proxy: tuple[str, list[str]], address: str
) -> None:
    """Or the tests above would see nothing."""
    with watching(chromium, proxy, heeds_policies=False) as watched:
        for what, code in INJECTED.items():
            watched.elsewhere.clear()
            page = watched.open(f"{address}ja/search.html")
            page.evaluate(INJECT, code)
            assert until(page, partial(went_through, watched, page, code)), what
            page.close()
