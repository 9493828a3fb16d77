"""Make the guide as EPUB and PDF: `python -m docs._guide.book`, with the options of the site.

No page runs: the books are made of the cached outputs. The PDF is the EPUB, printed by Chromium.
"""

import os
import shutil
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import version

from playwright.sync_api import Browser

from docs._guide.__main__ import main
from docs._guide.book.chromium import chromium, show
from docs._guide.book.epub import BOOKS, basename, cover
from docs._guide.book.pdf import print_pdf
from docs._guide.execute import cache
from docs._guide.execute.environment import cache_folder
from docs._guide.execute.page import executed_pages
from docs._guide.options import ROOT, Options, configured_languages
from docs._guide.site.build import build, output
from docs._guide.site.root import template, word


def make(options: Options) -> int:
    """Make EPUB and PDF of each language."""
    languages, outputs = options.languages, cache_folder(options.backend)
    if cache.missing(outputs, executed_pages()):
        print("not every page has run yet: nox -s docs, then again", file=sys.stderr)
        return 1
    os.environ.setdefault("SOURCE_DATE_EPOCH", last_commit())
    date = datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), UTC)
    BOOKS.mkdir(exist_ok=True)
    with chromium() as browser:
        for language in languages:
            draw_cover(browser, language, date)
            shutil.rmtree(output(language, "epub"), ignore_errors=True)  # all of it gets packed
        if not build("epub", languages, outputs, list(configured_languages())):
            return 1
        for language in languages:
            folder = output(language, "epub")
            epub, pdf = (BOOKS / f"{basename(language)}.{kind}" for kind in ("epub", "pdf"))
            shutil.copy(folder / epub.name, epub)
            pages = print_pdf(browser, folder, pdf, date)
            print(f"{language}: {epub.name} and {pdf.name}, {pages} pages")
    return 0


def last_commit() -> str:
    """The time of the last commit, or else the current time, as seconds since 1970."""
    log = subprocess.run(
        ["git", "log", "-1", "--format=%ct"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    return log.stdout.strip() or str(int(time.time()))


def draw_cover(browser: Browser, language: str, date: datetime) -> None:
    """Draw the cover of a language's book, with the date and the version of JAX."""
    source = ROOT / "docs" / "_book"
    html = template("cover.html", source).render(
        language=language,
        title=word(language, "JAX guide"),
        description=word(language, "Every code cell was run, unless it says otherwise."),
        style=(source / "static" / "book.css").as_uri(),
        jax=version("jax"),
        date=f"{date:%Y-%m-%d}",
    )
    file = cover(language)
    file.parent.mkdir(parents=True, exist_ok=True)
    page = browser.new_page(viewport={"width": 1120, "height": 1600})
    show(page, file.with_suffix(".html"), html)
    page.screenshot(path=file)
    page.close()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:], make))
