"""The files at the site's root, which belong to no language: templates in docs/_templates/root.

sphinx-sitemap writes a sitemap for one build, which here is one language; this one lists each page
with all its languages. The times of changes are left out: git has them only in a full clone.
"""

import json
import shutil
from collections.abc import Mapping
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote, urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from sphinx_intl.catalog import load_po

from docs._guide.ext.theme import policy
from docs._guide.options import LOCALE, MARKER, ROOT, configuration

DOCS = ROOT / "docs"


def write_root(site: Path, languages: Mapping[str, str]) -> None:
    """Write the files that belong to no language."""
    icon = (DOCS / "_static" / "favicon.svg").read_text(encoding="utf-8")
    site_url = configuration()["site_url"]
    context = {"languages": languages, "icon": f"data:image/svg+xml,{quote(icon)}"}
    context |= {"site_url": site_url, "path": urlsplit(site_url).path}
    for name in ("index.html", "404.html"):
        render = partial(template(name).render, **context)
        html = render(policy=policy(render(policy="")))
        (site / name).write_text(html, encoding="utf-8")
    root = f"{site_url}/" if site_url else ""
    text = template("llms.txt").render(languages=languages, root=root)
    (site / "llms.txt").write_text(text, encoding="utf-8")
    shutil.copy(DOCS / "_templates" / "root" / "_headers", site)
    shutil.copy(DOCS / "_static" / "favicon.svg", site)
    if site_url:
        write_sitemap(site, languages, site_url)
    (site / ".nojekyll").touch()  # GitHub Pages would leave out folders such as _static
    described = {"jax": version("jax"), "languages": list(languages)}
    (site / MARKER).write_text(json.dumps(described) + "\n", encoding="utf-8")


def write_sitemap(site: Path, languages: Mapping[str, str], site_url: str) -> None:
    """Write the sitemap, and the robots.txt that names it."""
    every = {code: pages(site / code) for code in languages}
    for name in ("sitemap.xml", "robots.txt"):
        text = template(name).render(languages=languages, pages=every, root=f"{site_url}/")
        (site / name).write_text(text, encoding="utf-8")


def pages(folder: Path) -> list[str]:
    """The pages of a language, from its folder; its search is none, and downloads are none."""
    names = (file.relative_to(folder).as_posix() for file in sorted(folder.rglob("*.html")))
    return [name for name in names if name != "search.html" and not name.startswith("_")]


@cache
def template(name: str) -> Template:
    """Return a template of the root's files; templates can call `word`."""
    templates = Environment(
        loader=FileSystemLoader(DOCS / "_templates" / "root"),
        undefined=StrictUndefined,
        autoescape=True,
        keep_trailing_newline=True,
    )
    templates.globals["word"] = word
    return templates.get_template(name)


@cache
def word(language: str, english: str) -> str:
    """Translate a string of a template; that of the pages' own language stays as it is."""
    for folder in (LOCALE, DOCS / "_locale"):
        file = folder / language / "LC_MESSAGES" / "sphinx.po"
        if file.exists() and (message := load_po(file).get(english)):
            return str(message.string)
    return english
