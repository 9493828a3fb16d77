"""XLA's compilations are most of the time of a first build, so pages have a budget of them."""

import pytest

from docs._guide.execute import cache
from docs._guide.execute.environment import cache_folder
from docs._guide.execute.page import executed_pages
from docs._guide.options import parse

PAGE = 120
# What these pages show needs more. Of two JAX versions (0.10 and 0.12), the larger number.
MORE = {
    # many shapes are the subject
    "beyond/changing-sizes": 136,
    # many small cases: an error, a question, a tool after the other
    "trouble/debugging": 171,
    "trouble/errors-values": 162,
    "trouble/questions": 169,
    # networks are built, and tried in several forms, one operation after the other
    "neural/digits-cnn": 180,
    "neural/environments": 157,
    "neural/mixed-precision": 162,  # in three dtypes
    "neural/who-does-what": 124,
    "old-articles/linen-to-nnx": 242,  # in two interfaces
    # the model is built up term by term, and each step is drawn
    "cases/ukr-model": 156,
}
ALL = 5000  # 8,735 in the second edition
SLACK = 1.05  # another version of a package


@pytest.mark.usefixtures("site")
def test_no_page_compiles_more_than_its_budget() -> None:
    folder = cache_folder(parse([]).backend)
    counts = {
        page.name: cache.get(folder, page).metadata[cache.RUN]["compilations"]
        for page in executed_pages()
    }
    over = {name: n for name, n in counts.items() if n > MORE.get(name, PAGE) * SLACK}
    assert not over, "more compilations than the budget: compile what belongs together once"
    assert sum(counts.values()) <= ALL
    few = {name for name in MORE if counts[name] < 0.8 * PAGE}
    assert not few, "these pages need no budget of their own any more"
