"""Write pages again that show something of a page that changed: its title, its place, its anchors.

Sphinx writes what it read, and the page that lists it. In the tree beside all other pages and in
their links to the next page, a title stays as it was, or leads to a page that is gone, until
everything is built anew; so do the words that a link took from a heading, and a link to a heading
that is gone brings no warning. There is no setting for it.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from docs._make.ready import digest


class Seen(NamedTuple):
    """What pages show of others; kept with Sphinx's environment between builds."""

    places: str = ""  # digest of what all pages show: titles, and which page lists which
    targets: Mapping[str, str] = {}  # by page and label: what links take from there


def seen(env: BuildEnvironment) -> Seen:
    """What pages showed of others in the last build, or show since all pages were read."""
    found: Seen = env.__dict__.get("seen_elsewhere", Seen())
    return found


def links(env: BuildEnvironment) -> dict[str, set[str]]:
    """The pages and labels that each page leads to, by name."""
    found: dict[str, set[str]] = env.__dict__.setdefault("links_elsewhere", {})
    return found


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """All pages where a title or the order changed, else those that lead to what changed."""
    before, now = seen(env), look(env)
    env.__dict__["seen_elsewhere"] = now
    if now.places != before.places:
        return sorted(env.found_docs)
    changed = {name for name, _shown in now.targets.items() ^ before.targets.items()}
    return [page for page, names in links(env).items() if names & changed]


def look(env: BuildEnvironment) -> Seen:
    """Look at what all pages have that others may show."""
    targets = {page: repr(anchors(env, page)) for page in env.found_docs}
    for kind in ("labels", "anonlabels"):
        for name, label in env.domaindata["std"][kind].items():
            targets[name] = f"{targets.get(name, '')} {label}"
    return Seen(digest(*places(env)), targets)


def places(env: BuildEnvironment) -> Iterator[str]:
    """The title of each page, and the pages that it lists."""
    for page in sorted(env.found_docs):
        yield f"{page} {env.titles[page].pformat()}"
        yield from (toctree.pformat() for toctree in env.tocs[page].findall(addnodes.toctree))


def anchors(env: BuildEnvironment, page: str) -> dict[str, Any]:
    """The headings of a page, by the names that links may use, but not the lines they are in."""
    headings = env.metadata[page].get("myst_slugs", {})
    return {name: shown for name, (_line, *shown) in headings.items()}


def remember(app: Sphinx, doctree: nodes.document) -> None:
    """Remember where a page leads, as long as its links are not yet resolved."""
    found = doctree.findall(addnodes.pending_xref)
    links(app.env)[app.env.docname] = {link["reftarget"] for link in found}


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is gone or about to be read again."""
    links(env).pop(docname, None)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("doctree-read", remember)
    app.connect("env-purge-doc", forget)
    app.connect("env-updated", pages_to_write)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
