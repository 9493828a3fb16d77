"""Figures as part of the page, with their labels translated through the page's catalog.

MyST-NB shows a figure as an image, whose labels stay as they were drawn. Here each label of an SVG
becomes a message of the page's catalog, so that no cell runs again for another language, and HTML
pages get the figure as inline SVG. In: the SVG files of executed cells. Out: `inline_svg` nodes,
which `docs._guide.ext.notebooks` reads too.

nodes.py: the Sphinx side. svg.py: rewrites Matplotlib's SVG. labels.py: which texts are labels, and
their translation. palette.py: colors.
"""

from sphinx.application import Sphinx

from docs._guide.ext.figures.nodes import DrawFigures, ExtractLabels, inline_svg, visit_inline_svg


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_node(inline_svg, html=(visit_inline_svg, None))
    app.add_transform(ExtractLabels)
    app.add_post_transform(DrawFigures)
