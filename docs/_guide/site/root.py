"""The files at the site's root, which belong to no language, and their Jinja templates.

By `sitemap.xml`, `robots.txt` and `llms.txt` programs find the pages. sphinx-sitemap writes a
sitemap for one build, which here is one language; this one lists each page with all its languages.
The times of changes are left out: git has them only in a full clone.
"""

import json
import shutil
from collections.abc import Mapping
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree as ET

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from sphinx_intl.catalog import load_po

from docs._guide.ext.theme.policy import policy
from docs._guide.options import MARKER, ROOT, configuration

DOCS = ROOT / "docs"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"
XHTML = "http://www.w3.org/1999/xhtml"
NOT_PAGES = {"search.html", "genindex.html"}


def write_root(site: Path, languages: Mapping[str, str]) -> None:
    """Write the files that belong to no language."""
    icon = (DOCS / "_static" / "favicon.svg").read_text(encoding="utf-8")
    for name in ("index.html", "404.html"):
        context = {"languages": languages, "icon": f"data:image/svg+xml,{quote(icon)}"}
        render = partial(template(name).render, **context)
        html = render(policy=policy(render(policy="")))
        (site / name).write_text(html, encoding="utf-8")
    shutil.copy(DOCS / "_templates" / "root" / "_headers", site)
    shutil.copy(DOCS / "_static" / "favicon.svg", site)
    write_discovery(site, languages, configuration()["site_url"])
    (site / ".nojekyll").touch()  # GitHub Pages would leave out folders such as _static
    described = {"jax": version("jax"), "languages": list(languages)}
    (site / MARKER).write_text(json.dumps(described) + "\n", encoding="utf-8")


def write_discovery(site: Path, languages: Mapping[str, str], site_url: str) -> None:
    """Write the files at the site's root; those that need its address only where it is known."""
    (site / "llms.txt").write_text(llms(languages, site_url), encoding="utf-8")
    if site_url:
        tree = ET.ElementTree(sitemap(site, list(languages), site_url))
        ET.indent(tree)
        tree.write(site / "sitemap.xml", encoding="utf-8", xml_declaration=True)
        robots = f"User-agent: *\nAllow: /\n\nSitemap: {address(site_url, 'sitemap.xml')}\n"
        (site / "robots.txt").write_text(robots, encoding="utf-8")


def address(site_url: str, path: str) -> str:
    """The published address of a file, relative where the site's is unknown."""
    return f"{site_url.rstrip('/')}/{path}" if site_url else path


def pages(folder: Path) -> list[str]:
    """The pages of a language, from its folder."""
    names = (file.relative_to(folder) for file in sorted(folder.rglob("*.html")))
    return [
        name.as_posix()
        for name in names
        if name.as_posix() not in NOT_PAGES and not name.parts[0].startswith("_")
    ]


def sitemap(site: Path, languages: list[str], site_url: str) -> ET.Element:
    """List each page of each language, with the same page in every language that has it."""
    ET.register_namespace("", SITEMAP)
    ET.register_namespace("xhtml", XHTML)
    root = ET.Element(f"{{{SITEMAP}}}urlset")
    pages_of = {code: dict.fromkeys(pages(site / code)) for code in languages}  # ordered sets
    for language in languages:
        for page in pages_of[language]:
            paths = {code: f"{code}/{page}" for code in languages if page in pages_of[code]}
            url = ET.SubElement(root, f"{{{SITEMAP}}}url")
            ET.SubElement(url, f"{{{SITEMAP}}}loc").text = address(site_url, paths[language])
            default = {"x-default": next(iter(paths.values()))}
            for code, path in (paths | default).items():
                link = {"rel": "alternate", "hreflang": code, "href": address(site_url, path)}
                ET.SubElement(url, f"{{{XHTML}}}link", link)
    return root


def llms(languages: Mapping[str, str], site_url: str) -> str:
    """The root's `llms.txt`: links to that of each language."""
    links = [
        f"- [{name}]({address(site_url, f'{code}/llms.txt')})" for code, name in languages.items()
    ]
    summary = "> A guide to JAX in several languages with the same content; each lists its pages."
    return "\n".join(["# JAX guide", "", summary, "", "## Languages", "", *links, ""])


@cache
def template(name: str, folder: Path = DOCS / "_templates" / "root") -> Template:
    """Return a template of a folder; templates can call `word`."""
    templates = Environment(
        loader=FileSystemLoader(folder),
        undefined=StrictUndefined,
        autoescape=True,
        keep_trailing_newline=True,
    )
    templates.globals["word"] = word
    return templates.get_template(name)


@cache
def word(language: str, english: str) -> str:
    """Translate a string of a template with the catalog of docs/_locale."""
    file = DOCS / "_locale" / language / "LC_MESSAGES" / "sphinx.po"
    if not file.exists():  # the language of the pages themselves
        return english
    return str(load_po(file)[english].string)
