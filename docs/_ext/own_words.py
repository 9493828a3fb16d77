"""Every file of a folder in the words with which it begins: `{own-words} docs/_make`.

The words stay where the code is, so they do not fall behind it. They are English in every language,
as the code is. Sphinx's autosummary imports what it lists, and lists nothing but Python.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from docs._make.options import ROOT

logger = logging.getLogger(__name__)

# Data, pictures and locks cannot say what they are: a line about their folder does.
WRITTEN = {".py", ".css", ".js", ".mjs", ".cjs", ".html", ".toml", ".yml", ".yaml", ""}
# The comment at the head of a file: of Jinja, CSS, JavaScript, or a shell's and YAML's.
COMMENT = re.compile(r"(?:#!.*\n)?(?:\{#-?([^#]+?)-?#\}|/\*([^*]+)\*/|((?:(?://|#).*\n)+))")


def first_words(text: str, suffix: str) -> str:
    """The first sentence that a file says of itself, or the first line of its docstring.

    >>> first_words("'''Adds.\\n\\nMore.'''", ".py"), first_words("import os", ".py")
    ('Adds.', '')
    >>> first_words("// Plays a film:\\n// never by itself. And more.\\nstart()", ".js")
    'Plays a film: never by itself.'
    >>> first_words("#!/bin/sh\\n# Runs all.\\nset -e", ""), first_words("<p>", ".html")
    ('Runs all.', '')
    """
    if suffix == ".py":
        return first_line(ast.parse(text))
    found = COMMENT.match(text)
    if not found:
        return ""
    words = re.sub(r"^(?://|#)", "", next(filter(None, found.groups())), flags=re.MULTILINE)
    return re.split(r"(?<=[.?]) ", " ".join(words.split()))[0]


def files(place: Path) -> list[Path]:
    """A file, or those of a folder, and of folders in it, that can say what they are."""
    if place.is_file():
        return [place]
    found = (path for path in place.rglob("[!.]*") if path.is_file() and path.suffix in WRITTEN)
    return sorted(path for path in found if path.stat().st_size)  # else it makes a package


def own_words(place: Path) -> Iterator[tuple[str, str]]:
    """Name and first words of each file of a folder; of the noxfile, those of each session."""
    if place.is_file():
        yield from sessions(place.read_text(encoding="utf-8"))
        return
    for path in files(place):
        words = first_words(path.read_text(encoding="utf-8"), path.suffix)
        yield path.relative_to(place).as_posix(), words


def sessions(noxfile: str) -> Iterator[tuple[str, str]]:
    """The sessions of a noxfile.

    >>> list(sessions("@nox.session(python='3.13')\\ndef docs(session):\\n    'Builds.'"))
    [('nox -s docs', 'Builds.')]
    """
    for node in ast.parse(noxfile).body:
        decorators = map(ast.unparse, getattr(node, "decorator_list", []))
        if isinstance(node, ast.FunctionDef) and any("nox.session" in each for each in decorators):
            yield f"nox -s {node.name}", first_line(node)


def first_line(code: ast.Module | ast.FunctionDef) -> str:
    """The first line of a docstring."""
    return (ast.get_docstring(code) or "").partition("\n")[0]


class folded(nodes.General, nodes.Element):
    """A list that is opened by those who want it."""


class OwnWords(SphinxDirective):
    """`{own-words} FOLDER ...`: a list of all files; one that says nothing is a warning."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        """Draw the list, without a message for translators in it."""
        rows = nodes.definition_list()
        for argument in (several := self.arguments[0].split()):
            place = ROOT / argument
            remember(self.env, place)
            for name, words in own_words(place):
                shown = f"{argument}/{name}" if several[1:] else name
                if not words:
                    logger.warning("%s has to begin by saying what it is", shown, type="own-words")
                term = nodes.term("", "", nodes.literal("", shown), translatable=False)
                rows += nodes.definition_list_item("", term, nodes.definition("", said(words)))
        return [folded("", rows, summary=_("Show all %s") % len(rows))]


def said(words: str) -> nodes.inline:
    """English, with code between backticks.

    >>> said("`jit`, or not").astext()
    'jit, or not'
    """
    parts = enumerate(words.split("`"))
    shown = (nodes.literal("", part) if odd % 2 else nodes.Text(part) for odd, part in parts)
    return nodes.inline("", "", *shown, classes=["language-en"])


def remember(env: BuildEnvironment, place: Path) -> None:
    """Have the page read again when a file of the list changes, comes or goes."""
    listed(env).setdefault(env.docname, {})[place] = files(place)
    for path in files(place):
        env.note_dependency(str(path))


def listed(env: BuildEnvironment) -> dict[str, dict[Path, list[Path]]]:
    """The files that each page lists, kept with Sphinx's environment between builds."""
    found: dict[str, dict[Path, list[Path]]] = env.__dict__.setdefault("own_words", {})
    return found


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is gone or about to be read again."""
    listed(env).pop(docname, None)


def pages_with_other_files(app: Sphinx, env: BuildEnvironment, *changes: object) -> list[str]:
    """Pages whose folders have other files now: Sphinx sees only that a file changed."""
    return [
        page
        for page, places in listed(env).items()
        if any(files(place) != before for place, before in places.items())
    ]


def open_list(translator: HTML5Translator, node: folded) -> None:
    """Begin the list; what it says is not searched for, and would crowd out the pages."""
    translator.body.append(
        f'<details class="own-words no-search"><summary>{node["summary"]}</summary>\n'
    )


def close_list(translator: HTML5Translator, node: folded) -> None:
    """End the list."""
    translator.body.append("</details>\n")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_node(folded, html=(open_list, close_list))
    app.add_directive("own-words", OwnWords)
    app.connect("env-purge-doc", forget)
    app.connect("env-get-outdated", pages_with_other_files)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
