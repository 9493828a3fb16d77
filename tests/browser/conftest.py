"""A browser, and the built site, served under a sub-path as any host may serve it."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from docs._guide.options import configured_languages
from tests.chromium import START
from tests.host import served

LANGUAGES = list(configured_languages())
TRANSLATIONS = LANGUAGES[1:]

NewPage = Callable[..., Page]

expect.set_options(timeout=20_000)  # other sessions may keep the machine busy


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    with served(site) as address:
        yield address


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**START)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium: Browser) -> Iterator[NewPage]:
    """A function that opens a page in a context of its own, whose options it takes."""
    with ExitStack() as contexts:

        def open_page(**options: Any) -> Page:
            context = chromium.new_context(**options)
            contexts.callback(context.close)
            return context.new_page()

        yield open_page


@pytest.fixture
def phone(new_page: NewPage) -> Page:
    return new_page(viewport={"width": 390, "height": 844}, has_touch=True)


@pytest.fixture
def laptop(new_page: NewPage) -> Page:
    return new_page(viewport={"width": 1440, "height": 900})
