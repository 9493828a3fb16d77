"""Checks of the translations: `python -m docs._guide.l10n`, in pure Python.

In: the .po files of `locale/`, with the tables of words beside them. Out: findings, one for each
place that is wrong, with the rule's name and what to write. A module is named after its rule.
Two more commands need programs from outside: `l10n.ja.textlint` (Node) for the Japanese prose, and
`l10n.ko.spelling` (Hunspell, Kiwi) for the Korean. The build does not import this package.
"""
