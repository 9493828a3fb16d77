"""Lead from each page to the files that it is made of: its source, and its translation's .po.

The links show a file (`blob/HEAD`) rather than open an editor: that address is right whatever the
default branch is called, needs no account, and has the editor one click away. Furo's own edit
button asks for the branch, and knows nothing of translations.
"""

import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


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
    repository = app.config.repository_url.rstrip("/")
    if repository and doctree:
        context["source_file"] = f"{repository}/blob/HEAD/docs/{pagename}.md"
    file = f"{pagename}.po"
    if not (folder(app) / file).is_file():
        return
    if repository:
        context["translation_file"] = (
            f"{repository}/blob/HEAD/locale/{app.config.language}/LC_MESSAGES/{file}"
        )
    else:
        context["translation_file"] = context["pathto"](f"_po/{file}", resource=True)


def publish_copies(app: Sphinx, error: Exception | None) -> None:
    """Copy the .po files into the site, where the repository's address is unknown."""
    copies = Path(app.outdir) / "_po"
    if error or app.builder.name != "html":
        return
    shutil.rmtree(copies, ignore_errors=True)
    if folder(app).is_dir() and not app.config.repository_url:
        shutil.copytree(folder(app), copies, ignore=shutil.ignore_patterns("*.mo", "sphinx.po"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("repository_url", "", "html", str)
    app.connect("html-page-context", add_links)
    app.connect("build-finished", publish_copies)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
