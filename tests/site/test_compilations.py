"""XLA's compilations are most of the time of a first build, so pages have a budget of them."""

import pytest

from docs._guide.execute import cache
from docs._guide.execute.environment import cache_folder
from docs._guide.execute.page import executed_pages
from docs._guide.options import parse

PAGE = 120
# These call many operations one by one, outside of `jit`. A page that is rewritten gets less.
# Of two JAX versions (0.10 and 0.12), the larger number.
MORE = {
    "arrays/precision": 157,
    "arrays/pure-functions": 123,
    "arrays/pytrees": 183,
    "arrays/updates": 168,
    "beyond/changing-sizes": 136,
    "cases/ukr-model": 156,
    "cases/ukr-scan": 174,
    "neural/digits-cnn": 180,
    "neural/environments": 157,
    "neural/mixed-precision": 162,
    "neural/who-does-what": 167,
    "old-articles/linen-to-nnx": 242,
    "start/fifteen-minutes": 143,
    "transforms/composing": 183,
    "transforms/custom-derivatives": 128,
    "transforms/grad": 199,
    "transforms/jacobians": 212,
    "transforms/recompilation": 146,
    "transforms/vmap": 136,
    "trouble/debugging": 171,
    "trouble/errors-values": 162,
    "trouble/questions": 169,
}
ALL = 6000  # 8,735 in the second edition
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
