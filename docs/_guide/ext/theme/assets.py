"""Give a page only the scripts and style sheets that it uses, and the site only Pagefind's index.

Sphinx adds every script to every page, and three of its own to translate the strings of scripts.
One of those calls `eval`, which the Content-Security-Policy forbids. So the strings of a script are
in attributes of its tag.
"""

import re
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.locale import _

# Scripts that a page loads only where it has what they serve.
OF_CONTENT = {
    "steps.js": re.compile(" data-step="),
    "tabs.js": re.compile('class="tab-set"'),
    "preview.js": re.compile('class="term"'),
}
UNUSED_SCRIPTS = (
    *("documentation_options.js", "doctools.js", "translations.js"),  # translated strings
    "sphinx_highlight.js",  # highlights matches of Sphinx's search
)
UNUSED = {
    *UNUSED_SCRIPTS,
    "furo-extensions.css",  # for Sphinx extensions that the guide does not use
}
REPLACED = "mystnb."  # look.css has what the guide uses of it, 43 kB less
OF_ONE_PAGE = {"home.css": "index", "architecture.css": "contribute/architecture"}


class SiteBuilder(StandaloneHTMLBuilder):
    """Sphinx's builder `html` without its search index, for which Sphinx has no setting."""

    search = False


def select_assets(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Remove what is unused from the page's lists; defer the scripts, and add their strings."""
    if app.builder.name != "html":
        return
    unused = UNUSED | {name for name, page in OF_ONE_PAGE.items() if page != pagename}
    body = context.get("body", "")
    unused |= {name for name, used in OF_CONTENT.items() if not used.search(body)}
    if not context["versions_url"]:
        unused.add("versions.js")
    context["css_files"] = [
        css
        for css in context["css_files"]
        if file_name(css) not in unused and not file_name(css).startswith(REPLACED)
    ]
    scripts = {file_name(script): script for script in context["script_files"]}
    context["script_files"] = [script for name, script in scripts.items() if name not in unused]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"
    for name, strings in script_strings().items():
        scripts[name].attributes.update(strings)
    place = {"data-page": pagename, "data-root": context["pathto"]("", 1)}
    scripts["progress.js"].attributes.update(place)


def file_name(asset: Any) -> str:
    """The name of a script's or style sheet's file, without its folder."""
    return str(asset.filename).split("/")[-1]


def script_strings() -> dict[str, dict[str, str]]:
    """The labels of scripts in the page's language, as attributes of their tags."""
    return {
        "steps.js": {"data-play": _("Play"), "data-pause": _("Pause")},
        "copy.js": {"data-copy": _("Copy"), "data-copied": _("Copied")},
        "progress.js": {"data-read": _("read"), "data-clear": _("Forget which pages I have read")},
    }


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_builder(SiteBuilder, override=True)
    app.connect("html-page-context", select_assets, priority=900)  # after all that add scripts
