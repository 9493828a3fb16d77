"""Give a page only the scripts and style sheets that it uses, and the site only Pagefind's index.

The scripts and styles of all pages are in docs/conf.py; those of some pages are added here. A page
names a style sheet of its own in its front matter (`styles: home.css`). The strings of a script are
attributes of its tag: what Sphinx has for them calls `eval`, which the Content-Security-Policy
forbids.
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
AFTER_ALL = 900  # behind html_js_files and html_css_files, which have 800: the scripts use theirs


class SiteBuilder(StandaloneHTMLBuilder):
    """Sphinx's builder `html` without its search index, for which Sphinx has no setting."""

    search = False


def add_files(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Add the files of one page, and remove those of Sphinx and its theme that no page uses."""
    body = context.get("body", "")
    scripts = {
        "copy.js": {"data-copy": _("Copy"), "data-copied": _("Copied")},
        "progress.js": {
            "data-page": pagename,
            "data-root": context["pathto"]("", 1),
            "data-read": _("read"),
            "data-clear": _("Forget which pages I have read"),
        },
    }
    if " data-step=" in body:
        scripts["steps.js"] = {"data-play": _("Play"), "data-pause": _("Pause")}
    scripts |= {"tabs.js": {}} if 'class="tab-set"' in body else {}
    scripts |= {"preview.js": {}} if 'class="term"' in body else {}
    for name, attributes in scripts.items():
        app.add_js_file(name, AFTER_ALL, **attributes)
    if styles := (context.get("meta") or {}).get("styles"):
        app.add_css_file(styles, AFTER_ALL)
    for files in ("css_files", "script_files"):
        context[files] = [
            file
            for file in context[files]
            if not any(fnmatch(str(file.filename), f"_static/{pattern}") for pattern in UNUSED)
        ]
    for script in context["script_files"]:
        script.attributes["defer"] = "defer"


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_builder(SiteBuilder, override=True)
    app.connect("html-page-context", add_files, priority=900)  # after all that add scripts
