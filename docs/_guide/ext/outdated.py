"""What a build must do again or remove, besides what Sphinx does itself.

Sphinx writes the pages whose source changed and those with a toctree that lists one of them. Other
pages would keep the old title in the navigation and the old heading in links (Sphinx issue 5506).
And it leaves what it wrote of a page that is gone.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import cast

from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment

from docs._guide.ext.i18n import source_text
from docs._guide.ext.notebooks.links import FILES, file_path


def pages_to_write(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Return all pages if what they may show of each other changed since the last build."""
    shown = list(references(env))
    previous = getattr(env, "guide_references", None)
    env.guide_references = shown  # type: ignore[attr-defined]  # as Sphinx's tutorial saves state
    return sorted(env.found_docs) if shown != previous else []


def references(env: BuildEnvironment) -> Iterator[str]:
    """Yield what a page may show of others: titles, toctrees, routes, headings and labels."""
    for page in sorted(env.found_docs):
        yield f"{page} {env.titles[page].pformat()}"
        values = env.metadata[page]
        yield f"{values.get('description')} {values.get('routes')}"
        yield from (toctree.pformat() for toctree in env.tocs[page].findall(addnodes.toctree))
        headings = values.get("myst_slugs", {})
        yield from (f"{name} {shown}" for name, (_line, *shown) in headings.items())
    yield from map(str, sorted(cast(StandardDomain, env.get_domain("std")).labels.items()))


def remove_written(app: Sphinx, env: BuildEnvironment, page: str) -> None:
    """Remove what was written of a page that is read again, or is gone."""
    downloads = (file_path(page, end) for end in FILES)
    for file in (f"{page}.html", *downloads, source_text.source_text_path(page)):
        Path(app.outdir, file).unlink(missing_ok=True)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("env-purge-doc", remove_written)
    app.connect("env-updated", pages_to_write)
