"""Link a term to the glossary where a page first uses it, with what it means.

The terms are those of locale/meanings.csv, in the words of locale/terms.csv. An author marks
nothing; `previews: none` in the front matter of a page leaves them out. preview.js shows the
meaning on hover, focus and touch; without it the link remains.
"""

import csv
import re
from collections.abc import Iterator
from functools import cache

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator

from docs._guide.options import LOCALE
from docs._guide.po import termbase
from docs._guide.po.termbase import Term

GLOSSARY = "reference/glossary"
MEANINGS = LOCALE / "meanings.csv"
# Where a link would be in the way, or text is not prose.
EXCLUDED = (nodes.reference, nodes.title, nodes.literal, nodes.caption, nodes.table, nodes.label)

# What may follow a short Korean noun: 축이, but not 축소.
KOREAN_END = "(?=[은는이가을를의에로와과도만인입하되할될한된합됩해돼]|[^가-힣]|$)"
AMBIGUOUS = {"leaves", "変換", "변환"}  # often another word, such as the verb


class term_link(nodes.Inline, nodes.TextElement):
    """A word with the address of its row in the glossary, its English name and its meaning."""


class LinkTerms(SphinxPostTransform):
    """Link the first use of each term in the paragraphs of a page."""

    default_priority = 900
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Go through the page's text once."""
        page = self.env.current_document.docname
        without = self.env.metadata[page].get("previews") == "none"
        if without or GLOSSARY not in self.env.found_docs:
            return
        linked: set[str] = set()
        for text in list(prose(self.document)):
            text.parent.replace(text, split(str(text), self.config.language, linked))
        glossary = self.app.builder.get_relative_uri(page, GLOSSARY)
        for link in self.document.findall(term_link):
            link["refuri"] = f"{glossary}#{link['anchor']}"


def prose(document: nodes.document) -> Iterator[nodes.Text]:
    """Yield the texts of paragraphs that are not inside anything excluded."""
    parts = document.findall(lambda node: isinstance(node, EXCLUDED))
    excluded = {id(text) for part in parts for text in part.findall(nodes.Text)}
    for paragraph in document.findall(nodes.paragraph):
        yield from (text for text in paragraph.findall(nodes.Text) if id(text) not in excluded)


def split(text: str, language: str, linked: set[str]) -> list[nodes.Node]:
    """Cut a text before and after each term that is not linked yet, and add it to `linked`."""
    parts: list[nodes.Node] = []
    end = 0
    for match in pattern(language).finditer(text):
        term = by_form(language)[termbase.plain(match[1])]
        meaning = meanings(language).get(term.key)
        if meaning is None or match[0] in AMBIGUOUS or term.key in linked:
            continue
        linked.add(term.key)
        names = "" if language == "en" else term.key
        link = term_link("", match[0], anchor=term.anchor, names_shown=names, meaning=meaning)
        parts += [nodes.Text(text[end : match.start()]), link]
        end = match.end()
    return [*parts, nodes.Text(text[end:])]


@cache
def pattern(language: str) -> re.Pattern[str]:
    """Match every term of the term base, the longest first, so that none is found inside it."""
    if language == "en":
        return termbase.pattern(*termbase.load())
    forms = sorted(by_form(language), key=len, reverse=True)
    return re.compile(f"({'|'.join(map(word, forms)) or '(?!)'})")  # else no text matches


def word(form: str) -> str:
    """Return a pattern for a word that is not a part of a longer one in its script.

    >>> [bool(re.search(word("메시"), text)) for text in ("메시의 장치", "메시지")]
    [True, False]
    """
    pattern = termbase.bounded(form).replace(r"\ ", r"[\s-]")
    if re.match("[一-龠]", form):
        pattern = f"(?<![一-龠]){pattern}"
    if re.search("[一-龠]$", form):
        pattern = f"{pattern}(?![一-龠])"
    if re.fullmatch("[가-힣]{1,2}", form):
        pattern += KOREAN_END
    # Ignoring the case of every word would take a second to compile.
    return f"(?i:{pattern})" if re.search("[a-z]", form) else pattern


@cache
def by_form(language: str) -> dict[str, Term]:
    """The terms by the forms that a page may use; none where the language has no terms."""
    return {
        termbase.plain(form): term
        for term in termbase.load()
        if language in term.words
        for form in term.words[language].approved
    }


@cache
def meanings(language: str) -> dict[str, str]:
    """What the terms mean, by their English keys; nothing where the language has no meanings."""
    with MEANINGS.open(encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        return {row["term"]: row[language].replace("`", "") for row in rows if language in row}


def visit_term_link(translator: HTML5Translator, node: term_link) -> None:
    """Write the link, with its data for preview.js."""
    data = {"data-names": node["names_shown"], "data-meaning": node["meaning"]}
    attributes = {name: value for name, value in data.items() if value}
    tag = translator.starttag(node, "a", "", CLASS="term", href=node["refuri"], **attributes)
    translator.body.append(tag)


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_node(term_link, html=(visit_term_link, HTML5Translator.depart_reference))
    app.add_post_transform(LinkTerms)
