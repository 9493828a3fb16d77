"""Write `llms.txt` for each language: the guide's contents for programs (llmstxt.org).

Its sections are the parts of the guide, its links the pages with their descriptions.
sphinx-llms-txt lists all pages of one language, without parts and descriptions.
"""

from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx

from docs._ext.contents import parts
from docs._ext.description import description_of
from docs._ext.languages import absolute


def lines(app: Sphinx) -> Iterator[str]:
    """The title, what the guide is, and a section a part."""
    env = app.env
    yield f"# {app.config.html_title}"
    yield f"\n> {description_of(env, app.config.root_doc)}"
    for name, pages in parts(env):
        yield f"\n## {name or app.config.html_title}\n"
        for page in pages:
            target = app.builder.get_target_uri(page)
            address = absolute(app.config, f"{app.config.language}/{target}") or target
            told = description_of(env, page)
            yield f"- [{env.titles[page].astext()}]({address})" + (f": {told}" if told else "")


def write(app: Sphinx, error: Exception | None) -> None:
    """Write the file beside the language's pages."""
    if error is None and app.builder.name == "html":
        text = "\n".join(lines(app)) + "\n"
        (Path(app.outdir) / "llms.txt").write_text(text, encoding="utf-8")


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.connect("build-finished", write)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
