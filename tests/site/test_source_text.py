"""The English source text, which the site has beside its translated pages."""

import json
import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag

from tests.conftest import SmallGuide, po
from tests.site.built import PAGES, SITE, TRANSLATIONS, indexed, read_article

EVERY_KIND = """\
# A title

A paragraph with `code`, $x^2$, *emphasis* and [a link](two.md#part).

- An item

1. A numbered item

> A quotation

:::{admonition} A box
With text.
:::

| Head |
|------|
| Cell |

```{eval-rst}
The first block.
```

Same

```{eval-rst}
The second block.
```

Not translated

"""
TRANSLATED = {
    "A title": "題名",
    "A paragraph with `code`, $x^2$, *emphasis* and [a link](two.md#part).": (
        "段落：`code`、$x^2$、*強調*、[リンク](two.md#part)。"
    ),
    "An item": "項目",
    "A numbered item": "番号付きの項目",
    "A quotation": "引用",
    "A box": "囲み",
    "With text.": "本文です。",
    "Head": "見出し",
    "Cell": "セル",
    "Same": "Same",
}
PARAGRAPHS = "section > p, section > :is(h1, h2, h3), li > p"


def source_texts(site: Path, name: str) -> dict[str, Tag]:
    """The source texts of a page, by the class of the paragraph that each belongs to."""
    script = (site / "_source_text" / f"{name}.js").read_text(encoding="utf-8")
    match = re.fullmatch(r"addSourceText\((.*)\);\n", script, re.DOTALL)
    assert match
    texts = json.loads(match[1]).items()
    return {name: BeautifulSoup(html, "lxml") for name, html in texts}


def words(tag: Tag) -> str:
    """What a reader sees, without signs that link to a heading; quotation marks vary."""
    text = tag.get_text().replace("¶", "").translate(str.maketrans("‘’“”", "''\"\""))
    return " ".join(text.split()).removesuffix("#").strip()


def contents(tag: Tag) -> list[str]:
    """The code, formulas and links of a paragraph."""
    # A step of a route has the route in its address; the original has not.
    links = [re.sub(r"\?[^#]*", "", str(link["href"])) for link in tag.select("a:not(.headerlink)")]
    return sorted([*map(str, tag.select("code, math")), *links])


def check(english: Tag, translated: Tag, texts: dict[str, Tag]) -> None:
    """Check a translated page against the English page."""
    paragraphs = {
        words(tag) for tag in english.select("h1, h2, h3, p, dt, figcaption, summary, label")
    }
    tags = reversed(translated.find_all(class_=True))
    translations = {key: tag for tag in tags for key in tag["class"]}  # the first of each class
    assert texts
    for key, text in texts.items():
        assert words(text) in paragraphs and key in translations, key
        # A translation may name what the English calls it.
        assert set(contents(text)) <= set(contents(translations[key])), key
    unchanged = {tag.get_text() for tag in english.select(PARAGRAPHS)}  # such as a name: Slurm
    for tag in translated.select(PARAGRAPHS):
        classes = " ".join(tag.get("class") or [])
        made = {"proof", "exercise-title", "answer"} & {*classes.split()}  # by an extension
        assert made or "source-text-" in classes or tag.get_text() in unchanged, tag
    assert not english.select(".source-text-toggle")
    (button,) = translated.select("button.source-text-toggle")
    assert button["aria-pressed"] == "false"
    assert not translated.select(".source-text")


@pytest.mark.usefixtures("site")
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_paragraph_has_its_english(language: str) -> None:
    faults, shown, source = [], set(), set()
    for name in PAGES:
        translated, texts = read_article(language, name), source_texts(SITE / language, name)
        try:
            check(read_article("en", name), translated, texts)
        except AssertionError as error:
            faults.append(f"{name}: {error}"[:1000])
        shown |= long_words(translated.get_text())
        source |= {word for text in texts.values() for word in long_words(words(text))}
    assert not faults, "\n\n".join(faults)
    only_english = source - shown
    assert len(only_english) > 100
    index = " ".join(page["content"] for page in indexed(language))
    assert index and sorted(only_english & long_words(index)) == []


def long_words(text: str) -> set[str]:
    return set(re.findall("[a-z]{7,}", text.lower()))


def test_every_kind_of_text_is_translated_and_has_its_english(small_guide: SmallGuide) -> None:
    small_guide.write("docs/one.md", EVERY_KIND)
    small_guide.write("docs/two.md", "# Two\n\n## Part\n")
    for language in TRANSLATIONS:
        small_guide.write(f"locale/{language}/LC_MESSAGES/one.po", po(TRANSLATED))
    made = small_guide.make(GUIDE_REPOSITORY_URL="https://code.example/guide/")
    assert made.returncode == 0, made.stderr + made.stdout
    for language in ["en", *TRANSLATIONS]:  # a block of reStructuredText must not repeat another
        assert small_guide.page("one", language).count("The first block.") == 1
        assert small_guide.page("one", language).count("The second block.") == 1
    html = BeautifulSoup(small_guide.page("one", "ja"), "lxml")
    texts = source_texts(small_guide.root / "site/ja", "one")
    keys = {words(text): key for key, text in texts.items()}
    paragraph = "A paragraph with code, x2, emphasis and a link."
    expected = {paragraph if "`" in english else english for english in TRANSLATED} - {"Same"}
    assert keys.keys() == expected
    for key in texts:
        assert len(html.select(f".{key}")) == 1
    assert [link["href"] for link in texts[keys[paragraph]].select("a")] == ["two.html#part"]
    assert texts[keys[paragraph]].select("code, math, em")
    (link,) = html.select("a.translation-file")
    path = "blob/HEAD/locale/ja/LC_MESSAGES/one.po"
    assert link["href"] == f"https://code.example/guide/{path}"
