"""Leave each page's table of contents with the page: all others need its title alone.

Sphinx holds the headings of all pages as long as it runs, in trees like that of a page: with a
thousand pages, 40 MB in each language. There is no setting for that. A page that lists other pages
keeps its contents there, for they are a part of the tree of all pages.
"""

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders import Builder

CONTENTS = "contents"  # attribute of a page's document, which Sphinx stores


def leave(app: Sphinx, doctree: nodes.document) -> None:
    """Leave a page its contents, after Sphinx made them."""
    contents = app.env.tocs[app.env.docname]
    if len(contents) == 1 and not any(contents.findall(addnodes.toctree)):
        doctree[CONTENTS] = contents
        app.env.tocs[app.env.docname] = title_of(contents)


def title_of(contents: nodes.bullet_list) -> nodes.bullet_list:
    """The contents without what is below the title."""
    title = next(contents.findall(addnodes.compact_paragraph))
    return nodes.bullet_list("", nodes.list_item("", title.deepcopy()))


def bring(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """Bring the contents of the page that is going to be written: Sphinx and Furo look for them."""
    if CONTENTS in doctree:
        app.env.tocs[page] = doctree[CONTENTS]


def take_back(
    app: Sphinx, pagename: str, templatename: str, context: object, doctree: nodes.document | None
) -> None:
    """Take them back, when all is known of the page."""
    if app.builder.name == "html" and doctree is not None and CONTENTS in doctree:
        app.env.tocs[pagename] = title_of(doctree[CONTENTS])


def bring_all(app: Sphinx, builder: Builder) -> None:
    """Bring those of all pages: a book lists them at its beginning."""
    if builder.name == "epub":
        for page in app.env.all_docs:
            bring(app, app.env.get_doctree(page), page)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx: after it made the contents, and after the theme looked at them."""
    app.connect("doctree-read", leave, priority=900)
    app.connect("doctree-resolved", bring)
    app.connect("html-page-context", take_back, priority=900)
    app.connect("write-started", bring_all)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
