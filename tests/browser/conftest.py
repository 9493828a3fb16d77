"""A browser, and the real site served as any host would serve it: under a sub-path."""

import http.server
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright


class Quiet(http.server.SimpleHTTPRequestHandler):
    """Serves the site at /guide/, with its own page for wrong addresses."""

    def translate_path(self, path: str) -> str:
        return super().translate_path(path.removeprefix("/guide") if self.inside(path) else "/no")

    @staticmethod
    def inside(path: str) -> bool:
        return path.startswith("/guide/")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        lost = Path(self.directory, "404.html").read_bytes()
        self.send_response(code)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.end_headers()
        self.wfile.write(lost)

    def log_message(self, *_arguments: object) -> None:
        """Say nothing: the tests' output is about the tests."""


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    handler = partial(Quiet, directory=str(site))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/guide/"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium",
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        yield browser
        browser.close()


@pytest.fixture
def phone(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 390, "height": 844}, has_touch=True)
    yield context.new_page()
    context.close()


@pytest.fixture
def laptop(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    yield context.new_page()
    context.close()
