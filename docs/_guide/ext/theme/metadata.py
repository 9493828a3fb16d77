"""What other programs show of a page: Open Graph tags.

A page's front matter has its description (`html_meta: description`); templates get it as
`meta.description`. The tags are in docs/_templates/social.html; their image is one card a language,
docs/_static/card-*.png. sphinxext-opengraph has no alternate locales and takes its text from the
first paragraph.
"""

from docutils import nodes
from sphinx.application import Sphinx


def save_description(app: Sphinx, doctree: nodes.document) -> None:
    """Save a page's description, in the language of the build, in the page's metadata."""
    for meta in doctree.findall(nodes.meta):
        if meta.get("name") == "description":
            app.env.metadata[app.env.docname]["description"] = meta["content"]


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("doctree-read", save_description)
