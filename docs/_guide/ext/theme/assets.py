"""Give a page only the scripts and style sheets that it uses, and the site only Pagefind's index.

Sphinx adds every script to every page, and three of its own to translate the strings of scripts.
One of those calls `eval`, which the Content-Security-Policy forbids. So the strings of a script are
in attributes of its tag.
"""

from fnmatch import fnmatch
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.locale import _

UNUSED_SCRIPTS = (
    *("documentation_options.js", "doctools.js", "translations.js"),  # translated strings
    "sphinx_highlight.js",  # highlights matches of Sphinx's search
)
UNUSED = (
    *UNUSED_SCRIPTS,
    "styles/furo-extensions.css",  # for Sphinx extensions that the guide does not use
    "mystnb.*.css",  # look.css has what the guide uses of it, 43 kB less
)
# What a page loads only where its content has this, or where it is this page.
OF_CONTENT = {"steps.js": " data-step=", "tabs.js": 'class="tab-set"', "preview.js": 'class="term"'}
OF_ONE_PAGE = {
    "home.css": "index",
    "architecture.css": "contribute/architecture",
    "claims.css": "old-articles/claims",
}


class SiteBuilder(StandaloneHTMLBuilder):
    """Sphinx's builder `html` without its search index, for which Sphinx has no setting."""

    search = False


def select_assets(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Remove what is unused from the page's lists; defer the scripts, and add their strings."""
    if app.builder.name != "html":
        return
    body = context.get("body", "")
    unused = [*UNUSED, *(name for name, part in OF_CONTENT.items() if part not in body)]
    unused += [name for name, page in OF_ONE_PAGE.items() if page != pagename]
    attributes = {
        "steps.js": {"data-play": _("Play"), "data-pause": _("Pause")},
        "copy.js": {"data-copy": _("Copy"), "data-copied": _("Copied")},
        "progress.js": {
            "data-page": pagename,
            "data-root": context["pathto"]("", 1),
            "data-read": _("read"),
            "data-clear": _("Forget which pages I have read"),
        },
    }
    for files in ("css_files", "script_files"):
        context[files] = [
            file
            for file in context[files]
            if not any(fnmatch(str(file.filename), f"_static/{pattern}") for pattern in unused)
        ]
    for script in context["script_files"]:
        name = str(script.filename).removeprefix("_static/")
        script.attributes.update({"defer": "defer"} | attributes.get(name, {}))


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_builder(SiteBuilder, override=True)
    app.connect("html-page-context", select_assets, priority=900)  # after all that add scripts
