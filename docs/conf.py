"""Sphinx's configuration, the same for every language of the guide.

`nox -s docs` adds the language and the folder of the cached outputs. `languages` is also read
before anything is installed, so this file imports the standard library only.
"""

import os
import sys
from pathlib import Path

# In the order of the switcher; the pages are written in the first.
languages = {"en": "English", "ja": "日本語", "ko": "한국어"}

# Where the site and the repository are, for addresses that cannot be relative. Optional.
site_url = os.environ.get("GUIDE_SITE_URL", "").rstrip("/")
repository_url = os.environ.get("GUIDE_REPOSITORY_URL", "").rstrip("/")
# The branch of the repository to which site.yml pushes the notebooks: Colab opens them there.
site_branch = os.environ.get("GUIDE_SITE_BRANCH", "")
# A list of the guides for other versions of JAX, on the same host: docs/_static/versions.js.
versions_url = os.environ.get("GUIDE_VERSIONS_URL", "")

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the extensions

# -- The guide -------------------------------------------------------------------------------

project = "JAX guide"
author = "The JAX guide's contributors"
copyright = "2026, the JAX guide’s contributors"
extensions = [
    "myst_nb",  # pages that are notebooks
    "docs._guide.ext.outputs",  # the cached outputs of each page; Sphinx never runs a cell
    "docs._guide.ext.devices",  # what other devices printed, in tabs
    "docs._guide.ext.provenance",  # what ran each page, and when
    "docs._guide.ext.claims",  # claims of older articles beside what a page measured
    "docs._guide.ext.components",  # questions, exercises, tabs, terms
    "docs._guide.ext.figures",  # figures inside the page, with translated labels
    "docs._guide.ext.mathml",  # formulas without JavaScript
    "docs._guide.ext.notebooks",  # each executed page as a notebook to download
    "docs._guide.ext.outdated",  # a new title reaches all pages, and a page that is gone goes
    "docs._guide.ext.i18n",  # what Sphinx lacks for translated pages
    "docs._guide.ext.glossary",  # all terms in three languages
    "docs._guide.ext.api",  # JAX's names: cards, and the pages that teach them
    "docs._guide.ext.routes",  # a page's place in its routes, and the way on
    "docs._guide.ext.theme",  # only the scripts and styles that a page uses; its policy
]
exclude_patterns = ["_*"]
templates_path = ["_templates"]

# -- Pages: https://myst-nb.readthedocs.io/en/latest/configuration.html ------------------------

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_custom_formats = {".md": ["docs._guide.ext.outputs.read", {}, False]}
nb_execution_mode = "off"
# So that the gettext builder extracts the captions of figures.
nb_mime_priority_overrides = [("gettext", "image/svg+xml", 0), ("gettext", "image/png", 1)]

# -- Translations: https://www.sphinx-doc.org/en/master/usage/configuration.html#intl ----------

locale_dirs = ["../locale", "_locale"]  # the pages; the templates
gettext_compact = False  # one .po a page
gettext_location = False  # line numbers would change with every edit
translation_progress_classes = "untranslated"

# -- Site: https://pradyunsg.me/furo/customisation/ ---------------------------------------------

html_theme = "furo"
pygments_dark_style = "github-dark"  # Furo's default underlines imported modules
html_static_path = ["_static"]
html_css_files = ["guide.css", "look.css"]
html_favicon = "_static/favicon.svg"
html_js_files = ["switcher.js", "source-text.js", "scrollable.js", "search.js"]
html_js_files += ["versions.js"] if versions_url else []
html_additional_pages = {"search": "search.html"}
html_context = {
    "site_url": site_url,
    "repository_url": repository_url,
    "versions_url": versions_url,
    "source_language": next(iter(languages)),
}
html_copy_source = False
html_use_index = False  # no page defines an index entry
