"""Say what a page is where its address is shared: Open Graph, and a card with its title.

The tags are in docs/_templates/social.html, the drawing in docs/_ext/cards.py. A card is named by
an absolute address or not at all, so cards are drawn only where the site's address is known.
sphinxext-opengraph draws cards too, but with one font that has no Japanese and no Korean, takes
descriptions from the first paragraph only, and knows nothing of other languages.
"""

import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx

from docs._ext.contents import part_of_each
from docs._ext.description import description_of
from docs._ext.languages import absolute

LOCALES = {"en": "en_US", "ja": "ja_JP", "ko": "ko_KR"}
CARDS = "_cards"


def locale(language: str) -> str:
    """Name a language as Open Graph does.

    >>> locale("ja"), locale("de")
    ('ja_JP', 'de')
    """
    return LOCALES.get(language, language)


def card(docname: str) -> str:
    """Where the card of a page is, from the start of its language's site."""
    return f"{CARDS}/{docname}.png"


def add_tags(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Tell the page's template what there is to say of it."""
    if not doctree:
        return
    config, language = app.config, app.config.language
    others = [code for code in config.published_languages.split(",") if code != language]
    context["social"] = {
        "title": app.env.titles[pagename].astext(),
        "description": description_of(app.env, pagename),
        "type": "website" if pagename == config.root_doc else "article",
        "locale": locale(language),
        "other_locales": [locale(code) for code in others],
        "url": absolute(config, f"{language}/{app.builder.get_target_uri(pagename)}"),
        "image": absolute(config, f"{language}/{card(pagename)}"),
    }


def draw_cards(app: Sphinx, error: Exception | None) -> None:
    """Draw the cards of all pages whose words changed, and remove those of pages that are gone."""
    if error or app.builder.name != "html":
        return
    if not app.config.site_url:
        shutil.rmtree(Path(app.outdir) / CARDS, ignore_errors=True)  # of a build that knew it
        return
    from docs._ext.cards import draw  # the fonts are only needed here

    folder = Path(app.outdir)
    drawn, part_of = set(), part_of_each(app.env)
    for docname in app.env.found_docs:
        drawn.add(folder / card(docname))
        title, guide = app.env.titles[docname].astext(), str(app.config.html_title)
        part = part_of.get(docname, "")
        draw(folder / card(docname), app.config.language, title, guide, part)
    for file in set((folder / CARDS).rglob("*.png")) - drawn:
        file.unlink()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", add_tags)
    app.connect("build-finished", draw_cards)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
