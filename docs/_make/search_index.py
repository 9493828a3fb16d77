"""Make the search index of each language's pages with Pagefind, where it changed.

Sphinx's own index splits Japanese and Korean badly: Pagefind knows where their words begin. It
finds sections by headings that have an `id`; docutils gives the `id` to the section around them,
so the copy of a page that Pagefind reads says it at the heading too.

Pagefind takes a megabyte for each page, and makes an index as a whole: the pages of a large guide
are divided into several, of which an edit changes one. The search puts them together
(docs/_static/search/engine.js).
"""

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import unicodedata
import zlib
from collections.abc import Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path

from docs._make.languages import BUILD, html_folder
from docs._make.ready import digest
from docs._make.seal import is_sealed, seal
from docs._make.search_words import search_words

HEADING = re.compile(
    r"<h(?P<level>[1-6])[^>]*>(?P<title>(?:(?!</h).)*?)"
    r'<a class="headerlink" href="#(?P<anchor>[^"]+)"[^>]*>.*?</a></h(?P=level)>',
    re.DOTALL,
)
DESCRIPTION = re.compile(r'<meta (?=[^>]*name="description")[^>]*content="([^"]+)"[^>]*>')
# Within the article: what is on every page, or is the page's text once more.
NO_TEXT = [".page-head", ".page-tools", ".take-away", ".provenance", ".related-pages", ".no-search"]
# Nobody looks for a number that was printed, for a formula, or in code that the page itself hides;
# together they were a third of what a phone had to load.
NO_TEXT += [".math", "math", "details.hide"]
PRINTED = re.compile(r'<div class="output (?=(?:stream|text_plain))(?P<text>.*?</pre>)', re.DOTALL)
TOLD = re.compile(r"(?:Error|Exception|Warning|EXHAUSTED)\b|\bjax\.[a-z]")
PICTURE_TEXT = re.compile(r'(<img\b[^>]*?) alt="[^"]*"')  # Pagefind reads a sentence as one word
# What the search ranks apart: tables name everything once, and come after what teaches it; a
# message that was pasted is explained by the pages on errors, whatever other page shows it.
ABOUT = {
    "tables": (
        "reference/phrasebook",
        "reference/glossary",
        "reference/status",
        "old-articles/claims",
    ),
    "errors": ("trouble/errors-tracing", "trouble/errors-values"),
}
INTERFACE = ("pagefind-*ui.*", "pagefind-highlight.js")  # Pagefind's own; the guide has one
PAGES_TOGETHER = 100  # in one index, about


def index(languages: Sequence[str]) -> None:
    """Bring the indexes up to date, one by one: each run of Pagefind takes hundreds of MiB."""
    for language in languages:
        index_language(language)


def index_folder(language: str) -> Path:
    """Where the indexes of a language are, until the site is published."""
    return BUILD / language / "pagefind"


def articles_folder(language: str) -> Path:
    """Where the copies of a language's pages are that Pagefind reads."""
    return BUILD / language / "articles"


def index_language(language: str) -> None:
    """Index the pages of a language, but for those parts whose last index was made of the same."""
    folder, articles = index_folder(language), articles_folder(language)
    parts = copy_articles(language)
    if folder.exists() and {part.name for part in folder.glob("*/")} != set(parts):
        shutil.rmtree(folder)
    pages: dict[str, dict[str, str]] = {}
    for part in parts:
        pages |= index_part(articles / part, folder / part, language)
    words = {"parts": parts, **search_words(language), "pages": pages}
    (folder / "words.json").write_text(json.dumps(words, ensure_ascii=False), encoding="utf-8")


def index_part(pages: Path, folder: Path, language: str) -> dict[str, dict[str, str]]:
    """Index some pages, unless their index is there; tell what each is about."""
    mark, about = (folder.with_name(f"{folder.name}.{kind}") for kind in ("whole", "subjects"))
    files = [pages, folder, about]
    if not is_sealed(mark, files, program()):
        shutil.rmtree(folder, ignore_errors=True)
        pagefind(pages, folder, language)
        for unused in (file for pattern in INTERFACE for file in folder.glob(pattern)):
            unused.unlink()
        about.write_text(json.dumps(subjects(folder, pages)), encoding="utf-8")
        seal(mark, files, program())
    found: dict[str, dict[str, str]] = json.loads(about.read_text(encoding="utf-8"))
    return found


def pagefind(pages: Path, folder: Path, language: str) -> None:
    """Run Pagefind's program: its Python may end it while it writes, and cuts files off."""
    command = [sys.executable, "-m", "pagefind", "--site", str(pages), "--output-path", str(folder)]
    command += ["--root-selector", "article", "--force-language", language, "--keep-index-url"]
    command += [part for selector in NO_TEXT for part in ("--exclude-selectors", selector)]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True
    )
    if done.returncode:
        raise OSError(f"Pagefind made no index of {language}: {done.stdout.strip()[-300:]}")


def copy_articles(language: str) -> list[str]:
    """Write what Pagefind reads of each page, where the page is newer; a copy has its time.

    Returns the parts into which the pages are divided: folders of copies.
    """
    source, folder = html_folder(language), articles_folder(language)
    files = {file.relative_to(source).as_posix(): file for file in source.rglob("*.html")}
    del files["search.html"]
    count = -(-len(files) // PAGES_TOGETHER)
    copies = {folder / part_of(name, count) / name: file for name, file in files.items()}
    made_by, maker = folder / "made-by", f"{program()} {count}"
    if not made_by.exists() or made_by.read_text() != maker:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        made_by.write_text(maker)
    for copy, file in copies.items():
        time = file.stat().st_mtime_ns
        if copy.exists() and copy.stat().st_mtime_ns == time:
            continue
        html = file.read_text(encoding="utf-8")
        if "<article" not in html:
            continue
        text = article(html)
        # Pagefind takes accents off its words, and 한 is taken for ㅎ with accents: it would
        # put all such words into one file of 260 kB. Written apart, they have none.
        text = unicodedata.normalize("NFD", text) if language == "ko" else text
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
        os.utime(copy, ns=(time, time))
    for gone in set(folder.rglob("*.html")) - set(copies):
        gone.unlink()
    return [str(part) for part in range(count)]


def part_of(page: str, count: int) -> str:
    """Which part a page is in: the same, whatever other pages there are.

    >>> part_of("transforms/grad.html", 1), part_of("transforms/grad.html", 10)
    ('0', '8')
    """
    return str(zlib.crc32(page.encode()) % count)


def article(html: str) -> str:
    """What Pagefind reads of a page: its article, with addresses at the headings."""
    text = html[html.index("<article") : html.rindex("</article>") + len("</article>")]
    text = HEADING.sub(addressed, text)
    text = PICTURE_TEXT.sub(r"\1", PRINTED.sub(without_numbers, text))
    text = text.replace("</h1>", f'</h1><p data-pagefind-weight="5">{description(html)}</p>', 1)
    text = text.replace('class="phrases"', 'class="phrases" data-pagefind-weight="8"')
    text = text.replace('class="cell_input', 'data-pagefind-weight="0.3" class="cell_input')
    said = DESCRIPTION.search(html)
    head = said[0] if said else ""
    return f"<!doctype html><html><head>{head}</head><body>{text}</body></html>"


def subjects(folder: Path, pages: Path) -> dict[str, dict[str, str]]:
    """What each page is about, by the identity it has for Pagefind, which tells it only late.

    Pagefind knows a title when it loads a page's text, and where a page is filtered, it loads the
    whole index: with this, the search ranks pages first, and loads those that it shows.
    """
    found = {}
    for file in folder.glob("fragment/*.pf_fragment"):
        fragment = json.loads(gzip.decompress(file.read_bytes()).removeprefix(b"pagefind_dcd"))
        name = fragment["url"].removeprefix("/").removesuffix(".html")
        text = unicodedata.normalize("NFC", fragment["meta"]["title"])
        about = next((kind for kind in ABOUT if name in ABOUT[kind]), "")
        html = (pages / f"{name}.html").read_text(encoding="utf-8")
        summary = unicodedata.normalize("NFC", description(html))
        found[file.stem] = {"name": name, "title": text, "summary": summary, "about": about}
    return found


def description(html: str) -> str:
    """The sentence of a page for search engines, or nothing.

    >>> description('<meta content="Slopes." name="description" translated="True" />')
    'Slopes.'
    """
    found = DESCRIPTION.search(html)
    return found[1] if found else ""


def addressed(heading: re.Match[str]) -> str:
    """Give a heading the address that its sign leads to, and take the sign away.

    >>> sign = '<a class="headerlink" href="#axes" title="Link to this heading">¶</a>'
    >>> addressed(HEADING.fullmatch(f"<h2>Which axis{sign}</h2>"))
    '<h2 id="axes">Which axis</h2>'
    """
    level, title, anchor = heading["level"], heading["title"], heading["anchor"]
    return f'<h{level} id="{anchor}">{title}</h{level}>'


def without_numbers(output: re.Match[str]) -> str:
    """Leave out what a cell printed, unless it is a message, or names a function.

    >>> PRINTED.sub(without_numbers, '<div class="output stream"><pre>2.0</pre>')
    '<div class="no-search output stream"><pre>2.0</pre>'
    >>> PRINTED.sub(without_numbers, '<div class="output stream"><pre>ValueError: no</pre>')
    '<div class="output stream"><pre>ValueError: no</pre>'
    """
    return (
        output[0]
        if TOLD.search(output["text"])
        else f'<div class="no-search output {output["text"]}'
    )


@cache
def program() -> str:
    """Name what makes an index: this program and Pagefind."""
    return digest(Path(__file__).read_text(encoding="utf-8"), version("pagefind"))
