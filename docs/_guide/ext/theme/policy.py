"""A Content-Security-Policy in each page; neither Sphinx nor Furo has one.

It is a `<meta>`, since hosts such as GitHub Pages have no settings for headers; what only a header
can forbid is in docs/_templates/root/_headers. Nothing may come from another host, and an inline
script or style runs only if its hash is listed.
"""

import base64
import hashlib
import re

from furo import THEME_PATH
from sphinx.application import Sphinx

INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
ALLOWED = {
    "default-src": "'none'",
    "script-src": "'self' 'wasm-unsafe-eval'",  # Pagefind is WebAssembly
    "style-src": "'self'",
    "img-src": "'self' data:",  # Furo's icons are in its style sheet
    "connect-src": "'self'",  # the search index, the list of versions
    "worker-src": "'self'",  # Pagefind's
    "base-uri": "'none'",
    "form-action": "'self'",  # the search without JavaScript
}


def policy(html: str) -> str:
    """Return the policy of a page, with the hashes of its inline scripts and styles.

    >>> policy("<script>go()</script>").split("; ")[1]
    "script-src 'self' 'wasm-unsafe-eval' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='"
    """
    directives = dict(ALLOWED)
    for kind, text in INLINE.findall(html):
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        directives[f"{kind}-src"] += f" 'sha256-{digest}'"
    return "; ".join(f"{directive} {sources}" for directive, sources in directives.items())


def add_policy(app: Sphinx) -> None:
    """Add the policy to all pages, whose one inline script is Furo's against a white flash."""
    if app.builder.name == "html":
        script = (THEME_PATH / "base.html").read_text(encoding="utf-8")
        app.config.html_context["content_policy"] = policy(script)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("builder-inited", add_policy)
