"""What other programs show of a page: Open Graph tags, and the page's line in `llms.txt`.

A page's front matter has its description (`html_meta: description`). The tags are in
docs/_templates/social.html; their image is one card a language, docs/_static/card-*.png.
sphinxext-opengraph has no alternate locales and takes its text from the first paragraph;
sphinx-llms-txt has neither the parts of the guide nor descriptions.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx

from docs._guide.ext.i18n.languages import absolute

LOCALES = {"en": "en_US", "ja": "ja_JP", "ko": "ko_KR"}  # as Open Graph writes them


def save_description(app: Sphinx, doctree: nodes.document) -> None:
    """Save the page's description, in the language of the build, in the page's metadata."""
    for meta in doctree.findall(nodes.meta):
        if meta.get("name") == "description":
            app.env.metadata[app.env.docname]["description"] = meta["content"]


def add_tags(
    app: Sphinx,
    pagename: str,
    templatename: str,
    context: dict[str, Any],
    doctree: nodes.document | None,
) -> None:
    """Add the values of the Open Graph tags to the template's context."""
    if not doctree:
        return
    config, language = app.config, app.config.language
    context["social"] = {
        "title": app.env.titles[pagename].astext(),
        "description": app.env.metadata[pagename].get("description", ""),
        "type": "website" if pagename == config.root_doc else "article",
        "locales": {
            code: LOCALES.get(code, code) for code in config.published_languages.split(",")
        },
        "url": absolute(config, f"{language}/{app.builder.get_target_uri(pagename)}"),
        "image": absolute(config, f"{language}/_static/card-{language}.png"),
    }


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
    app.connect("html-page-context", add_tags)
    app.connect("build-finished", write_llms_txt)
