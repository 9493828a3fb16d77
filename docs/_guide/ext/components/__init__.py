"""What a page is made of besides prose, cells and figures.

In: directives and cell options that authors write. Out: docutils nodes that need no script, and
that `docs._guide.ext.notebooks` writes as Markdown.

questions.py: multiple choice. exercises.py: numbered exercises with folded answers. tabs.py: the
same step in NumPy, PyTorch and JAX. folding.py: the checks of a cell, folded. previews.py: the
meaning of a term where it is first used.
"""

from sphinx.application import Sphinx

from docs._guide.ext.components import exercises, folding, previews, questions, tabs


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    for component in (exercises, folding, previews, questions, tabs):
        component.setup(app)
