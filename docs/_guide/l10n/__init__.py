"""Checks of the translations: `python -m docs._guide.l10n`, in pure Python.

In: the .po files of `locale/`, with the term base (terms.csv), patterns and word lists beside
them. Out: findings, one for each place that is wrong, with the rule's name and what to write.
Two more commands need programs from outside: `l10n.ja.textlint` (Node) for the Japanese prose, and
`l10n.ko.spelling` (Hunspell, Kiwi) for the Korean. The extensions `catalog_check` and `glossary`
and the site's search import from here; this package imports only the parser of the pages.
"""
