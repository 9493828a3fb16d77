"""What belongs to no page of Sphinx's: the templates of the site's root, and their words."""

from functools import cache

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from sphinx_intl.catalog import load_po

from docs._make.options import ROOT


@cache
def template(name: str) -> Template:
    """A template of docs/_templates/root/, which knows `word`."""
    templates = Environment(
        loader=FileSystemLoader(ROOT / "docs" / "_templates" / "root"),
        undefined=StrictUndefined,
        autoescape=True,
        keep_trailing_newline=True,
    )
    templates.globals["word"] = word
    return templates.get_template(name)


@cache
def word(language: str, english: str) -> str:
    """A few words in a language, from the catalogue of the theme's words."""
    file = ROOT / "docs" / "_locale" / language / "LC_MESSAGES" / "sphinx.po"
    if not file.exists():  # the language of the pages themselves
        return english
    return str(load_po(file)[english].string)
