"""Lead from each translated page to the file that its translation is in."""

import shutil
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx


def folder(app: Sphinx) -> Path:
    """The .po files of the language that is being built."""
    return Path(app.srcdir).parent.joinpath("locale", app.config.language, "LC_MESSAGES")


def add_link(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give the page's template the address of its .po: in the repository, or else a copy."""
    file = f"{pagename}.po"
    if not (folder(app) / file).is_file():
        return
    if app.config.repository_url:
        repository = app.config.repository_url.rstrip("/")
        context["translation_file"] = (
            f"{repository}/blob/HEAD/locale/{app.config.language}/LC_MESSAGES/{file}"
        )
    else:
        context["translation_file"] = context["pathto"](f"_po/{file}", resource=True)


def publish_copies(app: Sphinx, error: Exception | None) -> None:
    """Copy the .po files into the site, where the repository's address is unknown."""
    copies = Path(app.outdir) / "_po"
    if error or app.builder.format != "html":
        return
    shutil.rmtree(copies, ignore_errors=True)
    if folder(app).is_dir() and not app.config.repository_url:
        shutil.copytree(folder(app), copies, ignore=shutil.ignore_patterns("*.mo", "sphinx.po"))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_config_value("repository_url", "", "html", str)
    app.connect("html-page-context", add_link)
    app.connect("build-finished", publish_copies)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
