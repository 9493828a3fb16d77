"""Make the guide as EPUB and PDF: `python -m docs._make.books [LANGUAGE ...]`.

No page runs for it: the books are made of the stored outputs and of the pages as they were read
for the site. The PDF is the EPUB, printed by Chromium.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

import pikepdf
from filelock import FileLock, Timeout
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from playwright.sync_api import Browser, Page, sync_playwright

from docs._ext.book import basename, cover_of
from docs._make.chromium import START
from docs._make.environment import folder_name
from docs._make.languages import BUILD, build
from docs._make.one_page import one_page
from docs._make.options import ROOT, configured_languages, parse
from docs._make.ready import ReadyPages
from docs._make.store import open_store
from docs._make.words import word

BOOKS = ROOT / "books"
# Without these Chromium would print a box for each letter that no other font has.
FONTS = ("BIZ UDPGothic", "NanumGothic", "DejaVu Math TeX Gyre")
# Puts page numbers into the contents.
FILL_IN = """pages => {
  for (const number of document.querySelectorAll(".contents .number"))
    number.textContent = pages[number.parentElement.hash.slice(1)];
}"""


def main(languages: Sequence[str]) -> int:
    """Make the books that were asked for; tell in one line what stopped it."""
    known = list(configured_languages())
    wrong = [language for language in languages if language not in known]
    if wrong:
        problem = f"{wrong[0]!r} is not a language of the guide; choose of {', '.join(known)}"
    elif missing := [family for family in FONTS if not has_font(family)]:
        problem = f"the font {missing[0]} is not installed: nox -s books installs it"
    else:
        try:
            BUILD.mkdir(exist_ok=True)
            with FileLock(BUILD / "lock", blocking=False):
                return make(languages or known)
        except Timeout:
            problem = "another build is running in this checkout: wait until it ends, or stop it"
        except OSError as error:
            problem = f"{error}: the books are as they were"
    print(problem, file=sys.stderr)
    return 1


def has_font(family: str) -> bool:
    """Tell whether a family of fonts is installed."""
    if not shutil.which("fc-list"):
        return False
    listed = subprocess.run(["fc-list", family], capture_output=True, check=True)
    return bool(listed.stdout.strip())


def make(languages: Sequence[str]) -> int:
    """Make EPUB and PDF of each language."""
    outputs = BUILD / "outputs" / folder_name(parse([]).backend)
    store, ready = open_store(outputs), ReadyPages(outputs)
    if ready.update(store):
        print("not every page has run yet: nox -s docs, then again", file=sys.stderr)
        return 1
    ready.save(store)
    os.environ.setdefault("SOURCE_DATE_EPOCH", last_change())
    BOOKS.mkdir(exist_ok=True)
    with chromium() as browser:
        for language in languages:
            draw_cover(browser, language)
        if not build("epub", languages, outputs, list(configured_languages())):
            return 1
        for language in languages:
            started = time.perf_counter()
            epub = book_folder(language) / f"{basename(language)}.epub"
            shutil.copy(epub, BOOKS / epub.name)
            pdf = BOOKS / f"{basename(language)}.pdf"
            number = print_pdf(browser, book_folder(language), pdf)
            seconds = time.perf_counter() - started
            print(
                f"{language}: {size(epub)} EPUB, {size(pdf)} PDF, {number} pages, {seconds:.0f} s"
            )
    return 0


def book_folder(language: str) -> Path:
    """Where Sphinx leaves the files that are in a language's EPUB."""
    return BUILD / language / "epub" / "epub"


def last_change() -> str:
    """The time that a book is of: that of the last commit, where there is one."""
    told = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return told.stdout.strip() or str(int(time.time()))


def size(path: Path) -> str:
    """Say how heavy a file is."""
    return f"{path.stat().st_size / 1e6:.1f} MB"


@contextmanager
def chromium() -> Iterator[Browser]:
    """Start Debian's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(**START)
        yield browser
        browser.close()


def draw_cover(browser: Browser, language: str) -> None:
    """Draw the cover and clear what the last book left: its builder packs whatever is there."""
    shutil.rmtree(book_folder(language), ignore_errors=True)
    cover = cover_of(book_folder(language))
    cover.parent.mkdir(parents=True, exist_ok=True)
    source = ROOT / "docs" / "_book"
    templates = Environment(
        loader=FileSystemLoader(source), undefined=StrictUndefined, autoescape=True
    )
    moment = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    html = templates.get_template("cover.html").render(
        language=language,
        title=word(language, "JAX guide"),
        description=word(language, "Every line of code was run to make this book."),
        style=(source / "static" / "book.css").as_uri(),
        jax=version("jax"),
        date=f"{moment:%Y-%m-%d}",
    )
    page = browser.new_page(viewport={"width": 1120, "height": 1600})
    show(page, cover.parent.with_suffix(".html"), html)
    page.screenshot(path=cover)
    page.close()


def show(page: Page, path: Path, html: str) -> None:
    """Open some HTML as a file, so that it finds the files beside it."""
    path.write_text(html, encoding="utf-8")
    page.goto(path.as_uri())
    page.evaluate("document.fonts.ready.then(() => true)")


def print_pdf(browser: Browser, folder: Path, pdf: Path) -> int:
    """Print a book; return how many pages it has.

    Chromium cannot yet say in the contents on which page something is (`target-counter`), so the
    book is printed twice: the second time its contents have the numbers found the first time.
    """
    page = browser.new_page()
    page.set_default_timeout(0)  # hundreds of pages take long on a busy machine
    show(page, folder / "one-page.html", one_page(folder))
    printed = partial(page.pdf, prefer_css_page_size=True, print_background=True)
    with pikepdf.open(BytesIO(printed())) as draft:
        page.reload()  # what was printed once, Chromium breaks into pages differently
        page.evaluate(FILL_IN, page_numbers(draft))
    with pikepdf.open(BytesIO(printed(outline=True, tagged=True))) as book:
        page.close()
        return finish(book, pdf)


def page_numbers(book: pikepdf.Pdf) -> dict[str, int]:
    """The page that each place is on to which a link leads."""
    numbers = {page.obj.objgen: number for number, page in enumerate(book.pages, start=1)}
    places = book.Root.Dests.items()
    return {name.removeprefix("/"): numbers[place[0].objgen] for name, place in places}


def finish(book: pikepdf.Pdf, pdf: Path) -> int:
    """Write the printed book with the time that it is of; packed, it is a third as heavy."""
    moment = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    for key in ("/CreationDate", "/ModDate"):
        book.docinfo[key] = f"{moment:D:%Y%m%d%H%M%SZ}"
    book.docinfo["/Creator"] = "Chromium"
    packed = pikepdf.ObjectStreamMode.generate
    book.save(pdf, object_stream_mode=packed, deterministic_id=True)
    return len(book.pages)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
