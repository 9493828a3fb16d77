"""Join the style sheets of a page into one file: a first visit waits for each of them.

Sphinx and its themes give every page a list of small ones, and have no setting to join them. Furo
writes some rules into every page besides: they too stand in the file.
"""

from importlib.resources import files
from pathlib import Path
from typing import Any

from docutils import nodes
from furo import get_pygments_stylesheet
from sphinx.application import Sphinx

JOINED = "_static/site.css"
IN_PAGE = "partials/_head_css_variables.html"  # a template of Furo's


def join(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Replace the page's style sheets by one; those from elsewhere stay as they are."""
    if app.builder.name != "html":
        return  # a book has its own
    *sheets, joined = sorted(context["css_files"], key=lambda css: str(css.filename) == JOINED)
    local = [css for css in sheets if "://" not in str(css.filename)]
    context["css_files"] = [*(css for css in sheets if css not in local), joined]
    file = app.outdir / JOINED
    rules = app.builder.templates.render(IN_PAGE, context)
    rules = rules.strip().removeprefix("<style>").removesuffix("</style>")
    text = "\n".join([*(content(app.outdir / str(css.filename)) for css in local), rules])
    # Every page has the same list: it is written once, and only when it changed.
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")


def content(file: Path) -> str:
    """Read a style sheet; Furo and MyST-NB write theirs only after the pages."""
    if file.name == "pygments.css":
        return str(get_pygments_stylesheet())
    if file.name.startswith("mystnb."):
        return files("myst_nb.static").joinpath("mystnb.css").read_text(encoding="utf-8")
    return file.read_text(encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_css_file(Path(JOINED).name)
    app.connect("html-page-context", join, priority=900)  # after those who add some
    return {"parallel_read_safe": True, "parallel_write_safe": False}
