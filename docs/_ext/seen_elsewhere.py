"""Write all pages again where one changed what others show of it: title, place or anchors.

Sphinx writes what it read, and the page that lists it. In the tree beside all other pages, in their
links to the next page and in what links took from a heading, the old words stay, or lead to a page
that is gone, until everything is built anew. There is no setting for it.
"""

import hashlib
from collections.abc import Iterator

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

DIGEST = "seen_elsewhere"  # attribute of Sphinx's environment, which it stores


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """All pages, if what they show of each other is not what it was."""
    before = seen_elsewhere(env)
    env.__dict__[DIGEST] = hashlib.sha256("\n".join(seen(env)).encode()).hexdigest()
    return [] if seen_elsewhere(env) == before else sorted(env.found_docs)


def seen_elsewhere(env: BuildEnvironment) -> str:
    """Digest of what pages show of others; nothing, before they were read for the first time."""
    return str(env.__dict__.get(DIGEST, ""))


def seen(env: BuildEnvironment) -> Iterator[str]:
    """What pages may show of others, in an order of its own."""
    for page in sorted(env.found_docs):
        yield f"{page} {env.titles[page].pformat()}"
        for toctree in env.tocs[page].findall(addnodes.toctree):
            yield toctree.pformat()
        anchors = env.metadata[page].get("myst_slugs", {})
        yield repr({name: shown for name, (_line, *shown) in anchors.items()})
    for kind in ("labels", "anonlabels", "objects"):
        yield repr(sorted(env.domaindata["std"][kind].items()))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("env-updated", pages_to_write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
