"""Chromium, driven by Playwright: its own, or the one that GUIDE_CHROMIUM names."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

START: dict[str, Any] = {
    "executable_path": shutil.which(os.environ.get("GUIDE_CHROMIUM") or "") or None,
    "args": ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
}


@cache
def program() -> str:
    """The path of the browser, for other programs."""
    with sync_playwright() as playwright:
        return str(START["executable_path"] or playwright.chromium.executable_path)


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
