"""What Furo and Sphinx lack around a page: only the scripts it uses, folded lists, a policy.

The scripts and styles of all pages are in docs/conf.py; those of some pages are added here. A page
names a style sheet of its own in its front matter (`styles: home.css`). The strings of a script are
attributes of its tag: what Sphinx has for them calls `eval`, which the policy forbids. The markup
is in docs/_templates; of its social.html, sphinxext-opengraph would lack the other languages, and
take the description from the first paragraph.

The Content-Security-Policy is a `<meta>`, since hosts such as GitHub Pages have no settings for
headers; what only a header can forbid is in docs/_templates/root/_headers. Nothing may come from
another host, and an inline script runs only if its hash is listed.
"""

import base64
import hashlib
import re
from collections.abc import Iterable
from fnmatch import fnmatch
from typing import Any

from docutils import nodes
from furo import THEME_PATH
from pygments.formatters import HtmlFormatter
from pygments.token import Name, Punctuation, Text, Whitespace
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
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'{}; "  # Pagefind is WebAssembly
    "style-src 'self' 'unsafe-inline'; "  # a style can load nothing that the others forbid
    "img-src 'self' data:; "  # Furo's icons are in its style sheet
    "connect-src 'self'; worker-src 'self'; "  # the search, the list of versions
    "base-uri 'none'; form-action 'self'"  # the search without JavaScript
)
INLINE = re.compile(r"<script>(.*?)</script>", re.DOTALL)
# A group of pages in the sidebar, and where the name of an error may be broken in the contents.
GROUP = re.compile(r'<p class="caption"[^>]*>(.*?)</p>\s(<ul( class="current")?>[\s\S]*?</ul>)')
CAPITAL = re.compile(r"(?<=[a-z])(?=[A-Z][^<>]*</span>)")
# Tokens of code that the styles of docs/conf.py draw as plain text.
PLAIN = {Name, Punctuation, Whitespace}


class PlainFormatter(HtmlFormatter):  # type: ignore[misc]
    """Highlights code without an element around each plain token: 2 to 3 kB less for a page."""

    def format(self, tokensource: Iterable[tuple[Any, str]], outfile: Any) -> None:
        """Write the code."""
        tokens = ((Text if token in PLAIN else token, text) for token, text in tokensource)
        super().format(tokens, outfile)


class SiteBuilder(StandaloneHTMLBuilder):
    """Sphinx's builder `html` without its search index, for which Sphinx has no setting."""

    search = False

    def init_highlighter(self) -> None:
        """Highlight code without elements around plain tokens."""
        super().init_highlighter()
        self.highlighter.formatter = PlainFormatter


def add_files(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Add the files of one page, and remove those of Sphinx and its theme that no page uses."""
    body, context["titles"] = context.get("body", ""), app.env.titles  # for search-box.html
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
    if 'class="tab-set"' in body:
        scripts["tabs.js"] = {}
    if " data-meaning=" in body:
        scripts["preview.js"] = {}
    if 'class="drawing' in body:
        scripts["enlarge.js"] = {"data-enlarge": _("Enlarge"), "data-close": _("Close")}
    if rows := (context.get("meta") or {}).get("filter"):
        scripts["filter.js"] = {
            "data-label": _("Filter the entries"),
            "data-none": _("No entry contains this."),
            "data-rows": rows,
        }
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


def fold_navigation(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Fold the groups of the sidebar but that of the page, and let long names break at capitals."""
    context["furo_navigation_tree"] = GROUP.sub(folded, context["furo_navigation_tree"])
    if "toc" in context:
        context["toc"] = CAPITAL.sub("<wbr>", context["toc"])


def folded(group: re.Match[str]) -> str:
    """Return a group of pages that can be folded without a script."""
    caption, pages, current = group.groups()
    opened = " open" if current else ""
    return f'<details{opened}><summary class="caption">{caption}</summary>\n{pages}</details>'


def save_description(app: Sphinx, doctree: nodes.document) -> None:
    """Save a page's description, in the language of the build, in the page's metadata."""
    for meta in doctree.findall(nodes.meta):
        if meta.get("name") == "description":
            app.env.metadata[app.env.docname]["description"] = meta["content"]


def policy(html: str) -> str:
    """Return the policy of a page, with the hashes of its inline scripts.

    >>> policy("<script>go()</script>").split("; ")[1]
    "script-src 'self' 'wasm-unsafe-eval' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='"
    """
    digests = (hashlib.sha256(script.encode()).digest() for script in INLINE.findall(html))
    return POLICY.format("".join(f" 'sha256-{base64.b64encode(d).decode()}'" for d in digests))


def add_policy(app: Sphinx) -> None:
    """Add the policy to all pages, whose one inline script is Furo's against a white flash."""
    script = (THEME_PATH / "base.html").read_text(encoding="utf-8")
    app.config.html_context["content_policy"] = policy(script)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_builder(SiteBuilder, override=True)
    app.connect("builder-inited", add_policy)
    app.connect("doctree-read", save_description)
    app.connect("html-page-context", fold_navigation, priority=900)  # after Furo
    app.connect("html-page-context", add_files, priority=900)  # after all that add scripts
