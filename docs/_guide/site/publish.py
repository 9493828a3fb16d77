"""Assemble the site in a folder beside the published one, then swap the two."""

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from rcssmin import cssmin
from rjsmin import jsmin

from docs._guide.ext.theme import UNUSED_SCRIPTS
from docs._guide.site.root import write_root

# Written by Sphinx for its own search, or for itself; no page loads them.
UNUSED = (*UNUSED_SCRIPTS, "searchindex.js", "searchtools.js", "language_data.js", ".buildinfo*")
UNTRANSLATED = re.compile(r'class="[^"]*\buntranslated\b')


def publish(
    folders: Mapping[str, Path],
    indexes: Mapping[str, Path],
    languages: Mapping[str, str],
    site: Path,
) -> None:
    """Make `site` of a folder and a search index for each language, and the root's files."""
    with replaced(site) as new:
        for language, folder in folders.items():
            shutil.copytree(folder, new / language, ignore=shutil.ignore_patterns(*UNUSED))
            for pattern, minify in (("*.css", cssmin), ("*.js", jsmin)):
                for file in (new / language / "_static").glob(pattern):
                    file.write_text(minify(file.read_text(encoding="utf-8")), encoding="utf-8")
        for language, folder in indexes.items():
            shutil.copytree(folder, new / language / "pagefind")
        write_root(new, {code: languages[code] for code in folders})
    for line in unlinked(site, list(folders)):
        print(line)


def unlinked(site: Path, languages: Sequence[str]) -> Iterator[str]:
    """A line for each language of an earlier build whose pages lack the links to another one."""
    for language in languages:
        home = (site / language / "index.html").read_text(encoding="utf-8")
        others = [code for code in languages if code != language]
        if lacking := [code for code in others if f'hreflang="{code}"' not in home]:
            yield f"{language}: no links to {', '.join(lacking)} until it is built again"


@contextmanager
def replaced(site: Path) -> Iterator[Path]:
    """Yield an empty folder that then becomes `site`; on failure the site stays as it was."""
    new = site.with_name(f".{site.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        yield new
        swap(new, site)
    except shutil.Error as error:  # lists every file that did not fit on the disk
        raise OSError(error.args[0][0][2]) from error
    finally:
        shutil.rmtree(new, ignore_errors=True)


def swap(new: Path, site: Path) -> None:
    """Rename the site away and the new one to its place."""
    restore(site)
    try:
        if site.exists():
            site.rename(previous(site))
        new.rename(site)
    finally:
        restore(site)


def restore(site: Path) -> None:
    """Put the previous site back if a swap stopped between its renames; else remove it."""
    if not site.exists() and previous(site).exists():
        previous(site).rename(site)
    shutil.rmtree(previous(site), ignore_errors=True)


def previous(site: Path) -> Path:
    """Where the site is during a swap."""
    return site.with_name(f".{site.name}.old")


def carried_over(languages: Sequence[str], built: Sequence[str], site: Path) -> list[str]:
    """The languages that the site has and that are not built now: they stay as they are."""
    return [code for code in languages if code not in built and (site / code).is_dir()]


def untranslated(folder: Path) -> int:
    """Count what is marked as untranslated on the pages of a language."""
    pages = (file.read_text(encoding="utf-8") for file in folder.rglob("*.html"))
    return sum(len(UNTRANSLATED.findall(page)) for page in pages)
