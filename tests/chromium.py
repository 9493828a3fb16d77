"""Chromium, driven by Playwright: its own, or the one that GUIDE_CHROMIUM names."""

import os
import shutil
from functools import cache
from typing import Any

from playwright.sync_api import sync_playwright

START: dict[str, Any] = {
    "executable_path": shutil.which(os.environ.get("GUIDE_CHROMIUM") or "") or None,
    "args": ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
}


@cache
def program() -> str:
    """The path of the browser, for other programs."""
    with sync_playwright() as playwright:
        return str(START["executable_path"] or playwright.chromium.executable_path)
