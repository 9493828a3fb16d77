"""The PDF: all pages in order, text that can be searched and copied, nothing cut off."""

import re
import subprocess
from functools import cache
from zipfile import ZipFile

import pikepdf
import pytest
from bs4 import BeautifulSoup
from sphinx_intl.catalog import load_po

from docs._guide.book.one_page import anchor
from docs._guide.book.pdf import page_numbers
from docs._guide.options import ROOT
from docs._guide.site.build import output
from tests.books.made import each_language, epub, pages, pdf

FONTS = {
    "en": {"BIZUDPGothic-Regular", "BIZUDPGothic-Bold", "BIZUDGothic-Regular"},
    "ja": {"BIZUDPGothic-Regular", "BIZUDPGothic-Bold", "BIZUDGothic-Regular"},
    "ko": {"NanumGothic", "NanumGothicBold", "NanumGothicCoding"},
}
MILLIMETRE = 72 / 25.4
RIGHT_EDGE = (182 - 17) * MILLIMETRE  # what docs/_book/print.css leaves for the text


def poppler(command: str, *arguments: str) -> str:
    done = subprocess.run([command, *arguments], capture_output=True, encoding="utf-8", check=True)
    return done.stdout


@cache
def text(language: str) -> str:
    return poppler("pdftotext", str(pdf(language)), "-")


@each_language
def test_every_font_is_embedded_and_has_a_name(language: str) -> None:
    _titles, _line, *rows = poppler("pdffonts", str(pdf(language))).splitlines()
    for row in rows:
        embedded, subset, unicode = row.split()[-5:-2]
        assert (embedded, subset, unicode) == ("yes", "yes", "yes"), row
        assert "Type 3" not in row, row
    names = {row.split()[0].partition("+")[2] for row in rows}
    assert FONTS[language] <= names


@each_language
def test_every_page_of_the_guide_is_there_in_order(language: str) -> None:
    with pikepdf.open(pdf(language)) as book:
        numbers = page_numbers(book)
    places = [numbers[anchor(f"{page}.xhtml")] for page in pages()]
    assert places == sorted(places)
    assert len(set(places)) == len(places)


@each_language
def test_the_contents_have_the_right_page_numbers(language: str) -> None:
    with pikepdf.open(pdf(language)) as book:
        numbers = page_numbers(book)
    contents = text(language)[: text(language).index("\f", text(language).index("\f") + 1) + 9000]
    printed = [int(number) for number in re.findall(r"(?<!\S)\d+$", contents, re.MULTILINE)]
    for page in pages():
        assert numbers[anchor(f"{page}.xhtml")] in printed, page


@each_language
def test_a_sentence_can_be_found(language: str) -> None:
    english = (
        "Write a function as in NumPy: JAX differentiates it, applies it to whole batches,"
        " and compiles it for the CPU, the GPU and the TPU."
    )
    if language != "en":
        catalogue = load_po(ROOT / "locale" / language / "LC_MESSAGES" / "index.po")
        messages = [str(entry.string) for entry in catalogue if str(entry.id).startswith(english)]
        assert messages
        sentence = re.split(r"(?<=[。.])\s*", messages[0])[0]
    else:
        sentence = english
    assert "".join(sentence.split()) in "".join(text(language).split())


@each_language
def test_nothing_is_cut_off_at_the_right(language: str) -> None:
    boxes = poppler("pdftotext", "-bbox", str(pdf(language)), "-")
    far = [
        word
        for right, word in re.findall(r'xMax="([\d.]+)"[^>]*>([^<]*)<', boxes)
        if float(right) > RIGHT_EDGE + 1
    ]
    assert not far


@each_language
def test_links_lead_somewhere(language: str) -> None:
    inside = 0
    with pikepdf.open(pdf(language)) as book:
        targets = {str(name) for name, _place in book.Root.Dests.items()}
        for page in book.pages:
            for link in page.get("/Annots", []):
                if "/Dest" in link:
                    assert str(link.Dest) in targets
                    inside += 1
                elif "/A" in link and "/URI" in link.A:
                    assert str(link.A.URI).startswith(("https:", "http:", "mailto:"))
    assert inside > len(pages())


@each_language
def test_it_is_tagged_and_has_bookmarks(language: str) -> None:
    with pikepdf.open(pdf(language)) as book:
        assert book.Root.Lang == language
        assert book.Root.MarkInfo.Marked
        with book.open_outline() as outline:
            assert len(outline.root) > 5


@each_language
@pytest.mark.parametrize("path", [str(ROOT), "file://"])
def test_it_has_no_path_of_this_machine(language: str, path: str) -> None:
    assert path not in text(language)
    with pikepdf.open(pdf(language)) as book:
        assert path not in str(book.docinfo)


@each_language
def test_every_id_is_unique_and_every_link_has_a_target(language: str) -> None:
    page = output(language, "epub") / "one-page.html"
    parsed = BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser")
    ids = [str(tag["id"]) for tag in parsed.select("[id]")]
    assert len(set(ids)) == len(ids)
    links = {str(tag["href"])[1:] for tag in parsed.select('a[href^="#"]')}
    assert links <= set(ids)


@each_language
def test_it_has_the_date_of_the_epub(language: str) -> None:
    with ZipFile(epub(language)) as book:
        modified = re.search(r'"dcterms:modified">([^<]+)<', book.read("content.opf").decode())
    assert modified
    with pikepdf.open(pdf(language)) as printed:
        dates = {str(printed.docinfo[key]) for key in ("/CreationDate", "/ModDate")}
    assert dates == {f"D:{re.sub('[-:T]', '', modified[1])}"}
