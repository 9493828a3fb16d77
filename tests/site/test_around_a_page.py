"""What surrounds the prose of every page: the home page, tags for others, feed, contents."""

import re
from functools import cache
from xml.etree import ElementTree as ET

import pytest
from bs4 import BeautifulSoup

from docs._ext.reading_time import CHARACTERS
from tests.conftest import SmallGuide, po
from tests.site.built import LANGUAGES, PAGES, SITE, article, page, soup, target

pytestmark = pytest.mark.usefixtures("site")
ATOM = "{http://www.w3.org/2005/Atom}"
ENTRANCES = ["start/fifteen-minutes", "reference/phrasebook", "old-articles/modernize"]


@cache
def text_of(language: str, name: str) -> str:
    """A page as it is: to parse all of every page takes a minute."""
    return (SITE / language / f"{name}.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_home_page_shows_a_result_and_three_entrances(language: str) -> None:
    home = article(language, "index")
    (cell,) = home.select(".cell_input")
    assert len([line for line in cell.text.splitlines() if line.strip()]) <= 6
    assert "assert" in cell.text
    (output,) = home.select(".cell_output")
    assert re.search(r"0\.54\d", output.text)  # the cosine of 1
    source = SITE / language / "index.html"
    found = [target(source, str(link["href"])) for link in home.select(".entrances li a")]
    assert [each and each[0] for each in found] == [
        SITE / language / f"{name}.html" for name in ENTRANCES
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", PAGES)
def test_a_shared_address_says_what_the_page_is(language: str, name: str) -> None:
    html = BeautifulSoup(text_of(language, name).partition("</head>")[0], "html.parser")
    said = {str(tag["property"]): str(tag["content"]) for tag in html.select("meta[property]")}
    guide = said["og:site_name"]
    titles = {guide} if name == "index" else {f"{said['og:title']} - {guide}"}
    assert html.title and html.title.text in titles
    (description,) = html.select("meta[name=description]")
    assert said["og:description"] == description["content"]
    assert set(description.attrs) == {"name", "content"}
    assert said["og:locale"] == {"en": "en_US", "ja": "ja_JP", "ko": "ko_KR"}[language]
    assert len(html.select('meta[property="og:locale:alternate"]')) == len(LANGUAGES) - 1


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"index"}))
def test_a_page_takes_about_as_long_in_every_language(name: str) -> None:
    minutes = []
    for language in LANGUAGES:
        told = re.search(r'class="reading-time">(.*?)<', text_of(language, name))
        number = told and re.search(r"\d+", told[1])
        minutes.append(int(number[0]) if number else 1 if told else 0)
    assert max(minutes) <= 1.25 * min(minutes) + 1, f"{minutes}: is {CHARACTERS} a minute right?"


def test_previous_and_next_lead_through_all_pages() -> None:
    def neighbour(name: str, side: str) -> str | None:
        link = re.search(rf'class="{side}-page" href="(.*?)"', text_of("ko", name))
        found = link and target(SITE / "ko" / f"{name}.html", link[1])
        return found and found[0].relative_to(SITE / "ko").with_suffix("").as_posix()

    seen = ["index"]
    while following := neighbour(seen[-1], "next"):
        assert neighbour(following, "prev") == seen[-1]
        seen.append(following)
    assert sorted(seen) == sorted(PAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_feed_is_atom_and_leads_to_the_changes(language: str) -> None:
    file = SITE / language / "changes.xml"
    feed = ET.parse(file).getroot()
    assert feed.tag == f"{ATOM}feed"
    entries = feed.findall(f"{ATOM}entry")
    assert len(entries) >= 5
    for element in (feed, *entries):
        for needed in ("id", "title", "updated"):
            assert element.findtext(f"{ATOM}{needed}")
        updated = element.findtext(f"{ATOM}updated")
        assert updated and re.fullmatch(r"\d{4}-\d\d-\d\dT00:00:00Z", updated)
    assert feed.findtext(f"{ATOM}author/{ATOM}name")
    ids = [element.findtext(f"{ATOM}id") for element in (feed, *entries)]
    assert len(set(ids)) == len(ids)
    dates = [str(entry.findtext(f"{ATOM}updated")) for entry in entries]
    assert dates == sorted(dates, reverse=True)
    assert feed.findtext(f"{ATOM}updated") == dates[0]
    for entry in entries:
        link = entry.find(f"{ATOM}link")
        assert link is not None
        found = target(file, link.attrib["href"])
        assert found and soup(found[0]).find(id=found[1])
    for name in ("index", "transforms/grad"):
        (offered,) = page(language, name).select("link[type='application/atom+xml']")
        assert target(SITE / language / f"{name}.html", str(offered["href"])) == (file, "")


def test_entries_are_the_same_day_in_every_language() -> None:
    feeds = [ET.parse(SITE / language / "changes.xml").getroot() for language in LANGUAGES]
    days = [[e.findtext(f"{ATOM}updated") for e in feed.iter(f"{ATOM}entry")] for feed in feeds]
    assert days[0] == days[1] == days[2]


@pytest.mark.parametrize("language", LANGUAGES)
def test_programs_find_every_page_with_its_description(language: str) -> None:
    file = SITE / language / "llms.txt"
    text = file.read_text(encoding="utf-8")
    title, _, summary, *_ = text.splitlines()
    assert title.startswith("# ") and summary.startswith("> ")
    links = re.findall(r"^- \[.+\]\((\S+?)\): \S.+$", text, re.MULTILINE)
    found = [target(file, link) for link in links]
    expected = [(SITE / language / f"{name}.html", "") for name in PAGES if name != "index"]
    assert sorted(filter(None, found)) == sorted(expected)
    assert len(re.findall("^## ", text, re.MULTILINE)) == len(
        page(language, "index").select(".sidebar-tree .caption")
    )


def test_every_page_has_the_mark_of_the_guide() -> None:
    for path in (SITE / "index.html", *(SITE / code / "index.html" for code in LANGUAGES)):
        (icon,) = soup(path).select("link[rel~=icon]")
        found = target(path, str(icon["href"]).split("?")[0])
        assert found and found[0].read_text(encoding="utf-8").startswith("<svg")


def test_known_addresses_bring_cards_links_to_sources_and_a_sitemap(
    small_guide: SmallGuide,
) -> None:
    small_guide.write("locale/ja/LC_MESSAGES/one.po", po({"A page": "ページ"}))
    known = {
        "GUIDE_SITE_URL": "https://guide.example/sub/",
        "GUIDE_REPOSITORY_URL": "https://code.example/me/guide/",
    }
    done = small_guide.make("--language=ja", **known)
    assert done.returncode == 0, done.stdout + done.stderr
    html = small_guide.page("one", "ja")
    site = small_guide.root / "site"
    assert 'property="og:url" content="https://guide.example/sub/ja/one.html"' in html
    assert 'property="og:image" content="https://guide.example/sub/ja/_cards/one.png"' in html
    assert (site / "ja" / "_cards" / "one.png").exists()
    blob = "https://code.example/me/guide/blob/HEAD"
    assert f'href="{blob}/docs/one.md"' in html
    assert f'href="{blob}/locale/ja/LC_MESSAGES/one.po"' in html
    assert "https://guide.example/sub/ja/one.html" in (site / "sitemap.xml").read_text()
    # A page without a description is described by its first words.
    assert '<meta content="Some prose." name="description" />' in html

    assert small_guide.make("--language=ja", GUIDE_SITE_URL="").returncode == 0
    html = small_guide.page("one", "ja")
    assert "og:image" not in html and "blob/HEAD" not in html
    assert not (site / "ja" / "_cards").exists()
    assert not (site / "sitemap.xml").exists()
