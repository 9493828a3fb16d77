"""The colours of code are found once for all languages: most cells are the same in each.

Pygments takes a tenth of the time of a page. Sphinx asks it anew in every language, and has no
place to keep what it said.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.highlighting import PygmentsBridge

from docs._ext.stored_outputs import ready


class Colours:
    """Sphinx's highlighter, and what it made of the code of the page that is being written."""

    def __init__(self, highlighter: PygmentsBridge) -> None:
        self.highlighter = highlighter
        self.file, self.made_of = Path(), ""
        self.known: dict[str, str] = {}
        self.found: dict[str, str] = {}

    def highlight_block(self, source: str, *language: Any, location: Any = None, **more: Any) -> str:
        """Colour some code; called by Sphinx."""
        name = digest(repr((source, language, more)))
        if name not in self.known:
            self.known[name] = self.found[name] = self.highlighter.highlight_block(
                source, *language, location=location, **more
            )
        return self.known[name]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.highlighter, name)

    def begin(self, file: Path, made_of: str) -> None:
        """Take what another language, or another build, found for a page that is the same."""
        self.file, self.made_of, self.known, self.found = file, made_of, {}, {}
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            if kept["digest"] == digest(made_of + json.dumps(kept["code"])):
                self.known = kept["code"]
        except (OSError, ValueError, LookupError, TypeError):  # none yet, or a damaged one
            return

    def keep(self) -> None:
        """Leave what was found here for the others, who may be reading: in a single step."""
        if self.found and self.made_of:
            kept = {"digest": digest(self.made_of + json.dumps(self.known)), "code": self.known}
            self.file.parent.mkdir(parents=True, exist_ok=True)
            new = self.file.with_name(f"{self.file.name}.{os.getpid()}")
            new.write_text(json.dumps(kept), encoding="utf-8")
            new.replace(self.file)
        self.found = {}


def digest(text: str) -> str:
    """Digest of a text."""
    return hashlib.sha256(text.encode()).hexdigest()


def remember(app: Sphinx) -> None:
    """Put it in the place of Sphinx's highlighter."""
    if app.builder.name == "html":
        app.builder.highlighter = Colours(app.builder.highlighter)  # type: ignore[attr-defined]


def begin(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """A page is going to be written."""
    if app.builder.name == "html":
        entry = ready(app).pages.get(page)
        made_of = app.config.machinery + entry.file if entry else ""
        file = Path(app.config.stored_outputs, "colours", f"{page}.json")
        app.builder.highlighter.begin(file, made_of)


def end(app: Sphinx, *_page: object) -> None:
    """It was written."""
    if app.builder.name == "html":
        app.builder.highlighter.keep()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", remember)
    app.connect("doctree-resolved", begin)
    app.connect("html-page-context", end)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
