"""Every page of every language is visited once, and nothing is wrong with any."""

import tomllib
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from docs._guide.options import ROOT
from tests.browser.conftest import LANGUAGES, NewPage
from tests.browser.visit import LAPTOP, TOO_WIDE, VIEWS, View, axe, problems_of

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
        # axe takes most of the time, and languages share their HTML: it sees each page in one.
        seen_by_axe = number % len(LANGUAGES) == LANGUAGES.index(language)
        view = VIEWS[number // len(LANGUAGES) % len(VIEWS)] if seen_by_axe else None
        visit = partial(problems_of, chromium, address, path, view, KILOBYTES)
        page_problems = visit(needs_scripts=file.name == "search.html")
        if any("layout shift" in problem for problem in page_problems):
            # It depends on time: on a busy machine, one of hundreds of visits has one.
            page_problems = visit(needs_scripts=file.name == "search.html")
        problems += [f"{path}: {problem}" for problem in page_problems]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.name)
def test_nothing_is_wrong_with_the_page_for_wrong_addresses(
    chromium: Browser, address: str, view: View
) -> None:
    assert problems_of(chromium, address, "404.html", view, KILOBYTES, needs_scripts=False) == []


def test_nothing_is_too_wide_between_the_widths_of_telephones_and_screens(
    new_page: NewPage, address: str
) -> None:
    names = ("index", "start/backends", "transforms/scan", "cases/ukr-fast", "reference/glossary")
    problems = []
    for language, name in zip(LANGUAGES * 2, names, strict=False):
        page = new_page()
        page.goto(f"{address}{language}/{name}.html")
        for width in range(320, 1601, 40):
            page.set_viewport_size({"width": width, "height": 800})
            problems += [f"{name} at {width}: {wide}" for wide in page.evaluate(TOO_WIDE)]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize(
    ("path", "colours"),
    [("ja/transforms/grad.html", "light"), ("ko/trouble/errors-tracing.html", "dark")],
)
def test_code_has_contrast(new_page: NewPage, address: str, path: str, colours: str) -> None:
    page = new_page(viewport=LAPTOP, color_scheme=colours)
    page.goto(address + path)
    assert axe(page, context=None) == []
