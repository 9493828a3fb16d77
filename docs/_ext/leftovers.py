"""Remove what was written of a page before the page is read anew, or because it is gone.

Sphinx leaves it: a page that was renamed or removed would stay in the site, in its search and in
its list of pages, and so would the notebook of one that no longer runs.
"""

from pathlib import Path

from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from docs._ext import notebooks, originals, source_files


def remove(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Remove the page and the files beside it; cards and books look for theirs themselves."""
    if app.builder.name != "html":
        return
    addresses = (notebooks.address, originals.address, source_files.address)
    for file in (app.builder.get_target_uri(docname), *(of(docname) for of in addresses)):
        Path(app.outdir, file).unlink(missing_ok=True)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("env-purge-doc", remove)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
