"""The English originals, which the built site keeps beside its translated pages."""

import json
import re
from functools import cache

import pytest
from bs4 import BeautifulSoup, Tag

from tests.conftest import SmallGuide
from tests.site.built import DOCS, PAGES, SITE, TRANSLATIONS, article, indexed, page

EVERY_KIND = """\
# A title

A paragraph with `code`, $x^2$, *emphasis* and [a link](two.md#part).[^1]

- An item

1. A numbered item

> A quotation

:::{admonition} A box
With text.
:::

| Head |
|------|
| Cell |

Same

Not translated

[^1]: A footnote.
"""
TRANSLATED = {
    "A title": "題名",
    "A paragraph with `code`, $x^2$, *emphasis* and [a link](two.md#part).[^1]": (
        "段落：`code`、$x^2$、*強調*、[リンク](two.md#part)。[^1]"
    ),
    "An item": "項目",
    "A numbered item": "番号付きの項目",
    "A quotation": "引用",
    "A box": "囲み",
    "With text.": "本文です。",
    "Head": "見出し",
    "Cell": "セル",
    "Same": "Same",
    "A footnote.": "脚注です。",
}


@cache
def originals(language: str, name: str) -> dict[str, BeautifulSoup]:
    """The originals of a page, by the class of the translated node."""
    text = (SITE / language / "_originals" / f"{name}.js").read_text(encoding="utf-8")
    return parse(text)


def parse(text: str) -> dict[str, BeautifulSoup]:
    found = re.fullmatch(r"addOriginals\((.*)\);\n", text, re.DOTALL)
    assert found
    return {name: BeautifulSoup(html, "html.parser") for name, html in json.loads(found[1]).items()}


@cache
def translations(language: str, name: str) -> dict[str, Tag]:
    """The translated nodes of a page, by the class that their original is found with."""
    tags = article(language, name).find_all(class_=True)
    return {key: tag for tag in tags for key in tag["class"] if key.startswith("original-")}


def words(tag: Tag) -> str:
    """What a reader sees, without signs that link to a heading; quotation marks vary."""
    text = tag.get_text().replace("¶", "").translate(str.maketrans("‘’“”", "''\"\""))
    return " ".join(text.split()).removesuffix("#").strip()


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("name", PAGES)
def test_originals_are_what_the_english_page_says(language: str, name: str) -> None:
    english = {words(tag) for tag in article("en", name).select("h1, h2, h3, p, dt, figcaption")}
    assert originals(language, name)
    for key, html in originals(language, name).items():
        assert words(html) in english
        assert key in translations(language, name)


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize("name", PAGES)
def test_originals_have_the_code_formulas_and_links_of_their_translations(
    language: str, name: str
) -> None:
    for key, html in originals(language, name).items():
        translated = translations(language, name)[key]
        for kind, of in (("code", str), ("math", str), ("a:not(.headerlink)", link)):
            assert sorted(map(of, html.select(kind))) == sorted(map(of, translated.select(kind)))


def link(tag: Tag) -> str:
    return str(tag["href"])


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("name", PAGES)
def test_every_paragraph_of_a_translated_page_has_one(name: str) -> None:
    places = "section > p:not(.feed), section > :is(h1, h2, h3), li > p"
    english = {tag.get_text() for tag in article("en", name).select(places)}
    for language in TRANSLATIONS:
        for tag in article(language, name).select(places):
            if tag.get_text() not in english:  # a name, such as Slurm, is its own translation
                assert re.search(r"\boriginal-\d", " ".join(tag.get("class") or [])), tag


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("name", PAGES)
def test_only_translated_pages_have_the_button(name: str) -> None:
    assert not page("en", name).select(".originals-toggle")
    for language in TRANSLATIONS:
        (button,) = page(language, name).select("button.originals-toggle")
        assert button["aria-pressed"] == "false"
        assert not page(language, name).select(".original")


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_english_words_are_not_in_the_search_index(language: str) -> None:
    found = " ".join(each["content"] for each in indexed(language)).lower()
    shown = " ".join(article(language, name).get_text().lower() for name in PAGES)
    english = " ".join(
        words(html).lower() for name in PAGES for html in originals(language, name).values()
    )
    only_english = {word for word in re.findall("[a-z]{7,}", english) if word not in shown}
    assert len(only_english) > 100
    assert sorted(only_english & set(re.findall("[a-z]{7,}", found))) == []


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("name", PAGES)
def test_each_translated_page_leads_to_its_translation(name: str) -> None:
    assert not page("en", name).select(".translation-file")
    for language in TRANSLATIONS:
        (found,) = page(language, name).select("a.translation-file")
        copy = (SITE / language / f"{name}.html").parent / str(found["href"])
        source = DOCS.parent / "locale" / language / "LC_MESSAGES" / f"{name}.po"
        assert copy.read_bytes() == source.read_bytes()


def translate(small_guide: SmallGuide, name: str) -> None:
    """Write a Japanese catalogue of a page."""
    header = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'
    entries = [
        f"\nmsgid {json.dumps(english)}\nmsgstr {json.dumps(japanese, ensure_ascii=False)}\n"
        for english, japanese in TRANSLATED.items()
    ]
    small_guide.write(f"locale/ja/LC_MESSAGES/{name}.po", header + "".join(entries))


def test_every_kind_of_text_has_its_original(small_guide: SmallGuide) -> None:
    small_guide.write("docs/one.md", EVERY_KIND)
    small_guide.write("docs/two.md", "# Two\n\n## Part\n")
    translate(small_guide, "one")
    made = small_guide.make("--language=ja", GUIDE_REPOSITORY_URL="https://code.example/guide/")
    assert made.returncode == 0, made.stderr + made.stdout
    html = BeautifulSoup(small_guide.page("one", "ja"), "html.parser")
    found = parse((small_guide.root / "site/ja/_originals/one.js").read_text(encoding="utf-8"))
    texts = {words(text): key for key, text in found.items()}
    assert texts.keys() == {
        "A title",
        "A paragraph with code, x2, emphasis and a link.",
        "An item",
        "A numbered item",
        "A quotation",
        "A box",
        "With text.",
        "Head",
        "Cell",
        "A footnote.",
    }
    for key in texts.values():
        assert len(html.select(f".{key}")) == 1
    paragraph = found[texts["A paragraph with code, x2, emphasis and a link."]]
    assert [link(tag) for tag in paragraph.select("a")] == ["two.html#part"]
    assert paragraph.select("code, math, em")
    (file,) = html.select("a.translation-file")
    expected = "https://code.example/guide/blob/HEAD/locale/ja/LC_MESSAGES/one.po"
    assert file["href"] == expected
    assert not (small_guide.root / "site/ja/_po").exists()
