"""Give a page only the scripts and style sheets that it uses, all scripts deferred.

Sphinx adds every script to every page, and three of its own to translate the strings of scripts.
One of those calls `eval`, which the Content-Security-Policy forbids. So the strings of a script are
in attributes of its tag.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _

ANIMATION = re.compile(r'class="[^"]*\bfilm-\d')
UNUSED_SCRIPTS = (
    *("documentation_options.js", "doctools.js", "translations.js"),  # translated strings
    "sphinx_highlight.js",  # highlights matches of Sphinx's search
)
UNUSED = {
    *UNUSED_SCRIPTS,
    "furo-extensions.css",  # for Sphinx extensions that the guide does not use
}
OF_ONE_PAGE = {"home.css": "index", "architecture.css": "contribute/architecture"}


def select_assets(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Remove what is unused from the page's lists; defer the scripts, and add their strings."""
    if app.builder.name != "html":
        return
    unused = UNUSED | {name for name, page in OF_ONE_PAGE.items() if page != pagename}
    if not ANIMATION.search(context.get("body", "")):
        unused.add("animation.js")
    if not context["versions_url"]:
        unused.add("versions.js")
    context["css_files"] = [css for css in context["css_files"] if file_name(css) not in unused]
    scripts = {file_name(script): script for script in context["script_files"]}
    context["script_files"] = [script for name, script in scripts.items() if name not in unused]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"
    scripts["animation.js"].attributes.update(animation_strings())


def file_name(asset: Any) -> str:
    """The name of a script's or style sheet's file, without its folder."""
    return str(asset.filename).split("/")[-1]


def animation_strings() -> dict[str, str]:
    """The labels of animation.js in the page's language."""
    return {
        "data-play": _("Play"),
        "data-pause": _("Pause"),
        "data-epoch": _("Epoch"),
        "data-step": _("Step"),
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", select_assets, priority=900)  # after all that add scripts
    return {"parallel_read_safe": True, "parallel_write_safe": True}
