"""Every translated notebook runs as a reader takes it away: `nox -s notebooks`.

In a session of its own, since all of them take as long as running every page twice.
"""

import pytest

from docs._make.page import Page, pages_that_run
from tests.site.built import TRANSLATIONS
from tests.site.taken_away import run

pytestmark = pytest.mark.usefixtures("site")


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("page", list(pages_that_run()), ids=lambda page: page.name)
def test_it_runs(language: str, page: Page) -> None:
    run(language, page.name, page.cell_limit_s)
