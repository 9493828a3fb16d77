"""What Sphinx reads: one configuration for every language of the guide.

`nox -s docs` chooses the language and the stored outputs; everything else is said here.
The noxfile and the build (docs/_make) read `languages` from this file, so nothing may be
imported above it that a bare Python does not have.
"""

import os
import sys
from pathlib import Path

# The languages, in the order of the switcher. The first is the one the pages are written in.
languages = {"en": "English", "ja": "日本語", "ko": "한국어"}

# Where the site will live, for canonical addresses: known to whoever publishes it, never guessed.
site_url = os.environ.get("GUIDE_SITE_URL", "")
# Where the repository is, for links to the translations: as above.
repository_url = os.environ.get("GUIDE_REPOSITORY_URL", "")

sys.path.insert(0, str(Path(__file__).parents[1]))  # so that `docs._ext` can be imported

# -- The guide -------------------------------------------------------------------------------

project = "JAX guide"
author = "The JAX guide's contributors"
copyright = "2026, the JAX guide’s contributors"
extensions = [
    "myst_nb",  # pages that are notebooks
    "docs._ext.stored_outputs",  # shows what the cells printed; never runs one
    "docs._ext.provenance",  # what ran each page, and when
    "docs._ext.glossary",  # every term in three languages
    "docs._ext.languages",  # switcher, hreflang, canonical
    "docs._ext.translation_marks",  # an untranslated paragraph is visible and counted
    "docs._ext.translation_files",  # a translated page leads to its .po
    "docs._ext.originals",  # the English of each translated paragraph, on demand
    "docs._ext.mathml",  # formulas without JavaScript
    "docs._ext.quick_messages",  # a patch: less work for each translated paragraph
]
exclude_patterns = ["_*"]
templates_path = ["_templates"]

# -- Pages: https://myst-nb.readthedocs.io/en/latest/configuration.html ------------------------

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_custom_formats = {".md": ["docs._ext.stored_outputs.read", {}, False]}
nb_execution_mode = "off"  # docs/_make runs the pages; Sphinx only reads what they printed
nb_merge_streams = True
# The gettext builder needs to see figures too, or it loses their captions.
nb_mime_priority_overrides = [("gettext", "image/svg+xml", 0), ("gettext", "image/png", 1)]

# -- Translations: https://www.sphinx-doc.org/en/master/usage/configuration.html#intl ----------

locale_dirs = [
    "../locale",  # the pages
    # The words of the theme; Sphinx would look for its sphinx.js where the build was started.
    str(Path(__file__).parent / "_locale"),
]
gettext_compact = False  # one .po a page
gettext_location = False  # no line numbers: they would change with every edit
translation_progress_classes = "untranslated"

# -- Site: https://pradyunsg.me/furo/customisation/ ---------------------------------------------

html_theme = "furo"
pygments_dark_style = "github-dark"  # Furo's own choice underlines imported modules
html_static_path = ["_static"]
html_css_files = ["guide.css"]
html_js_files = [
    ("switcher.js", {"defer": "defer"}),
    ("originals.js", {"defer": "defer"}),
]
html_copy_source = False
html_show_sourcelink = False
html_use_index = False  # no page defines an index entry
