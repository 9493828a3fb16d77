"""Every file of the site is the guide's own, or the list of licences says whose it is."""

import re
from importlib.metadata import version
from pathlib import Path

import pytest

from docs._ext.licences import FOLDER, KEPT, Work, text_of, works
from docs._make.options import ROOT
from tests.site.built import LANGUAGES, SITE, article, files, target

pytestmark = pytest.mark.usefixtures("site")
WORKS = list(works())
SHIPPED = [work for work in WORKS if "://" not in work.text]  # with their texts

# What is made of the repository alone. A new file that fits nowhere fails the first test: where
# others made it, or part of it, it needs a row in docs/reference/licences.csv.
OURS = [
    # at the site's root
    *("*.html", ".nojekyll", "favicon.svg", "llms.txt", "sitemap.xml", "robots.txt", "_headers"),
    "versions.json",
    # of each page; the text that the search indexes
    *("*/_notebooks/**/*.ipynb", "*/_originals/**/*.js", "*/_po/**/*.po", "*/_cards/**/*.png"),
    *("*/pagefind/*/index/*", "*/pagefind/*/fragment/*", "*/pagefind/*/*.pf_meta"),
    *("*/pagefind/*/pagefind-entry.json", "*/pagefind/words.json"),
    # drawings of the pages' cells, and what they let readers download
    *("*/_images/*.png", "*/_images/*.svg", "*/_downloads/*/*"),
    # of each language
    *("*/objects.inv", "*/llms.txt", "*/changes.xml", "*/jax-guide-*.epub", "*/jax-guide-*.pdf"),
    *("*/_static/translations.js", f"*/{FOLDER}/*.txt"),
    *(
        f"*/{path.relative_to(ROOT / 'docs').as_posix()}"
        for path in (ROOT / "docs" / "_static").rglob("*")
    ),
]


def found(patterns: list[str]) -> set[Path]:
    return {path for pattern in patterns for path in SITE.glob(pattern) if path.is_file()}


def test_the_list_names_every_file_that_others_made() -> None:
    listed = found([pattern for work in WORKS for pattern in work.files.split()])
    unknown = set(files("*")) - listed - found(OURS)
    assert sorted(str(path.relative_to(SITE)) for path in unknown) == []


@pytest.mark.parametrize("work", WORKS, ids=lambda work: work.name)
def test_no_row_is_left_over(work: Work) -> None:
    for pattern in work.files.split():
        assert found([pattern]), f"{pattern}: the site has no such file"


def test_no_page_or_style_sheet_brings_a_font() -> None:
    fonts = {".woff", ".woff2", ".ttf", ".otf", ".eot"}
    assert [path for path in SITE.rglob("*") if path.suffix in fonts] == []
    for path in found(["*/**/*.html", "*/_static/**/*.css"]):
        assert not re.search(r"@font-face|<glyph\b|data:(application/)?(x-)?font", path.read_text())


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_licence_leads_to_its_text(language: str) -> None:
    page = SITE / language / "reference" / "licences.html"
    rows = article(language, "reference/licences").select("table.licences tbody tr")
    shown = []
    for row, work in zip(rows, WORKS, strict=True):
        name, package, licence = row.select("td")
        shown.append(name.text)
        assert package.text == f"{work.package} {version(work.package)}"
        assert licence.text == work.licence
        (link,) = licence.select("a")
        text = target(page, str(link["href"]))
        if text is None:  # CC BY 4.0 asks for an address, and no more
            assert work.text == link["href"]
        else:
            assert text[0].read_bytes() == text_of(work).read_bytes()
    assert shown == [work.name for work in WORKS]


# A few words that only texts of a licence have.
SAYS = {
    "Apache-2.0": "Apache License Version 2.0",
    "BlueOak-1.0.0": "Blue Oak Model License",
    "BSD-2-Clause": "Redistributions in binary form",
    "BSD-3-Clause": "Neither the name",
    "GPL-3.0-only": "GNU GENERAL PUBLIC LICENSE Version 3",
    "MIT": "without restriction, including without limitation the rights to use",
}


@pytest.mark.parametrize("work", SHIPPED, ids=lambda work: work.name)
def test_the_text_is_that_of_the_licence(work: Work) -> None:
    text = " ".join(text_of(work).read_text(encoding="utf-8").split())
    said = [SAYS[name] in text for name in re.split(" OR | AND ", work.licence)]
    assert any(said) if " OR " in work.licence else all(said)


def test_no_text_is_kept_in_vain() -> None:
    assert {path.stem for path in KEPT.iterdir()} == {work.text for work in SHIPPED if work.text}
