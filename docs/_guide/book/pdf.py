"""Print the files of an EPUB as a PDF."""

from datetime import datetime
from functools import partial
from io import BytesIO
from pathlib import Path

import pikepdf
from playwright.sync_api import Browser

from docs._guide.book.chromium import show
from docs._guide.book.one_page import one_page

INSERT_PAGE_NUMBERS = """numbers => {
  for (const element of document.querySelectorAll(".contents .number"))
    element.textContent = numbers[element.parentElement.hash.slice(1)];
}"""


def print_pdf(browser: Browser, folder: Path, pdf: Path, date: datetime) -> int:
    """Print a book; return its number of pages.

    Chromium has no `target-counter`, so the book is printed twice: the second time with the page
    numbers of the first in its table of contents.
    """
    page = browser.new_page()
    page.set_default_timeout(0)  # hundreds of pages
    show(page, folder / "one-page.html", one_page(folder))
    printed = partial(page.pdf, prefer_css_page_size=True, print_background=True)
    with pikepdf.open(BytesIO(printed())) as draft:
        page.reload()  # printed again, the same document would break into pages differently
        page.evaluate(INSERT_PAGE_NUMBERS, page_numbers(draft))
    with pikepdf.open(BytesIO(printed(outline=True, tagged=True))) as book:
        page.close()
        return save(book, pdf, date)


def page_numbers(book: pikepdf.Pdf) -> dict[str, int]:
    """The page number of each link target."""
    numbers = {page.obj.objgen: number for number, page in enumerate(book.pages, start=1)}
    targets = book.Root.Dests.items()
    return {name.removeprefix("/"): numbers[target[0].objgen] for name, target in targets}


def save(book: pikepdf.Pdf, pdf: Path, date: datetime) -> int:
    """Save the printed book with its date, compressed to a third; return its number of pages."""
    for key in ("/CreationDate", "/ModDate"):
        book.docinfo[key] = f"{date:D:%Y%m%d%H%M%SZ}"
    book.docinfo["/Creator"] = "Chromium"
    compressed = pikepdf.ObjectStreamMode.generate
    book.save(pdf, object_stream_mode=compressed, deterministic_id=True)
    return len(book.pages)
