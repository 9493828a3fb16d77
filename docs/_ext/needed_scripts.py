"""Give a page the scripts that it has a use for, all of them after the page has been shown.

Sphinx gives every page all scripts, and Furo's own is one that a browser waits for. Sphinx's way to
translate the words of a script (`_("Play")`) needs three more files, one of which makes code of
text: that would have to be allowed in every page's policy. Here a script's tag has its words.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _

FILM = re.compile(r'class="[^"]*\bfilm-\d')
FILM_SCRIPT = "film.js"
UNUSED = {
    *("documentation_options.js", "doctools.js", "translations.js"),  # words
    "sphinx_highlight.js",  # marks what Sphinx's own search found
}


def leave_out(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Drop scripts from the page's list, let Furo's wait, and give a film its words."""
    if app.builder.name != "html":
        return  # a book has none
    film = FILM.search(context.get("body", ""))
    unused = UNUSED if film else UNUSED | {FILM_SCRIPT}
    context["script_files"] = [
        script
        for script in context["script_files"]
        if str(script.filename).removeprefix("_static/") not in unused
    ]
    for script in context["script_files"]:
        if str(script.filename).endswith("furo.js"):
            script.attributes["defer"] = "defer"
        elif str(script.filename).endswith(FILM_SCRIPT):
            script.attributes.update(film_words())


def film_words() -> dict[str, str]:
    """What film.js says, in the page's language."""
    return {
        "data-play": _("Play"),
        "data-pause": _("Pause"),
        "data-epoch": _("Epoch"),
        "data-step": _("Step"),
    }


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", leave_out, priority=900)  # after those who add some
    return {"parallel_read_safe": True, "parallel_write_safe": True}
