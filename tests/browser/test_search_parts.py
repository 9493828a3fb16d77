"""The search of a guide that is too large for one index."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from docs._make.search_index import part_of
from tests.conftest import SmallGuide, po
from tests.host import served

SUBJECTS = {"gradient": "勾配", "scan": "走査", "shape": "形状", "key": "乱数", "cache": "記憶"}


@pytest.fixture
def divided(small_guide: SmallGuide) -> SmallGuide:
    """A guide with a page for each subject, in three indexes."""
    for page in ("one", "two"):
        (small_guide.root / "docs" / f"{page}.md").unlink()
    file = small_guide.root / "docs" / "_make" / "search_index.py"
    program = file.read_text(encoding="utf-8")
    assert program.count("PAGES_TOGETHER = 100") == 1
    small_guide.write(
        "docs/_make/search_index.py",
        program.replace("PAGES_TOGETHER = 100", "PAGES_TOGETHER = 3"),
    )
    for subject, japanese in SUBJECTS.items():
        title, prose = f"About {subject}", f"This page is about {subject}."
        small_guide.write(f"docs/{subject}.md", f"# {title}\n\n{prose}\n")
        translated = po({title: f"{japanese}について", prose: f"{japanese}のページです。"})
        small_guide.write(f"locale/ja/LC_MESSAGES/{subject}.po", translated)
    pages = "\n".join([*SUBJECTS, "reference/status"])
    small_guide.write("docs/index.md", f"# Guide\n\n:::{{toctree}}\n{pages}\n:::\n")
    return small_guide


def test_every_part_is_searched_and_an_edit_makes_one_anew(
    divided: SmallGuide, laptop: Page
) -> None:
    done = divided.make("--language=ja")
    assert done.returncode == 0, done.stdout + done.stderr
    made = divided.root / "_build" / "ja" / "pagefind"
    assert sorted(part.name for part in made.glob("*/")) == ["0", "1", "2"]
    with served(divided.root / "site") as address:
        for subject, japanese in SUBJECTS.items():
            laptop.goto(f"{address}ja/index.html")
            laptop.keyboard.press("/")
            laptop.keyboard.type(japanese)
            link = laptop.get_by_role("dialog").get_by_role("listitem").first.get_by_role("link")
            expect(link).to_contain_text(f"{japanese}について", timeout=20_000)
            link.click()
            expect(laptop).to_have_url(re.compile(rf"/guide/ja/{subject}\.html"))
    before = written(made)
    divided.write("docs/scan.md", "# About scan\n\nThis page is about scan.\n\nAnd more.\n")
    assert divided.make("--language=ja").returncode == 0
    changed = {part for part, time in written(made).items() if time != before[part]}
    first = part_of("index.html", 3)  # it may tell of every page
    assert part_of("scan.html", 3) in changed <= {part_of("scan.html", 3), first}


def written(folder: Path) -> dict[str, int]:
    """When each part was made."""
    return {part.name: part.stat().st_mtime_ns for part in folder.glob("*/")}
