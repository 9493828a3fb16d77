"""How components end in HTML: what was opened is closed."""

from docutils import nodes
from sphinx.writers.html5 import HTML5Translator


def close_div(translator: HTML5Translator, node: nodes.Element) -> None:
    """Close a `<div>`."""
    translator.body.append("</div>\n")


def close_details(translator: HTML5Translator, node: nodes.Element) -> None:
    """Close a `<details>`, which is folded."""
    translator.body.append("</details>\n")
