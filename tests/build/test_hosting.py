"""What the variables for a host add to the site, and that nothing is invented without them."""

import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from docs._guide.options import ROOT
from tests.conftest import SmallGuide, po
from tests.site.built import LANGUAGES, tree

SETTINGS = {
    "GUIDE_SITE_URL": "https://guide.example/sub/",
    "GUIDE_REPOSITORY_URL": "https://github.com/me/guide/",
    "GUIDE_SITE_BRANCH": "notebooks",
    "GUIDE_VERSIONS_URL": "/versions.json",
}
LOCATION = "{http://www.sitemaps.org/schemas/sitemap/0.9}loc"


def scripts(page: Any) -> str:
    return " ".join(page.xpath("//script/@src"))


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "CONTRIBUTING.ja.md", "CONTRIBUTING.ko.md"])
def test_every_setting_is_documented_and_tested(name: str) -> None:
    read = re.findall(r'environ\.get\("(GUIDE_\w+)"', (ROOT / "docs" / "conf.py").read_text())
    text = (ROOT / name).read_text(encoding="utf-8")
    table = re.findall(r"^\| `(GUIDE_\w+)`", text, re.MULTILINE)
    assert read == table == list(SETTINGS)


def test_settings_bring_addresses_cards_links_colab_and_versions(small_guide: SmallGuide) -> None:
    small_guide.write("locale/ja/LC_MESSAGES/one.po", po({"A page": "ページ"}))
    made = small_guide.make(**SETTINGS)
    assert made.returncode == 0, made.stdout + made.stderr
    site, url = small_guide.root / "site", "https://guide.example/sub"
    for language in LANGUAGES:
        head = tree(site / language / "one.html").find("head")
        properties = {tag.get("property"): tag.get("content") for tag in head.iterfind("meta")}
        assert head.xpath("link[@rel='canonical']/@href") == [f"{url}/{language}/one.html"]
        assert properties["og:url"] == f"{url}/{language}/one.html"
        card = site / properties["og:image"].removeprefix(url).lstrip("/")
        assert properties["og:image"].startswith(url) and card.read_bytes()[1:4] == b"PNG"
        assert head.xpath("link[@hreflang]/@href") == [
            f"{url}/{code}/one.html" for code in ("en", *LANGUAGES)
        ]
    addresses = [tag.text for tag in ET.parse(site / "sitemap.xml").iter(LOCATION)]
    assert f"{url}/ja/one.html" in addresses
    assert tree(site / "404.html").xpath("//a/@href") == [
        f"/sub/{code}/{page}.html"
        for code in LANGUAGES
        for page in ("index", "start/routes", "search")
    ]

    page, english = (tree(site / language / "one.html") for language in ("ja", "en"))
    blob = "https://github.com/me/guide/blob/HEAD"
    report, *links = page.xpath("//*[has-class('bottom-of-page')]//a/@href")
    assert report.startswith("https://github.com/me/guide/issues/new?title=one")
    assert "Page%3A%20one%20%28ja%29" in report and "JAX%200" in report
    assert links == [f"{blob}/docs/one.md", f"{blob}/locale/ja/LC_MESSAGES/one.po"]
    (link,) = english.xpath("//*[has-class('bottom-of-page')]//a[@class='source-file']/@href")
    assert link == f"{blob}/docs/one.md"

    (colab,) = page.xpath("//a[has-class('colab')]/@href")
    start = "https://colab.research.google.com/github/me/guide/blob/notebooks/"
    assert colab.startswith(f"{start}ja/")
    assert (site / colab.removeprefix(start)).is_file()  # site.yml pushes it under this path

    (versions,) = page.xpath("//nav[has-class('versions')]")
    assert (versions.get("data-list"), versions.get("data-page")) == (
        "/versions.json",
        "ja/one.html",
    )
    assert versions.get("hidden") is not None and "versions.js" in scripts(page)
    assert page.xpath("//*[has-class('older-version')]/@hidden")


def test_without_settings_nothing_is_invented(small_guide: SmallGuide) -> None:
    unset = dict.fromkeys(SETTINGS, "")
    made = small_guide.make("--language=ja", "--site=a/new/folder", **unset)
    assert made.returncode == 0, made.stdout + made.stderr
    site = small_guide.root / "a" / "new" / "folder"
    page = tree(site / "ja" / "one.html")
    assert not page.xpath("//link[@rel='canonical'] | //link[@hreflang] | //nav[@data-list]")
    assert not page.xpath("//meta[@property='og:image'] | //*[has-class('bottom-of-page')]//a")
    assert not page.xpath("//*[has-class('older-version') or has-class('colab')]")
    assert "versions.js" not in scripts(page)
    assert not (site / "sitemap.xml").exists()
    assert not (site / "robots.txt").exists()
    # A language that was not built is not offered.
    assert not (site / "en").exists()
    assert tree(site / "index.html").xpath("//main//a/@href") == ["ja/index.html"]
    assert not page.xpath("//nav[has-class('languages')]//a")
