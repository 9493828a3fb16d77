"""Every page of every language is visited once, and nothing is wrong with any."""

import tomllib
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from docs._guide.options import ROOT
from tests.browser.conftest import LANGUAGES, NewPage
from tests.browser.visit import LAPTOP, VIEWS, View, axe, problems_of

BUDGETS = tomllib.loads((ROOT / "tests" / "audit" / "budgets.toml").read_text(encoding="utf-8"))
KILOBYTES = BUDGETS["visit"]["kilobytes"]
HALVES = (0, 1)  # of each language, for two workers


@pytest.mark.parametrize("half", HALVES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_wrong_on_any_page(
    chromium: Browser, address: str, site: Path, language: str, half: int
) -> None:
    problems = []
    files = sorted((site / language).rglob("*.html"))
    for number, file in list(enumerate(files))[half::2]:
        path = file.relative_to(site).as_posix()
        # In turn, so that axe sees each page in every view, in one language each.
        view = VIEWS[(number + LANGUAGES.index(language)) % len(VIEWS)]
        page_problems = problems_of(
            chromium, address, path, view, KILOBYTES, needs_scripts=file.name == "search.html"
        )
        problems += [f"{path}: {problem}" for problem in page_problems]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_nothing_is_wrong_with_the_page_for_wrong_addresses(
    chromium: Browser, address: str, view: View
) -> None:
    assert problems_of(chromium, address, "404.html", view, KILOBYTES, needs_scripts=False) == []


@pytest.mark.parametrize("colours", ["light", "dark"])
@pytest.mark.parametrize("path", ["ja/trouble/errors-values.html", "ko/reference/phrasebook.html"])
def test_code_has_contrast(new_page: NewPage, address: str, path: str, colours: str) -> None:
    page = new_page(viewport=LAPTOP, color_scheme=colours)
    page.goto(address + path)
    assert axe(page, context=None) == []
