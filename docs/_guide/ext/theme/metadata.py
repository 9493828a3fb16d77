"""What other programs show of a page: Open Graph tags, and the page's line in `llms.txt`.

A page's front matter has its description (`html_meta: description`); templates get it as
`meta.description`. The tags are in docs/_templates/social.html; their image is one card a language,
docs/_static/card-*.png. sphinxext-opengraph has no alternate locales and takes its text from the
first paragraph; sphinx-llms-txt has neither the parts of the guide nor descriptions.
"""

from collections.abc import Iterator
from pathlib import Path

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from docs._guide.ext.i18n.languages import absolute


def save_description(app: Sphinx, doctree: nodes.document) -> None:
    """Save a page's description, in the language of the build, in the page's metadata."""
    for meta in doctree.findall(nodes.meta):
        if meta.get("name") == "description":
            app.env.metadata[app.env.docname]["description"] = meta["content"]


def write_llms_txt(app: Sphinx, error: Exception | None) -> None:
    """Write the guide's contents for programs (llmstxt.org) beside the language's pages."""
    if error is None and app.builder.name == "html":
        text = "\n".join(llms_txt(app)) + "\n"
        Path(app.outdir, "llms.txt").write_text(text, encoding="utf-8")


def llms_txt(app: Sphinx) -> Iterator[str]:
    """Yield the guide's title and description, and a section for each part with its pages."""
    config, env = app.config, app.env
    descriptions = {page: values.get("description", "") for page, values in env.metadata.items()}
    yield f"# {config.html_title}"
    yield f"\n> {descriptions[config.root_doc]}"
    for part in env.get_doctree(config.root_doc).findall(addnodes.toctree):
        yield f"\n## {part['caption'] or config.html_title}\n"
        for page in part["includefiles"]:
            path = app.builder.get_target_uri(page)
            url = absolute(config, f"{config.language}/{path}") or path
            yield f"- [{env.titles[page].astext()}]({url}): {descriptions[page]}"


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.connect("doctree-read", save_description)
    app.connect("build-finished", write_llms_txt)
