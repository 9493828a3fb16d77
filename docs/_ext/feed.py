"""Make a feed (Atom, RFC 4287) of the page that lists the guide's changes, in each language.

Each section of the page whose anchor is `changes-2026-11-22-name` is one entry of that day. An
entry's id comes from language and anchor alone, so that it stays the same wherever the site is
published, and however the entry is worded. ABlog and sphinx-feed make feeds of dated pages, not of
the sections of one, and want the site's address.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5
from xml.etree import ElementTree as ET

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util.osutil import relative_uri

from docs._ext.languages import absolute

PAGE = "reference/changes"
FEED = "changes.xml"
ANCHOR = re.compile(r"changes-(\d{4}-\d\d-\d\d)-[\w-]+")
ATOM = "http://www.w3.org/2005/Atom"


class Change(NamedTuple):
    """One entry: where it is, when it was, and what it says."""

    anchor: str
    date: str
    title: str
    text: str


def changes(doctree: nodes.document) -> Iterator[Change]:
    """The dated sections of the page."""
    for section in doctree.findall(nodes.section):
        for anchor in section["ids"]:
            if found := ANCHOR.fullmatch(anchor):
                title = section.next_node(nodes.title)
                said = [p.astext() for p in section.findall(nodes.paragraph)]
                assert title is not None  # every section has one
                yield Change(anchor, found[1], title.astext(), "\n".join(said))


def feed(app: Sphinx, entries: list[Change]) -> ET.Element:
    """Put the entries into a feed."""
    language = app.config.language
    target = app.builder.get_target_uri(PAGE)
    page = absolute(app.config, f"{language}/{target}") or target
    root = ET.Element("feed", {"xmlns": ATOM, "xml:lang": language})
    title = f"{app.config.html_title}: {app.env.titles[PAGE].astext()}"
    add(root, "id", identity(language, ""))
    add(root, "title", title)
    add(root, "updated", moment(max(entry.date for entry in entries)))
    add(ET.SubElement(root, "author"), "name", app.config.author)
    ET.SubElement(root, "link", rel="alternate", type="text/html", href=page)
    own = absolute(app.config, f"{language}/{FEED}") or FEED
    ET.SubElement(root, "link", rel="self", type="application/atom+xml", href=own)
    for entry in entries:
        element = ET.SubElement(root, "entry")
        add(element, "id", identity(language, entry.anchor))
        add(element, "title", entry.title)
        add(element, "updated", moment(entry.date))
        ET.SubElement(element, "link", rel="alternate", href=f"{page}#{entry.anchor}")
        add(element, "summary", entry.text)
    return root


def add(parent: ET.Element, name: str, text: str) -> None:
    """Add an element that says something."""
    ET.SubElement(parent, name).text = text


def identity(language: str, anchor: str) -> str:
    """Name a feed or an entry, the same at every build and at every address.

    >>> identity("ja", "a") == identity("ja", "a") != identity("ko", "a")
    True
    """
    return uuid5(NAMESPACE_URL, f"jax-guide/{language}/{anchor}").urn


def moment(date: str) -> str:
    """Give the day of a change as Atom wants it.

    >>> moment("2026-11-22")
    '2026-11-22T00:00:00Z'
    """
    return f"{date}T00:00:00Z"


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the feed, where the guide has a page of changes."""
    if error or app.builder.name != "html" or PAGE not in app.env.found_docs:
        return
    if entries := list(changes(app.env.get_doctree(PAGE))):
        tree = ET.ElementTree(feed(app, entries))
        tree.write(Path(app.outdir) / FEED, encoding="utf-8", xml_declaration=True)


def offer(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, object], _doc: object
) -> None:
    """Tell each page's template where the feed is."""
    if PAGE in app.env.found_docs:
        context["feed"] = relative_uri(app.builder.get_target_uri(pagename), FEED)


def add_link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Begin the page of changes with a link to its feed."""
    intro = doctree.next_node(nodes.paragraph)
    if app.builder.name == "html" and docname == PAGE and intro is not None:
        address = relative_uri(app.builder.get_target_uri(docname), FEED)
        link = nodes.reference("", _("These changes as a feed (Atom)"), refuri=address)
        intro.parent.insert(
            intro.parent.index(intro) + 1, nodes.paragraph("", "", link, classes=["feed"])
        )


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-resolved", add_link)
    app.connect("html-page-context", offer)
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
