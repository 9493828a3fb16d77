"""Make the search index of each language's pages with Pagefind.

Sphinx's own index segments Japanese and Korean badly; Pagefind has a dictionary. It addresses
sections by headings that have an `id`, which docutils gives to the section around them, so the copy
of a page that Pagefind reads has it at the heading too.
"""

import re
import shutil
import subprocess
import sys
import unicodedata
from collections.abc import Sequence
from html import escape, unescape
from pathlib import Path

from docs._guide.options import BUILD
from docs._guide.site.build import output_folder
from docs._guide.site.search_terms import synonyms, taught_words

HEADING = re.compile(
    r"<h(?P<level>[1-6])[^>]*>(?P<title>(?:(?!</h).)*?)"
    r'<a class="headerlink" href="#(?P<anchor>[^"]+)"[^>]*>.*?</a></h(?P=level)>',
    re.DOTALL,
)
DESCRIPTION = re.compile(r'<meta (?=[^>]*name="description")[^>]*content="([^"]+)"[^>]*>')
# Within the article: what is on every page, or is the page's text once more.
NO_TEXT = [".page-head", ".facts", ".provenance", ".related-pages"]
# Printed numbers, formulas and hidden code are not searched for, and were a third of the index.
NO_TEXT += [".no-search", ".math", "math", "details.hide"]
TAG = re.compile(r"<[^>]*>")
PRINTED = re.compile(r'<div class="output (?=(?:stream|text_plain))(?P<text>.*?</pre>)', re.DOTALL)
MESSAGE = re.compile(r"(?:Error|Exception|Warning|EXHAUSTED)\b|\bjax\.[a-z]")
PICTURE_TEXT = re.compile(r'(<img\b[^>]*?) alt="[^"]*"')  # Pagefind reads a sentence as one word
# A page that the search ranks apart has `search: tables` or `search: errors` in its front matter.
# Tables name everything once, and come after the pages that teach it; the pages on errors explain a
# pasted message, whatever other page shows it (docs/_static/search/engine.js).
KIND = re.compile(r'<meta name="search-kind" content="(\w+)">')
TABLES_WEIGHT = 0.3
INTERFACE = ("pagefind-*ui.*", "pagefind-highlight.js")  # unused: docs/_static/search/ has one


def index(language: str) -> Path:
    """Index a language's pages; return the folder."""
    folder, articles = BUILD / language / "pagefind", BUILD / language / "articles"
    copy_articles(output_folder(language, "html"), articles, language)
    shutil.rmtree(folder, ignore_errors=True)
    pagefind(articles, folder, language)
    for unused in (file for pattern in INTERFACE for file in folder.glob(pattern)):
        unused.unlink()
    return folder


def pagefind(pages: Path, folder: Path, language: str) -> None:
    """Run Pagefind's program: its Python API may end it while it writes."""
    command = [sys.executable, "-m", "pagefind", "--site", str(pages), "--output-path", str(folder)]
    command += ["--root-selector", "article", "--force-language", language, "--keep-index-url"]
    command += [part for selector in NO_TEXT for part in ("--exclude-selectors", selector)]
    # Japanese is divided at the dots of a name, which is found whole if they are words themselves.
    command += ["--include-characters", "."] if language == "ja" else []
    process = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
        close_fds=False,  # the lock (__main__.py)
    )
    if process.returncode:
        raise OSError(f"Pagefind made no index of {language}: {process.stdout.strip()[-300:]}")


def copy_articles(source: Path, folder: Path, language: str) -> None:
    """Write what Pagefind reads of each page."""
    shutil.rmtree(folder, ignore_errors=True)
    for file in sorted(source.rglob("*.html")):
        html = file.read_text(encoding="utf-8")
        if "<article" not in html or file == source / "search.html":
            continue
        name = file.relative_to(source).with_suffix("").as_posix()
        text = article(html, taught_words(name, language), language)
        # Pagefind strips diacritics from words, and 한 counts as ㅎ with diacritics: all such words
        # would go into one file of 260 kB. Decomposed, they have none.
        text = unicodedata.normalize("NFD", text) if language == "ko" else text
        copy = folder / file.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")


def article(html: str, taught: Sequence[str], language: str) -> str:
    """What Pagefind reads of a page: its article, with addresses at the headings."""
    text = html[html.index("<article") : html.rindex("</article>") + len("</article>")]
    headings = [TAG.sub("", heading["title"]) for heading in HEADING.finditer(text)]
    about = unescape(" ".join([description(html), *headings]))
    text = HEADING.sub(move_anchor, text)
    text = PICTURE_TEXT.sub(r"\1", PRINTED.sub(exclude_numbers, text))
    text = text.replace("</h1>", f'</h1><p data-pagefind-weight="5">{description(html)}</p>', 1)
    text = text.replace('class="phrases', 'data-pagefind-weight="8" class="phrases')
    text = text.replace('class="cell_input', 'data-pagefind-weight="0.3" class="cell_input')
    kind = "".join(KIND.findall(html)) or "text"
    weight = f' data-pagefind-weight="{TABLES_WEIGHT}"' if kind == "tables" else ""
    # What readers may type is metadata: it is found, and it is in no excerpt.
    facts = metadata("teaches", taught) + metadata("synonyms", synonyms(about, language))
    facts += f'<meta data-pagefind-filter="kind[content]" content="{kind}">'
    text = text.replace("<article", f"<article{weight}", 1).replace(">", f">{facts}", 1)
    return f"<!doctype html><html><body>{text}</body></html>"


def metadata(name: str, words: Sequence[str]) -> str:
    """Words that Pagefind indexes as metadata of the page."""
    return f'<meta data-pagefind-meta="{name}[content]" content="{escape(" ".join(words))}">'


def description(html: str) -> str:
    """A page's description for search engines, or an empty string."""
    meta = DESCRIPTION.search(html)
    return meta[1] if meta else ""


def move_anchor(heading: re.Match[str]) -> str:
    """Move the address from a heading's permanent link to the heading.

    >>> link = '<a class="headerlink" href="#axes" title="Link to this heading">¶</a>'
    >>> move_anchor(HEADING.fullmatch(f"<h2>Which axis{link}</h2>"))
    '<h2 id="axes">Which axis</h2>'
    """
    level, title, anchor = heading["level"], heading["title"], heading["anchor"]
    return f'<h{level} id="{anchor}">{title}</h{level}>'


def exclude_numbers(output: re.Match[str]) -> str:
    """Exclude what a cell printed from the index, unless it is a message or names a function.

    >>> PRINTED.sub(exclude_numbers, '<div class="output stream"><pre>2.0</pre>')
    '<div class="no-search output stream"><pre>2.0</pre>'
    """
    if MESSAGE.search(output["text"]):
        return output[0]
    return f'<div class="no-search output {output["text"]}'
