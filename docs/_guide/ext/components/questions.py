"""`{question}`: multiple choice with an immediate answer, and a reason for each choice.

    :::{question}
    What does the second call of `f` do?

    - (x) It runs the compiled program.

      Shapes and dtypes are those of the first call.
    - ( ) It traces the function again.

      Only another shape, dtype or static argument does that.
    :::

Each choice is a `<details>`: every browser opens it by mouse, touch and keyboard, and a screen
reader announces it, without a script. No extension on PyPI is translated through catalogs.
"""

import re
from html import escape

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator

from docs._guide.ext.components.exercises import close_details

MARK = re.compile(r"\((x| )\) +")


class question(nodes.General, nodes.Element):
    """The words of a question, and its choices."""


class choice(nodes.General, nodes.Element):
    """A label, and the paragraphs of its reason; `right` is true of the right choice."""


class choice_label(nodes.Part, nodes.TextElement):
    """The words of a choice."""


class Question(SphinxDirective):
    """`{question}`: paragraphs, then a list of choices, each with its reason below it."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the question."""
        *words, choices = self.parse_content_to_nodes()
        if not isinstance(choices, nodes.bullet_list):
            raise self.error("a question ends with a list of its choices")
        result = question("", *words, *map(self.choice, choices.children))
        if sum(node["right"] for node in result.findall(choice)) != 1:
            raise self.error("mark one choice as right, with (x), and the others with ( )")
        return [result]

    def choice(self, item: nodes.Node) -> choice:
        """Convert an item of the list."""
        first, *reason = item.children
        mark = MARK.match(first.astext())
        if not (isinstance(first, nodes.paragraph) and mark and reason):
            raise self.error("a choice begins with (x) or ( ), and has its reason below it")
        text, *others = first.children
        rest = nodes.Text(text.astext()[mark.end() :])
        label = choice_label(first.rawsource[mark.end() :], "", rest, *others)
        label.source, label.line = first.source, first.line
        return choice("", label, *reason, right=mark[1] == "x")


def verdict(node: nodes.Element) -> str:
    """The answer to a choice, in the page's language."""
    return _("Right.") if node["right"] else _("Not quite.")


def visit_question(translator: HTML5Translator, node: question) -> None:
    """Open the box of a question."""
    label = escape(_("Question"))
    translator.body.append(f'<div class="question" role="group" aria-label="{label}">\n')


def visit_choice(translator: HTML5Translator, node: choice) -> None:
    """Open a choice, which is folded."""
    translator.body.append(f'<details class="choice {"right" if node["right"] else "wrong"}">\n')


def visit_choice_label(translator: HTML5Translator, node: choice_label) -> None:
    """Write the words that are always visible."""
    translator.body.append(translator.starttag(node, "summary", ""))


def depart_choice_label(translator: HTML5Translator, node: choice_label) -> None:
    """Write the answer, which begins what opens."""
    translator.body.append("</summary>\n")
    translator.body.append(f'<p class="answer">{verdict(node.parent)}</p>\n')


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_directive("question", Question)
    app.add_node(question, html=(visit_question, HTML5Translator.depart_compound))
    app.add_node(choice, html=(visit_choice, close_details))
    app.add_node(choice_label, html=(visit_choice_label, depart_choice_label))
