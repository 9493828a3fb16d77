"""The guide as EPUB and PDF, made of the cached outputs: `nox -s books`.

`epub` is the Sphinx extension with the builder; the site uses it to link to the books. `one_page`
joins the pages of the EPUB, and `pdf` prints the result with Chromium.
"""
