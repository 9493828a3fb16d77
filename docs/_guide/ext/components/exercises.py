"""`{exercise}` and `{answer}`: exercises that are numbered on each page, with folded answers.

    :::{exercise}
    Call `f` with three arguments. Which of them are unused now?
    :::

    :::{answer}
    Every argument is traced, so only the first one is.
    :::

    ```{code-cell} ipython3
    :tags: [hide-cell]
    unused_inputs(f, 1.0, 2.0, 3.0)
    ```

An answer begins with its explanation; the cells below it that are tagged `hide-cell` belong to it.
sphinx-exercise folds answers with a script.
"""

from itertools import takewhile
from typing import TypeGuard

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.locale import _
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util.docutils import SphinxDirective
from sphinx.writers.html5 import HTML5Translator


class exercise(nodes.General, nodes.Element):
    """What to do; `number` counts from 1 on each page."""


class answer(nodes.General, nodes.Element):
    """The explanation, and in HTML the cells that belong to it."""


class Box(SphinxDirective):
    """`{exercise}`: what the reader should do, or `{answer}`: the explanation that answers it."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """Return the exercise with its number and an id that links can lead to, or the answer."""
        self.assert_has_content()
        content = self.parse_content_to_nodes()
        if self.name == "answer":
            return [answer("", *content)]
        number = self.env.new_serialno("exercise") + 1
        return [exercise("", *content, number=number, ids=[f"exercise-{number}"])]


class GatherCells(SphinxPostTransform):
    """Move the hidden cells below an answer into it."""

    default_priority = 150  # before MyST-NB folds hidden cells, at 199
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Take each cell that follows, until one that is not hidden."""
        for node in list(self.document.findall(answer)):
            siblings = node.parent.children
            for cell in list(takewhile(is_hidden, siblings[siblings.index(node) + 1 :])):
                node.parent.remove(cell)
                node += cell
                cell["hide_mode"] = ""


def is_hidden(node: nodes.Node) -> TypeGuard[nodes.container]:
    """Whether a node is a cell with the tag `hide-cell`."""
    return isinstance(node, nodes.container) and node.get("hide_mode") == "all"


def title(node: exercise) -> str:
    """The heading of an exercise, in the page's language."""
    return str(_("Exercise %d") % node["number"])


def visit_exercise(translator: HTML5Translator, node: exercise) -> None:
    """Open the exercise, with its number."""
    translator.body.append(translator.starttag(node, "div", CLASS="exercise"))
    translator.body.append(f'<p class="exercise-title">{title(node)}</p>\n')


def visit_answer(translator: HTML5Translator, node: answer) -> None:
    """Open the answer, which is folded."""
    translator.body.append(f'<details class="answer"><summary>{_("Answer")}</summary>\n')


def close_details(translator: HTML5Translator, node: nodes.Element) -> None:
    """Close what is folded."""
    translator.body.append("</details>\n")


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_directive("exercise", Box)
    app.add_directive("answer", Box)
    app.add_node(exercise, html=(visit_exercise, HTML5Translator.depart_compound))
    app.add_node(answer, html=(visit_answer, close_details))
    app.add_post_transform(GatherCells)
