"""Both books of a language are of one time, and what cannot be made is refused in one line."""

import re
from zipfile import ZipFile

import pikepdf
import pytest

from docs._make.books import main
from tests.books.made import each_language, epub, pdf


@each_language
def test_both_books_are_of_one_time(language: str) -> None:
    with ZipFile(epub(language)) as book:
        modified = re.search(r'"dcterms:modified">([^<]+)<', book.read("content.opf").decode())
    assert modified
    with pikepdf.open(pdf(language)) as printed:
        times = {str(printed.docinfo[key]) for key in ("/CreationDate", "/ModDate")}
    assert times == {f"D:{re.sub('[-:T]', '', modified[1])}"}


def test_an_unknown_language_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fr"]) == 1
    assert capsys.readouterr().err == "'fr' is not a language of the guide; choose of en, ja, ko\n"


def test_without_its_fonts_no_book_is_made(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("docs._make.books.FONTS", ("A font of nobody",))
    assert main(["ja"]) == 1
    told = "the font A font of nobody is not installed: nox -s books installs it\n"
    assert capsys.readouterr().err == told
