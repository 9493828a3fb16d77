"""Build each language with Sphinx: imported once, then one forked process a language."""

import gc
import hashlib
import importlib
import json
import logging
import multiprocessing
import os
import shutil
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import repeat
from pathlib import Path
from threading import Thread

from sphinx.application import Sphinx, builtin_extensions
from sphinx.errors import SphinxError
from sphinx.util.console import nocolor
from sphinx.util.docutils import docutils_namespace, patch_docutils

from docs._make.markup import wrong_markup
from docs._make.options import LOCALE, ROOT
from docs._make.seal import is_sealed, seal

BUILD = ROOT / "_build"

# What every child would import for itself, imported once before they fork.
for extension in (*builtin_extensions, "furo", "myst_nb.sphinx_ext", "docs._ext.stored_outputs"):
    importlib.import_module(extension)


def build(builder: str, languages: Sequence[str], outputs: Path, published: Sequence[str]) -> bool:
    """Build the languages side by side; show what each had to say; tell whether all are right."""
    # Where a process cannot be forked, each imports Sphinx for itself: slower, not different.
    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    for language in languages:
        (BUILD / language).mkdir(parents=True, exist_ok=True)
    gc.freeze()  # what is there now stays common to all processes
    arguments = (repeat(builder), languages, repeat(outputs), repeat(",".join(published)))
    with ProcessPoolExecutor(
        len(languages), context, initializer=end_with, initargs=(os.getpid(),)
    ) as processes:
        try:
            right = dict(zip(languages, processes.map(build_one, *arguments), strict=True))
        except BrokenProcessPool as error:
            raise OSError("Sphinx was killed, perhaps because memory was full") from error
    for language in languages:
        print(log(language).read_text(encoding="utf-8"), end="", flush=True)
    if failed := [language for language in languages if not right[language]]:
        print(f"Sphinx did not build: {', '.join(failed)}; the site stays as it was", flush=True)
    return not failed


def end_with(parent: int) -> None:
    """End this process with its parent, which may be killed: it would stay, and write on."""

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(0.1)
        os._exit(1)

    Thread(target=watch, daemon=True).start()


def log(language: str) -> Path:
    """Where a language's build writes what it has to say."""
    return BUILD / language / "sphinx.log"


def build_one(builder: str, language: str, outputs: Path, published: str) -> bool:
    """Build one language, in a process of its own; every warning fails it, after all are shown."""
    output = os.open(log(language), os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.dup2(output, 1)
    os.dup2(output, 2)
    nocolor()
    gc.disable()  # docs/_ext/little_memory.py calls it
    logging.disable(logging.DEBUG)  # Sphinx writes thousands of such lines, to nowhere
    folder = BUILD / language / builder
    # A book is made of the pages as they were read and translated for the site.
    doctrees = BUILD / language / ("html" if builder == "epub" else builder) / ".doctrees"
    settings = {
        "language": language,
        "nitpicky": True,  # a link to nothing is a warning
        "published_languages": published,
        "stored_outputs": str(outputs),
        "machinery": machinery(),
        "books": made_books(language),
    }
    mark = BUILD / language / f"{doctrees.parent.name}.whole"
    made = [doctrees.parent, *compiled_catalogues(language)]
    if not is_sealed(mark, made):
        begin_anew(doctrees.parent, language)
    for problem in (wrong := wrong_markup(language, BUILD / language / "right-markup")):
        print(problem, file=sys.stderr, flush=True)
    right = False
    try:
        with patch_docutils(), docutils_namespace():
            app = Sphinx(
                ROOT / "docs",
                ROOT / "docs",
                folder / builder,
                doctrees,
                builder,
                settings,
                status=None,
                warningiserror=True,
            )
            app.build()
        right = app.statuscode == 0 and not wrong
    except SphinxError as error:
        print(f"{error.category}: {error}", file=sys.stderr, flush=True)
    finally:
        sys.stderr.flush()
    if not right:
        mark.unlink(missing_ok=True)  # Sphinx would not warn again of a page that it has read
    elif builder != "epub":  # which adds nothing to the site's files
        seal(mark, [doctrees.parent, *compiled_catalogues(language)])
    return right


def begin_anew(folder: Path, language: str) -> None:
    """Remove what a build left that did not end well, or that was damaged since."""
    shutil.rmtree(folder, ignore_errors=True)
    for file in compiled_catalogues(language):
        file.unlink()


def compiled_catalogues(language: str) -> list[Path]:
    """What Sphinx makes of the .po files, beside them."""
    folders = (LOCALE / language, ROOT / "docs" / "_locale" / language)
    return [file for folder in folders for file in folder.rglob("*.mo")]


def machinery() -> str:
    """Digest of what all pages are made with and load: Sphinx does not see it change."""
    patterns = ("_[em]*/*.py", "_locale/**/*.po", "_static/**/*")
    found = (file for pattern in patterns for file in (ROOT / "docs").glob(pattern))
    files = sorted(file for file in found if file.is_file())
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def made_books(language: str) -> list[str]:
    """The books of a language that `nox -s books` made, to be published with its pages."""
    return [str(path) for path in sorted((ROOT / "books").glob(f"*-{language}.*"))]


def html_folder(language: str) -> Path:
    """Where Sphinx leaves a language's pages."""
    return BUILD / language / "html" / "html"


def untranslated(language: str) -> int:
    """Paragraphs of a language that have no translation: each is marked on its page."""
    counts = json.loads((BUILD / language / "html" / "untranslated.json").read_text())
    return sum(counts.values())
