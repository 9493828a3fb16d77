"""The colours of code are found once for all languages: most cells are the same in each.

Pygments takes about a seventh of the time of a translated page. Sphinx asks it anew in every
language, and has no place to keep what it said; here it is kept beside the stored outputs.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.highlighting import PygmentsBridge

from docs._ext.stored_outputs import ready
from docs._make.ready import digest


class Colours:
    """Sphinx's highlighter, and what it made of the code of the page that is being written."""

    def __init__(self, highlighter: PygmentsBridge) -> None:
        self.highlighter = highlighter
        self.begin(Path(), "")

    def highlight_block(self, source: str, *language: Any, **options: Any) -> str:
        """Colour some code; called by Sphinx."""
        counting = {name: value for name, value in options.items() if name != "location"}
        name = digest(repr((source, language, counting)))
        if name not in self.known:
            self.known[name] = self.highlighter.highlight_block(source, *language, **options)
            self.is_new = True
        return self.known[name]

    def __getattr__(self, name: str) -> Any:
        """Be Sphinx's highlighter in all else."""
        return getattr(self.highlighter, name)

    def begin(self, file: Path, made_of: str) -> None:
        """Take what another language, or another build, found for a page that is the same."""
        self.file, self.made_of, self.is_new = file, made_of, False
        self.known: dict[str, str] = {}
        try:
            kept = json.loads(file.read_text(encoding="utf-8"))
            if kept["digest"] == digest(made_of + json.dumps(kept["code"])):
                self.known = kept["code"]
        except (OSError, ValueError, LookupError, TypeError):  # none yet, or a damaged one
            return

    def keep(self) -> None:
        """Leave what was found here for the others, who may be reading: in a single step."""
        if not (self.is_new and self.made_of):
            return
        kept = {"digest": digest(self.made_of + json.dumps(self.known)), "code": self.known}
        new = self.file.with_name(f"{self.file.name}.{os.getpid()}")
        with suppress(OSError):  # what cannot be kept is found again
            new.parent.mkdir(parents=True, exist_ok=True)
            new.write_text(json.dumps(kept), encoding="utf-8")
            new.replace(self.file)


def remember(app: Sphinx) -> None:
    """Put it in the place of Sphinx's highlighter."""
    if isinstance(app.builder, StandaloneHTMLBuilder):
        highlighter = Colours(app.builder.highlighter)
        app.builder.highlighter = highlighter  # type: ignore[assignment]


def begin(app: Sphinx, doctree: nodes.document, page: str) -> None:
    """A page is going to be written."""
    if colours := getattr(app.builder, "highlighter", None):
        entry = ready(app).pages.get(page)
        made_of = app.config.machinery + entry.file if entry else ""
        colours.begin(Path(app.config.stored_outputs, "colours", f"{page}.json"), made_of)


def end(app: Sphinx, *_page: object) -> None:
    """It was written."""
    if colours := getattr(app.builder, "highlighter", None):
        colours.keep()


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("builder-inited", remember)
    app.connect("doctree-resolved", begin)
    app.connect("html-page-context", end)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
