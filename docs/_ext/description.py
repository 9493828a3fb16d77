"""One sentence about each page: for search engines, social cards and `llms.txt`.

A page's front matter says it (`html_meta: description`), and Sphinx makes a `<meta>` of it. A page
that says nothing gets its first paragraph, since nothing upstream fills the gap. Either way the
sentence is kept with the page's metadata, in the language of the build.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

LENGTH = 200  # search engines cut off what is longer


def description(doctree: nodes.document) -> str:
    """Return what the page's front matter says of it, or else its first paragraph."""
    for meta in doctree.findall(nodes.meta):
        if meta.get("name") == "description":
            return str(meta["content"])
    for paragraph in doctree.findall(nodes.paragraph):
        if isinstance(paragraph.parent, nodes.section):
            return shortened(paragraph.astext())
    return ""


def shortened(text: str) -> str:
    """Put a text on one line, cut off where it is too long.

    >>> shortened("One  line\\nor two.")
    'One line or two.'
    >>> len(shortened("a word " * 100)) <= LENGTH
    True
    """
    line = " ".join(text.split())
    return line if len(line) <= LENGTH else f"{line[: LENGTH - 1].rstrip()}…"


def keep(app: Sphinx, doctree: nodes.document) -> None:
    """Keep a page's description, and give the page one that has none."""
    text = description(doctree)
    app.env.metadata[app.env.docname]["description"] = text
    said = any(meta.get("name") == "description" for meta in doctree.findall(nodes.meta))
    if text and not said:
        doctree.insert(0, nodes.meta("", name="description", content=text))


def description_of(env: BuildEnvironment, docname: str) -> str:
    """The description of a page that has been read."""
    return str(env.metadata[docname].get("description", ""))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-read", keep)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
