"""`{terms}`: tables of all terms in every language, letter by letter, from the term base."""

from collections.abc import Sequence
from itertools import groupby

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective

from docs._guide.ext.components.previews import meanings
from docs._guide.ext.generated import row, table
from docs._guide.po import termbase
from docs._guide.po.termbase import Term, Words


class Terms(SphinxDirective):
    """`{terms}`: one row a term, in the alphabetical order of the English keys."""

    def run(self) -> list[nodes.Node]:
        """Return a table for each letter, below links to them."""
        terms = [term for term in termbase.load() if term.in_glossary]
        terms.sort(key=lambda term: term.key.casefold())
        letters = groupby(terms, key=lambda term: term.key[0].upper())
        tables = {name: self.letter(name, list(group)) for name, group in letters}
        links = [nodes.reference("", name, refid=f"letter-{name}") for name in tables]
        bar = nodes.container("", nodes.inline("", "", *links), classes=["filter"])
        return [bar, *tables.values()]

    def letter(self, name: str, terms: Sequence[Term]) -> nodes.Node:
        """Return the terms that begin with a letter, under that letter."""
        # After the key the reader's own language.
        order = sorted(termbase.LANGUAGES, key=lambda language: language != self.config.language)
        names = self.config.languages | {"ja": _("Japanese"), "ko": _("Korean")}
        titles = [_("English"), *(names[language] for language in order)]
        rows = [term_row(term, order, self.config.language) for term in terms]
        for node in rows:
            self.state.document.note_explicit_target(node)  # pages may link to it
        terms_table = table(row(titles, nodes.inline), rows, "terms")
        title = nodes.rubric("", name, translatable=False)
        return nodes.container("", title, terms_table, classes=["letter"], ids=[f"letter-{name}"])


def term_row(term: Term, order: Sequence[str], reader: str) -> nodes.row:
    """A term's English key and its word in each language, with its meaning in the reader's."""
    entries = {language: entry(term.words[language], language) for language in ("en", *order)}
    if (meaning := meanings(reader).get(term.key)) and reader in entries:
        entries[reader] += nodes.container("", nodes.inline("", meaning), classes=["meaning"])
    return nodes.row("", *entries.values(), ids=[term.anchor], names=[term.anchor])


def entry(words: Words, language: str) -> nodes.entry:
    """A language's word, and hidden below it what else a reader may search for."""
    lang = [f"language-{language}"]  # docutils makes it the attribute `lang`
    cell = nodes.entry("", nodes.inline("", words.preferred, classes=lang))
    if words.variants:
        before, after = _("also searched as: %s").split("%s")
        variants = nodes.inline("", ", ".join(words.variants), classes=lang)
        line = (nodes.inline("", before), variants, nodes.inline("", after))
        cell += nodes.container("", *line, classes=["variants"])
    return cell


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_directive("terms", Terms)
