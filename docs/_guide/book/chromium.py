"""Debian's Chromium, driven by Playwright: Playwright's own browsers come from another host."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

START: dict[str, Any] = {
    # The shell starts and draws twice as fast, where it is installed.
    "executable_path": shutil.which("chromium-headless-shell") or "/usr/bin/chromium",
    "args": ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**START)
        yield browser
        browser.close()


def show(page: Page, file: Path, html: str) -> None:
    """Open HTML as a file, so that relative addresses in it work."""
    file.write_text(html, encoding="utf-8")
    page.goto(file.as_uri())
    page.evaluate("document.fonts.ready.then(() => true)")
