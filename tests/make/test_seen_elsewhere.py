"""What a page shows of others is what they are now, though Sphinx reads only those that changed."""

import re

import pytest

from tests.conftest import CONTENTS, SmallGuide, po


@pytest.fixture
def guide(small_guide: SmallGuide) -> SmallGuide:
    small_guide.write("docs/one.md", "# First\n\nSee [](two.md) and {ref}`part`.\n")
    small_guide.write("docs/two.md", "# Second\n\nProse.\n\n(part)=\n## Part\n")
    japanese = {"Second": "第二", "Part": "部分", "Third": "第三"}
    small_guide.write("locale/ja/LC_MESSAGES/two.po", po(japanese))
    assert small_guide.make("--language=ja").returncode == 0
    for words in ("第二", "部分"):
        assert words in small_guide.page("one", "ja")
    return small_guide


def after(guide: SmallGuide, **pages: str) -> str:
    """The first page after others were written."""
    for name, text in pages.items():
        guide.write(f"docs/{name}.md", text)
    built = guide.make("--language=ja")
    assert built.returncode == 0, built.stdout
    return guide.page("one", "ja")


def test_a_new_title(guide: SmallGuide) -> None:
    page = after(guide, two="# Third\n\nProse.\n\n(part)=\n## Part\n")
    assert "第三" in page
    assert "第二" not in page


def test_a_new_translation_of_a_title(guide: SmallGuide) -> None:
    guide.write("locale/ja/LC_MESSAGES/two.po", po({"Second": "次", "Part": "区分"}))
    page = after(guide)
    assert "次" in page
    assert "区分" in page
    assert "第二" not in page


def test_a_page_more(guide: SmallGuide) -> None:
    contents = CONTENTS.replace("two", "two\nthree")
    assert "Another page" in after(guide, three="# Another page\n", index=contents)


def test_a_page_less(guide: SmallGuide) -> None:
    for name in ("docs/two.md", "locale/ja/LC_MESSAGES/two.po"):
        (guide.root / name).unlink()
    contents = CONTENTS.replace("two\n", "")
    # The words of the first page are others too, or its link would lead to nothing.
    assert "two.html" not in after(guide, one="# First\n", index=contents)
    assert "two.html" not in guide.page("index", "ja")
    assert "two.html" not in guide.page("reference/status", "ja")


def test_a_heading_that_is_gone_and_linked_to(guide: SmallGuide) -> None:
    guide.write("docs/two.md", "# Second\n\nProse.\n")
    built = guide.make("--language=ja")
    assert built.returncode == 1
    assert re.search(r"docs/one.md:\d: WARNING: undefined label: 'part'", built.stdout)
    assert ">Part" not in after(guide, one="# First\n\nSee [](two.md).\n")


def test_a_new_heading_comes_to_the_pages_that_lead_to_it(guide: SmallGuide) -> None:
    other = guide.root / "_build" / "ja" / "html" / "html" / "reference" / "status.html"
    before = other.stat().st_mtime_ns
    page = after(guide, two="# Second\n\nProse.\n\n(part)=\n## Other words\n\n## More\n")
    assert ">Other words<" in page
    assert other.stat().st_mtime_ns == before


def test_other_prose_is_no_reason_to_write_other_pages(guide: SmallGuide) -> None:
    file = guide.root / "_build" / "ja" / "html" / "html" / "one.html"
    before = file.stat().st_mtime_ns
    after(guide, two="# Second\n\nMuch\n\nother prose.\n\n(part)=\n## Part\n")
    assert file.stat().st_mtime_ns == before
