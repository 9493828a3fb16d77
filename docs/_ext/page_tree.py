"""The tree of all pages beside each page: made once, and then marked for each page.

Sphinx makes the tree anew for each page, and Furo reads it as HTML and keeps every copy: with a
thousand pages that takes longer than the page itself, and a gigabyte. Neither has a setting for it.
"""

import posixpath
from functools import lru_cache
from pathlib import Path
from typing import Any, cast
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from docutils import nodes
from furo.navigation import get_navigation_tree
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment.adapters.toctree import TocTree
from sphinx.util.osutil import relative_uri

from docs._ext.seen_elsewhere import seen

NO_PAGE = "search"  # one at the root of the site that is in no table of contents


@lru_cache(maxsize=1)
def tree(builder: StandaloneHTMLBuilder) -> str:
    """What Sphinx and Furo make of all tables of contents, with links from the site's root.

    It is kept as long as no page is called otherwise, comes or goes.
    """
    config = builder.config
    made_of = f"{seen(builder.env).places} {config.machinery} {config.stored_outputs}"
    kept = Path(builder.doctreedir, "tree.html")
    if kept.exists():
        before, html = kept.read_text(encoding="utf-8").split("\n", 1)
        if before == made_of:
            return html
    found = TocTree(builder.env).get_toctree_for(
        NO_PAGE, builder, collapse=False, titles_only=True, maxdepth=-1, includehidden=True
    )
    html = str(get_navigation_tree(builder.render_partial(found)["fragment"]))
    kept.write_text(f"{made_of}\n{html}", encoding="utf-8")
    return html


def beside(tree: str, page: str) -> str:
    r"""The tree as it stands beside the page with this address.

    >>> link = '<ul><li class="l1"><a class="internal" href="a/b.html">B</a></li></ul>'
    >>> beside(link, "a/c.html")
    '<ul><li class="l1"><a class="internal" href="b.html">B</a></li></ul>'
    >>> print(beside(link, "a/b.html").replace("<a", "\n<a"))
    <ul class="current"><li class="l1 current current-page">
    <a class="current internal" href="#">B</a></li></ul>
    """
    folder, file = posixpath.split(page)
    return "".join(
        marked(xml, file) if f'href="{file}"' in html else html for xml, html in parts(tree, folder)
    )


@lru_cache(maxsize=1)  # Sphinx writes the pages of a folder one after the other
def parts(tree: str, folder: str) -> list[tuple[str, str]]:
    """The tree part by part, as it stands beside any page of a folder: as XML and as HTML.

    As text: the garbage collector would go through elements after each page.
    """
    root = ElementTree.fromstring(f"<div>{tree}</div>")
    for link in root.iter("a"):
        if "internal" in link.attrib["class"]:
            link.set("href", relative_uri(f"{folder}/" if folder else "", link.attrib["href"]))
    return [(ElementTree.tostring(part, "unicode"), as_html(part)) for part in root]


def marked(xml: str, file: str) -> str:
    """A part of the tree beside a page of the folder that is in it."""
    part = ElementTree.fromstring(xml)
    above = {child: parent for parent in part.iter() for child in parent}
    for link in part.iter("a"):
        if link.attrib["href"] == file:
            link.set("href", "#")
            mark(link, above)
    return as_html(part)


def as_html(element: Element) -> str:
    """Write an element."""
    return ElementTree.tostring(element, "unicode", "html")


def mark(link: Element, above: dict[Element, Element]) -> None:
    """Say of a link, and of all that it is in, that it is the reader's; and open it."""
    link.set("class", f"current {link.attrib['class']}")
    here: list[str] = ["current-page"]
    around = above.get(link)
    while around is not None:
        level, *more = around.get("class", "").split() or [""]
        around.set("class", " ".join([level, "current", *more, *here]).strip())
        for box in around.findall("input"):
            box.set("checked", "")
        here, around = [], above.get(around)


def offer(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Leave nothing to do for Furo, which asks Sphinx for the tree."""
    if app.builder.name == "html":
        context["toctree"] = lambda **_options: ""


def put_in(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give Furo's template the tree of this page."""
    if app.builder.name == "html":
        builder = cast(StandaloneHTMLBuilder, app.builder)
        page = builder.get_target_uri(pagename)
        context["furo_navigation_tree"] = beside(tree(builder), page)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx, before Furo and after it."""
    app.connect("html-page-context", offer, priority=400)
    app.connect("html-page-context", put_in, priority=600)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
