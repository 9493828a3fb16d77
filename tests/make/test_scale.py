"""What a page costs does not grow with the number of pages, and an edit reads that page alone.

Counted in calls of functions, which are the same on every machine, however busy. How long it all
takes: `python -m tests.scale`.
"""

import shutil
import subprocess
import sys
import time
from itertools import pairwise

import pytest

from tests.conftest import SmallGuide
from tests.scale.measured import changed

SIZES = (10, 30, 50)
CALLS_FOR_EACH_OTHER_PAGE = 100  # the tree beside each page names it

# Builds the Japanese pages, in a process that has built nothing else.
COUNT = """
import cProfile
from pathlib import Path
from docs._make.languages import BUILD, build_one

profile = cProfile.Profile()
(BUILD / "ja").mkdir(parents=True, exist_ok=True)
right = profile.runcall(build_one, "html", "ja", BUILD / "outputs", "ja")
number = sum(entry.callcount for entry in profile.getstats())
Path("calls").write_text(str(number) if right else "")
"""


def calls(guide: SmallGuide) -> int:
    """Build with Sphinx alone, and count."""
    subprocess.run([sys.executable, "-c", COUNT], cwd=guide.root, check=True, timeout=60)
    number = (guide.root / "calls").read_text()
    assert number, (guide.root / "_build" / "ja" / "sphinx.log").read_text()
    return int(number)


def write_pages(guide: SmallGuide, number: int) -> None:
    """Write a guide of so many pages without cells."""
    names = [f"part-{each // 10}/page-{each}" for each in range(number)]
    for name in names:
        guide.write(f"docs/{name}.md", f"# Page {name}\n\nSome prose, and a [link](../index.md).\n")
    contents = ["# Guide", "", ":::{toctree}", *names, "reference/status", ":::", ""]
    guide.write("docs/index.md", "\n".join(contents))


@pytest.fixture
def plain_guide(small_guide: SmallGuide) -> SmallGuide:
    for page in ("one", "two"):
        (small_guide.root / "docs" / f"{page}.md").unlink()
    return small_guide


def test_a_page_costs_as_much_beside_many_others(plain_guide: SmallGuide) -> None:
    counted = []
    for size in SIZES:
        shutil.rmtree(plain_guide.root / "_build", ignore_errors=True)
        write_pages(plain_guide, size)
        counted.append(calls(plain_guide))
    first, second = (after - before for before, after in pairwise(counted))
    pairs = SIZES[2] ** 2 - 2 * SIZES[1] ** 2 + SIZES[0] ** 2
    assert (second - first) / pairs < CALLS_FOR_EACH_OTHER_PAGE


def test_an_edit_reads_one_page_and_writes_it_and_the_contents(plain_guide: SmallGuide) -> None:
    write_pages(plain_guide, SIZES[0])
    calls(plain_guide)
    page = "part-0/page-7"
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=utf-8\\n"\n'
    message = '\nmsgid "Other prose."\nmsgstr "ほかの文章です。"\n'
    for name, text in (
        (f"docs/{page}.md", f"# Page {page}\n\nOther prose.\n"),
        (f"locale/ja/LC_MESSAGES/{page}.po", header + message),
    ):
        before = time.time_ns()
        plain_guide.write(name, text)
        calls(plain_guide)
        built = plain_guide.root / "_build" / "ja" / "html"
        assert changed(built / ".doctrees", "*.doctree", before) == {page}
        assert changed(built / "html", "*.html", before) == {page, "index"}
    assert "ほかの文章です。" in (built / "html" / f"{page}.html").read_text(encoding="utf-8")


def test_nothing_is_read_or_indexed_again_for_nothing(plain_guide: SmallGuide) -> None:
    write_pages(plain_guide, 3)
    assert plain_guide.make("--language=en").returncode == 0
    before = time.time_ns()
    assert plain_guide.make("--language=en").returncode == 0
    built = plain_guide.root / "_build" / "en"
    assert changed(built, "*.doctree", before) == set()
    assert changed(built / "html" / "html", "*.html", before) == set()
    assert changed(built / "articles", "*.html", before) == set()
    assert changed(built / "pagefind", "*.pf_*", before) == set()
