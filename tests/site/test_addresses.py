"""Canonical addresses: absolute where the site's is known, and never invented."""

import re

from tests.conftest import SmallGuide


def heads(small_guide: SmallGuide, language: str) -> tuple[list[str], list[str]]:
    html = small_guide.page("one", language)
    canonical = re.findall(r'<link rel="canonical" href="(.*?)"', html)
    alternates = re.findall(r'<link rel="alternate" hreflang=".*?" href="(.*?)"', html)
    return canonical, alternates


def test_absolute_where_the_address_is_known(small_guide: SmallGuide) -> None:
    assert small_guide.make(GUIDE_SITE_URL="https://guide.example/sub/").returncode == 0
    canonical, alternates = heads(small_guide, "ja")
    assert canonical == ["https://guide.example/sub/ja/one.html"]
    assert alternates == [
        f"https://guide.example/sub/{code}/one.html" for code in ("en", "en", "ja", "ko")
    ]


def test_none_where_it_is_not(small_guide: SmallGuide) -> None:
    assert small_guide.make(GUIDE_SITE_URL="").returncode == 0
    canonical, alternates = heads(small_guide, "ja")
    assert canonical == []
    assert alternates == []  # search engines read absolute ones only


def test_the_site_can_go_to_a_folder_that_is_not_there_yet(small_guide: SmallGuide) -> None:
    assert small_guide.make("--language=ja", "--site=public/guide").returncode == 0
    assert (small_guide.root / "public" / "guide" / "ja" / "one.html").exists()


def test_only_published_languages_are_offered(small_guide: SmallGuide) -> None:
    made = small_guide.make("--language=ja", GUIDE_SITE_URL="https://guide.example")
    assert made.returncode == 0
    assert heads(small_guide, "ja")[1] == ["https://guide.example/ja/one.html"] * 2
    assert not (small_guide.root / "site" / "en").exists()
    assert 'href="ko/' not in (small_guide.root / "site" / "index.html").read_text()
