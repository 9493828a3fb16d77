"""Say in each page what it may load and run: a Content-Security-Policy.

Neither Sphinx nor Furo has one. It stands in the page, since hosts such as GitHub Pages let nobody
set headers, and a disk has none; what only a header can say is in docs/_templates/root/_headers.
Nothing comes from elsewhere, and a script or style inside a page counts only with its digest here.
"""

import base64
import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any

from docutils import nodes
from furo import THEME_PATH
from sphinx.application import Sphinx

TEMPLATES = Path(__file__).parents[1] / "_templates"
INLINE = re.compile(r"<(script|style)>(.*?)</\1>", re.DOTALL)
ALLOWED = {
    "default-src": ["'none'"],
    "script-src": ["'self'", "'wasm-unsafe-eval'"],  # the search is WebAssembly; text is never code
    "style-src": ["'self'"],
    "img-src": ["'self'", "data:"],  # Furo's icons are in its style sheet
    "connect-src": ["'self'"],  # the index of the search
    "worker-src": ["'self'"],  # the search works beside the page
    "base-uri": ["'none'"],
    "form-action": ["'self'"],  # the form for searching without JavaScript
}


def policy(html: str) -> str:
    """Write the policy of a page, with the digests of the scripts and styles inside it.

    >>> policy("<script>go()</script>").split("; ")[1]
    "script-src 'self' 'wasm-unsafe-eval' 'sha256-5KYv+PUboo5h+0+YAtGRPbwv5d/QxzHslP4YGnUaxRw='"
    """
    inside: dict[str, list[str]] = {"script-src": [], "style-src": []}
    for kind, text in INLINE.findall(html):
        inside[f"{kind}-src"].append(source(text))
    return "; ".join(
        " ".join([directive, *sources, *inside.get(directive, [])])
        for directive, sources in ALLOWED.items()
    )


def source(text: str) -> str:
    """Name a script or style by its digest, as a policy does."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


@cache
def policy_of_pages() -> str:
    """The policy of all pages: each has Furo's script against a white flash, and the guide's."""
    templates = (THEME_PATH / "base.html", TEMPLATES / "first-visit.html")
    return policy("".join(template.read_text(encoding="utf-8") for template in templates))


def offer(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Tell each page's template its policy."""
    if app.builder.name == "html":  # what shows a book has rules of its own
        context["content_policy"] = policy_of_pages()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("html-page-context", offer)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
