"""What a page costs does not grow with the number of pages, and an edit reads that page alone.

Counted in calls of functions and in objects, which are the same on every machine, however busy. How
long it all takes: `python -m tests.scale`.
"""

import json
import shutil
import subprocess
import sys
import time
from itertools import pairwise
from typing import NamedTuple

import pytest

from tests.conftest import SmallGuide, po
from tests.scale.measured import changed

SIZES = (10, 30, 50)
CALLS_FOR_EACH_OTHER_PAGE = 100  # the tree beside each page names it
OBJECTS_FOR_EACH_PAGE = 100  # its title and links, and neither the page nor its headings
CALLS_AFTER_AN_EDIT = 5000  # for each other page
HEADINGS = 4

# Builds and publishes the Japanese pages, in a process that has built nothing else.
COUNT = """
import cProfile
import gc
import gettext
import json
import sys
from pathlib import Path
from sphinx.locale import translators
from docs._make import search_index
from docs._make.languages import BUILD, build_one, html_folder
from docs._make.publish import publish
from docs._make.search_index import index, index_folder

search_index.PAGES_TOGETHER = 10

def build():
    if right := build_one("html", "ja", BUILD / "outputs", "ja"):
        index(["ja"])
        folders, indexes = {"ja": html_folder("ja")}, {"ja": index_folder("ja")}
        publish(folders, indexes, {"ja": "Japanese"}, BUILD.parent / "site", "0.10")
    return right

opened = []
def watch(event, arguments):
    if event == "open" and str(arguments[0]).startswith(str(BUILD.parent)):
        opened.append(arguments[0])

sys.addaudithook(watch)
profile = cProfile.Profile()
(BUILD / "ja").mkdir(parents=True, exist_ok=True)
right = profile.runcall(build)
found = {
    "calls": sum(entry.callcount for entry in profile.getstats()),
    "kept": gc.get_freeze_count(),
    "catalogues": len(gettext._translations) + len(translators),
    "opened": len(opened),
}
Path("counted").write_text(json.dumps(found) if right else "")
"""


class Counted(NamedTuple):
    """What a build took."""

    calls: int
    kept: int  # objects that stayed after each page
    catalogues: int  # whose messages stayed
    opened: int  # files of the guide


def count(guide: SmallGuide) -> Counted:
    """Build and publish in one language, and count."""
    subprocess.run([sys.executable, "-c", COUNT], cwd=guide.root, check=True, timeout=60)
    counted = (guide.root / "counted").read_text()
    assert counted, (guide.root / "_build" / "ja" / "sphinx.log").read_text()
    return Counted(**json.loads(counted))


def write_pages(guide: SmallGuide, number: int) -> None:
    """Write a guide of so many translated pages without cells."""
    names = [f"part-{each // 10}/page-{each}" for each in range(number)]
    for name in names:
        prose, japanese = "Some prose, and a [link](../index.md).", "文章と[リンク](../index.md)。"
        headings = "\n".join(f"\n## Heading {each}\n" for each in range(HEADINGS))
        guide.write(f"docs/{name}.md", f"# Page {name}\n\n{prose}\n{headings}")
        guide.write(f"locale/ja/LC_MESSAGES/{name}.po", po({prose: japanese}))
    contents = ["# Guide", "", ":::{toctree}", *names, "reference/status", ":::", ""]
    guide.write("docs/index.md", "\n".join(contents))


@pytest.fixture
def plain_guide(small_guide: SmallGuide) -> SmallGuide:
    for page in ("one", "two"):
        (small_guide.root / "docs" / f"{page}.md").unlink()
    return small_guide


def test_a_page_costs_as_much_beside_many_others_and_does_not_stay(plain_guide: SmallGuide) -> None:
    counted = []
    for size in SIZES:
        shutil.rmtree(plain_guide.root / "_build", ignore_errors=True)
        write_pages(plain_guide, size)
        counted.append(count(plain_guide))
    first, second = (after.calls - before.calls for before, after in pairwise(counted))
    pairs = SIZES[2] ** 2 - 2 * SIZES[1] ** 2 + SIZES[0] ** 2
    assert (second - first) / pairs < CALLS_FOR_EACH_OTHER_PAGE
    few, *_, many = counted
    assert (many.kept - few.kept) / (SIZES[-1] - SIZES[0]) < OBJECTS_FOR_EACH_PAGE
    assert many.catalogues == few.catalogues


def test_an_edit_reads_one_page_and_writes_it_and_the_contents(plain_guide: SmallGuide) -> None:
    write_pages(plain_guide, SIZES[0])
    count(plain_guide)
    page = "part-0/page-7"
    for name, text in (
        (f"docs/{page}.md", f"# Page {page}\n\nOther prose.\n"),
        (f"locale/ja/LC_MESSAGES/{page}.po", po({"Other prose.": "ほかの文章です。"})),
    ):
        before = time.time_ns()
        plain_guide.write(name, text)
        count(plain_guide)
        built = plain_guide.root / "_build" / "ja" / "html"
        assert changed(built / ".doctrees", "*.doctree", before) == {page}
        assert changed(built / "html", "*.html", before) == {page, "index"}
    assert "ほかの文章です。" in (built / "html" / f"{page}.html").read_text(encoding="utf-8")


def test_after_an_edit_other_pages_are_looked_at_and_not_opened(plain_guide: SmallGuide) -> None:
    edits = []
    for size in (SIZES[0], SIZES[-1]):
        write_pages(plain_guide, size)
        count(plain_guide)
        plain_guide.write(
            "docs/part-0/page-7.md", f"# Page part-0/page-7\n\nOther prose beside {size}.\n"
        )
        edits.append(count(plain_guide))
    few, many = edits
    others = SIZES[-1] - SIZES[0]
    assert (many.calls - few.calls) / others < CALLS_AFTER_AN_EDIT
    assert (many.opened - few.opened) / others < 2  # its .po, and something of each index


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
