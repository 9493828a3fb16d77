"""Put the site together, and exchange it with the one before in a single step."""

import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import quote

from docs._ext.content_policy import policy
from docs._make.discovery import write_discovery
from docs._make.exchange import replaced
from docs._make.options import ROOT, configured_site_url
from docs._make.same_files import copy
from docs._make.versions import add, list_lines, listed, older_lines, show
from docs._make.words import template

# What Sphinx writes for its own search and scripts, or for itself.
SPHINX_SEARCH = ("searchindex.js", "searchtools.js", "language_data.js", "sphinx_highlight.js")
SPHINX_WORDS = ("doctools.js", "documentation_options.js", "translations.js")
UNUSED = (".buildinfo*", *SPHINX_SEARCH, *SPHINX_WORDS)

BESIDE_INDEXES = ("*.whole", "*.subjects")


def publish(
    folders: Mapping[str, Path],
    indexes: Mapping[str, Path],
    languages: Mapping[str, str],
    site: Path,
    line: str,
) -> None:
    """Make `site` of one folder a language with its index, and the pages at its root."""
    with replaced(site) as new:
        for language, folder in folders.items():
            copy(folder, new / language, site / language, UNUSED)
        for language, folder in indexes.items():
            part = Path(language, "pagefind")
            copy(folder, new / part, site / part, BESIDE_INDEXES)
        write_root(new, {code: languages[code] for code in folders})
        older = older_lines(site)
        for each, folder in older.items():
            add(new, each, folder, site)
        list_lines(new, line)
        if older or listed(site) != listed(new):  # else no page leads, or led, to another line
            show(new, line)


def write_root(site: Path, languages: Mapping[str, str]) -> None:
    """Write what belongs to no language."""
    icon = (ROOT / "docs" / "_static" / "favicon.svg").read_text(encoding="utf-8")
    for name in ("index.html", "404.html"):
        known = {"languages": languages, "icon": f"data:image/svg+xml,{quote(icon)}"}
        render = partial(template(name).render, **known)
        html = render(policy=policy(render(policy="")))
        (site / name).write_text(html, encoding="utf-8")
    shutil.copy(ROOT / "docs" / "_templates" / "root" / "_headers", site)
    shutil.copy(ROOT / "docs" / "_static" / "favicon.svg", site)
    write_discovery(site, languages, configured_site_url())
    (site / ".nojekyll").touch()  # GitHub Pages would leave out folders such as _static


def carried_over(languages: Sequence[str], built: Sequence[str], site: Path) -> list[str]:
    """Languages that this build leaves as the site already has them."""
    return [code for code in languages if code not in built and (site / code).is_dir()]
