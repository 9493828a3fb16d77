"""Put the site together, and exchange it with the one before in a single step."""

import ctypes
import os
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from sphinx_intl.catalog import load_po

from docs._ext.content_policy import policy
from docs._make.discovery import write_discovery
from docs._make.options import ROOT, configured_site_url

AT_FDCWD = -100
RENAME_EXCHANGE = 2
# What Sphinx writes for its own search and scripts, or for itself.
SPHINX_SEARCH = ("searchindex.js", "searchtools.js", "language_data.js", "sphinx_highlight.js")
SPHINX_WORDS = ("doctools.js", "documentation_options.js", "translations.js")
UNUSED = (".buildinfo*", "made-of", *SPHINX_SEARCH, *SPHINX_WORDS)


def publish(
    folders: Mapping[str, Path],
    indexes: Mapping[str, Path],
    languages: Mapping[str, str],
    site: Path,
) -> None:
    """Make `site` of one folder a language with its index, and the pages at its root."""
    new = site.with_name(f".{site.name}.new")  # beside it: folders of two disks cannot be swapped
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    for language, folder in folders.items():
        shutil.copytree(folder, new / language, ignore=shutil.ignore_patterns(*UNUSED))
    for language, folder in indexes.items():
        shutil.copytree(folder, new / language / "pagefind", ignore=shutil.ignore_patterns(*UNUSED))
    write_root(new, {code: languages[code] for code in folders})
    exchange(new, site)
    shutil.rmtree(new, ignore_errors=True)  # now the site before


def write_root(site: Path, languages: Mapping[str, str]) -> None:
    """Write what belongs to no language."""
    templates = Environment(
        loader=FileSystemLoader(ROOT / "docs" / "_templates" / "root"),
        undefined=StrictUndefined,
        autoescape=True,
        keep_trailing_newline=True,
    )
    icon = (ROOT / "docs" / "_static" / "favicon.svg").read_text(encoding="utf-8")
    for name in ("index.html", "404.html"):
        known = {"languages": languages, "word": word, "icon": f"data:image/svg+xml,{quote(icon)}"}
        render = partial(templates.get_template(name).render, **known)
        html = render(policy=policy(render(policy="")))
        (site / name).write_text(html, encoding="utf-8")
    shutil.copy(ROOT / "docs" / "_templates" / "root" / "_headers", site)
    shutil.copy(ROOT / "docs" / "_static" / "favicon.svg", site)
    write_discovery(site, languages, configured_site_url())
    (site / ".nojekyll").touch()  # GitHub Pages would leave out folders such as _static


def word(language: str, english: str) -> str:
    """A few words of the root pages, from the catalogue of the theme's words."""
    file = ROOT / "docs" / "_locale" / language / "LC_MESSAGES" / "sphinx.po"
    if not file.exists():  # the language of the pages themselves
        return english
    return str(load_po(file)[english].string)


def carried_over(languages: Sequence[str], built: Sequence[str], site: Path) -> list[str]:
    """Languages that this build leaves as the site already has them."""
    return [code for code in languages if code not in built and (site / code).is_dir()]


def exchange(new: Path, site: Path) -> None:
    """Swap two folders, so that at every moment there is a whole site, the old or the new.

    Python has no call that exchanges two folders. Linux has; elsewhere there is a moment
    without a site, between two renames.
    """
    if not site.exists():
        new.rename(site)
        return
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 and not renameat2(
        AT_FDCWD, os.fsencode(new), AT_FDCWD, os.fsencode(site), RENAME_EXCHANGE
    ):
        return
    old = new.with_name("site.old")
    site.rename(old)
    new.rename(site)
    old.rename(new)
