"""The sitemap and what leads to it: every page once, with all its languages."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from docs._guide.site.root import write_sitemap

LANGUAGES = {"en": "English", "ja": "日本語"}
URL = "https://guide.example/sub"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    for path in ("en/index.html", "en/a/b.html", "en/search.html", "ja/index.html"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).touch()
    (tmp_path / "en" / "_static").mkdir()
    (tmp_path / "en" / "_static" / "no-page.html").touch()
    return tmp_path


def test_every_page_is_listed_with_the_languages_that_have_it(site: Path) -> None:
    write_sitemap(site, LANGUAGES, URL)
    assert f"\nSitemap: {URL}/sitemap.xml\n" in (site / "robots.txt").read_text(encoding="utf-8")
    root = ET.parse(site / "sitemap.xml").getroot()
    assert root.tag == f"{{{SITEMAP}}}urlset"
    listed = {}
    for url in root:
        assert next(child.tag for child in url) == f"{{{SITEMAP}}}loc"  # the schema's order
        links = url.findall(f"{{{XHTML}}}link")
        assert {link.get("rel") for link in links} == {"alternate"}
        location = url.findtext(f"{{{SITEMAP}}}loc")
        listed[location] = {link.get("hreflang"): link.get("href") for link in links}
    english, japanese = f"{URL}/en/index.html", f"{URL}/ja/index.html"
    both = {"en": english, "ja": japanese, "x-default": english}
    alone = f"{URL}/en/a/b.html"
    assert listed == {english: both, japanese: both, alone: {"en": alone, "x-default": alone}}
