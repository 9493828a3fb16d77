"""Lead from each page to the files that it is made of: its source, and its translation's .po.

The links show a file (`blob/HEAD`) rather than open an editor: that address is right whatever the
default branch is called, needs no account, and has the editor one click away. Furo's own edit
button asks for the branch, and knows nothing of translations.
"""

import shutil
from collections.abc import Set
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment


def folder(app: Sphinx) -> Path:
    """The .po files of the language that is being built."""
    return Path(app.srcdir).parent.joinpath("locale", app.config.language, "LC_MESSAGES")


def add_links(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Give the page's template the addresses of its files.

    Where the repository is unknown, readers of a translation still get a copy of its .po to
    mend; of the English source the page itself is copy enough.
    """
    if app.builder.name != "html":
        return
    repository = app.config.repository_url.rstrip("/")
    if repository and doctree:
        context["source_file"] = f"{repository}/blob/HEAD/docs/{pagename}.md"
    catalogue, copy = folder(app) / f"{pagename}.po", Path(app.outdir, address(pagename))
    if not catalogue.is_file():
        return
    if repository:
        copy.unlink(missing_ok=True)  # of a build that did not know it
        context["translation_file"] = (
            f"{repository}/blob/HEAD/locale/{app.config.language}/LC_MESSAGES/{pagename}.po"
        )
    else:
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(catalogue, copy)
        context["translation_file"] = context["pathto"](address(pagename), resource=True)


def address(pagename: str) -> str:
    """Where the copy of a page's .po is, from the start of its language's site."""
    return f"_po/{pagename}.po"


def pages_that_lost_theirs(
    app: Sphinx, env: BuildEnvironment, added: Set[str], changed: Set[str], removed: Set[str]
) -> list[str]:
    """Pages that have no .po any more: Sphinx would not see it, and use what it made of it."""
    before = env.__dict__.get("translated", set())
    now = {page for page in env.found_docs if (folder(app) / f"{page}.po").is_file()}
    env.__dict__["translated"] = now
    for page in before - now:
        (folder(app) / f"{page}.mo").unlink(missing_ok=True)
    return sorted(before - now)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("repository_url", "", "html", str)
    app.connect("html-page-context", add_links)
    app.connect("env-get-outdated", pages_that_lost_theirs)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
