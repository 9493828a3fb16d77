"""`{terms}`: tables of all terms in three languages, letter by letter, from the term base."""

from collections.abc import Sequence
from itertools import groupby

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective

from docs._l10n import termbase
from docs._l10n.termbase import Term, Words


class Terms(SphinxDirective):
    """`{terms}`: one row a term, in the alphabetical order of the English keys."""

    def run(self) -> list[nodes.Node]:
        """Draw a table for each letter; a change of the term base reads the page again."""
        self.env.note_dependency(str(termbase.TERMS))
        self.env.note_dependency(termbase.__file__)
        terms = [term for term in termbase.load() if term.in_glossary]
        # After the key the reader's own language: on a phone the third column is out of sight.
        order = sorted(termbase.LANGUAGES, key=lambda language: language != self.config.language)
        letters = groupby(sorted(terms, key=lambda term: term.key.casefold()), key=initial)
        return [
            self.letter(name, [row(term, order) for term in found], order)
            for name, found in letters
        ]

    def letter(self, name: str, rows: Sequence[nodes.row], order: Sequence[str]) -> nodes.Node:
        """The terms that begin with a letter; only the letters in sight are laid out."""
        for each in rows:
            self.state.document.note_explicit_target(each)  # pages may link to it
        names = {"ja": _("Japanese"), "ko": _("Korean")}
        titles = [_("English"), *(names[language] for language in order)]
        head = nodes.row("", *(nodes.entry("", words_of(title)) for title in titles))
        group = nodes.tgroup(cols=len(titles))
        group += [nodes.colspec(colwidth=1) for _title in titles]
        group += nodes.thead("", head)
        group += nodes.tbody("", *rows)
        table = nodes.table("", group, classes=["terms"])
        wrapped = nodes.container("", table, classes=["table-wrapper"])
        return nodes.container(
            "", nodes.rubric("", name, translatable=False), wrapped, classes=["letter"]
        )


def initial(term: Term) -> str:
    """The letter under which a term stands."""
    return term.key[0].upper()


def row(term: Term, order: Sequence[str]) -> nodes.row:
    """One term: its English key, and its word in each language."""
    cells = [("en", term.english), *((language, term.words[language]) for language in order)]
    entries = (entry(words, language) for language, words in cells)
    return nodes.row("", *entries, ids=[term.anchor], names=[term.anchor])


def entry(words: Words, language: str) -> nodes.entry:
    """One language's word, and below it what else a reader may search for."""
    spoken = f"language-{language}"  # docutils makes it the attribute `lang`
    cell = nodes.entry("", words_of(words.preferred, classes=[spoken]))
    if words.variants:
        before, after = _("also searched as: %s").split("%s")
        variants = words_of(", ".join(words.variants), classes=[spoken])
        said = (words_of(before), variants, words_of(after))
        cell += nodes.container("", *said, classes=["variants"])
    return cell


def words_of(text: str, classes: Sequence[str] = ()) -> nodes.inline:
    """Say something that goes through no page's catalogue: Sphinx translates paragraphs."""
    return nodes.inline("", text, classes=[*classes])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_directive("terms", Terms)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
