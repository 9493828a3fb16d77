"""What Furo and Sphinx lack around a page: metadata, a search, few scripts and a strict policy.

Each module is a Sphinx extension of its own, listed in docs/conf.py; the markup is in
docs/_templates. docs/_guide/site imports `policy` for the pages that Sphinx does not write.
"""
