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
# The branch of that repository whose root is the published site, if there is one: Colab opens the
# notebooks there.
site_branch = os.environ.get("GUIDE_SITE_BRANCH", "")

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
    "docs._ext.licences",  # what the site ships of others
    "docs._ext.claims",  # what older articles claimed, beside what a page measured
    "docs._ext.own_words",  # what every file is for, as it says itself
    "docs._ext.languages",  # switcher, hreflang, canonical
    "docs._ext.translation_marks",  # an untranslated paragraph is visible and counted
    "docs._ext.source_files",  # each page leads to its source and its .po
    "docs._ext.notebooks",  # each page that runs, to take away
    "docs._ext.originals",  # the English of each translated paragraph, on demand
    "docs._ext.leftovers",  # nothing stays of a page that is gone
    "docs._ext.figures",  # figures in the page, their words in its language
    "docs._ext.code_comments",  # comments of cells in the page's language
    "docs._ext.search",  # Pagefind instead of Sphinx's own index
    "docs._ext.book",  # the guide as an EPUB
    "docs._ext.mathml",  # formulas without JavaScript
    "docs._ext.description",  # one sentence about each page
    "docs._ext.reading_time",  # about how long a page takes
    "docs._ext.social",  # what is shown where an address is shared
    "docs._ext.feed",  # the list of changes as a feed
    "docs._ext.llms",  # the contents for programs
    "docs._ext.plain_tokens",  # no element for code without a colour
    "docs._ext.colours",  # of code, found once for all languages
    "docs._ext.one_stylesheet",  # a first visit waits for one file, not for five
    "docs._ext.needed_scripts",  # no page loads a script that it does not use
    "docs._ext.content_policy",  # no page loads or runs what is not the site's own
    "docs._ext.page_tree",  # the tree of all pages, made once
    "docs._ext.seen_elsewhere",  # a new title comes to all pages
    "docs._ext.own_contents",  # a page's headings, kept with the page
    "docs._ext.quick_messages",  # less work for each translated paragraph
    "docs._ext.little_memory",  # no page stays in memory; messages let go of theirs before
]
exclude_patterns = ["_*"]
templates_path = ["_templates"]

# -- Pages: https://myst-nb.readthedocs.io/en/latest/configuration.html ------------------------

myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_custom_formats = {".md": ["docs._ext.stored_outputs.read", {}, False]}
nb_execution_mode = "off"  # docs/_make runs the pages; Sphinx only reads what they printed
# Pygments does not know a backtick in an error's message, and JAX writes many: it then colours
# the traceback in a relaxed way. Cells that do not lex as Python would have failed to run.
suppress_warnings = ["misc.highlighting_failure"]
# The gettext builder needs to see figures too, or it loses their captions.
nb_mime_priority_overrides = [("gettext", "image/svg+xml", 0), ("gettext", "image/png", 1)]

# -- Translations: https://www.sphinx-doc.org/en/master/usage/configuration.html#intl ----------

locale_dirs = ["../locale", "_locale"]  # the pages; the words of the theme
gettext_compact = False  # one .po a page
gettext_location = False  # no line numbers: they would change with every edit
translation_progress_classes = "untranslated"

# -- Site: https://pradyunsg.me/furo/customisation/ ---------------------------------------------

html_theme = "furo"
pygments_dark_style = "github-dark"  # Furo's own choice underlines imported modules
html_static_path = ["_static"]
html_css_files = ["guide.css", "home.css", "architecture.css"]
html_favicon = "_static/favicon.svg"
html_js_files = [
    ("switcher.js", {"defer": "defer"}),
    ("originals.js", {"defer": "defer"}),
    ("film.js", {"defer": "defer"}),
    ("scrollable.js", {"defer": "defer"}),
    ("search.js", {"defer": "defer"}),
]
html_copy_source = False
html_show_sourcelink = False
html_use_index = False  # no page defines an index entry

# -- Books: https://www.sphinx-doc.org/en/master/usage/configuration.html#options-for-epub-output

epub_uid = "book"
epub_contributor = author
epub_cover = ("_static/cover.png", "epub-cover.html")
epub_css_files = ["book.css"]
epub_tocscope = "includehidden"
epub_tocdup = False
epub_show_urls = "no"  # links can be followed
