"""Translation beyond what Sphinx does with the paragraphs of a page and its .po file.

comments.py: comments of cells. translatable.py: messages inside anything else that Sphinx does not
translate; `docs._guide.ext.figures` uses it too. untranslated.py: marks what lacks a translation.
catalog_check.py: refuses translations that break markup. source_text.py: the English of each
paragraph, for a toggle. languages.py: settings that depend on the language.
"""

from sphinx.application import Sphinx

from docs._guide.ext.i18n import (
    catalog_check,
    comments,
    languages,
    source_text,
    untranslated,
)
from docs._guide.ext.i18n.translatable import translatable_text

# By priority: Sphinx extracts messages at 10, translates at 20 and counts translations at 25.
TRANSFORMS = (
    comments.ExtractComments,  # 8
    untranslated.ExcludeFormulas,  # 9
    source_text.CopySourceText,  # 12
    untranslated.MarkUntranslated,  # 22
    source_text.CollectSourceTexts,  # 30
    comments.ReplaceComments,  # 30
)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_config_value("languages", {}, "html", dict)
    app.add_config_value("site_url", "", "html", str)
    app.add_config_value("published_languages", "", "html", str)
    app.add_node(translatable_text)
    app.add_node(source_text.source_texts, html=(source_text.visit_source_texts, None))
    app.add_node(source_text.source_text)
    for transform in TRANSFORMS:
        app.add_transform(transform)
    app.connect("config-inited", languages.translate_settings)
    app.connect("doctree-read", catalog_check.check_catalog)
