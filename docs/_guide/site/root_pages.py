"""Jinja templates of what Sphinx does not write: the pages at the site's root, the books."""

from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from sphinx_intl.catalog import load_po

from docs._guide.options import ROOT

DOCS = ROOT / "docs"


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
