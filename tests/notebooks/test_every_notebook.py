"""Every translated notebook runs as a reader downloads it: `nox -s notebooks`.

A session of its own, since all of them take as long as running every page twice.
"""

import pytest

from docs._guide.execute.page import Page, executed_pages
from tests.site.built import TRANSLATIONS
from tests.site.downloaded import run


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("page", executed_pages(), ids=lambda page: page.name)
def test_it_runs(language: str, page: Page) -> None:
    run(language, page.name, page.cell_limit_s)
