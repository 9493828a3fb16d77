"""Show consecutive cells as tabs: the same step in NumPy, PyTorch and JAX.

    ```{code-cell} ipython3
    ---
    tab: PyTorch
    needs: torch
    ---
    ...
    ```

So are consecutive `{code-block}`s that have a caption, which is the label.

Each tab is a radio button, so that the keyboard and screen readers can use it without a script;
tabs.js keeps the tabs of a page in step and stores the choice. The tabs of sphinx-design and
sphinx-inline-tabs are made by directives, which cannot hold cells.
"""

from itertools import groupby
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.writers.html5 import HTML5Translator


class tab_set(nodes.General, nodes.Element):
    """Tabs of which one is shown, or all as `lines`; `name` is unique on the page."""


class tab(nodes.General, nodes.Element):
    """A cell, with its `label`; or, in devices.py, what it printed on an `other` device.

    Tabs with the same `value`, which is the label unless it is given, are chosen together.
    """


class CollectTabs(SphinxPostTransform):
    """Put consecutive cells that have the option `tab`, or captions, into one set."""

    default_priority = 150
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Replace the cells of each section."""
        number = 0
        for section in list(self.document.findall(nodes.section)):
            children: list[nodes.Node] = []
            for has_label, group in groupby(
                section.children, key=lambda node: bool(tab_label(node))
            ):
                if has_label:
                    number += 1
                    tabs = [as_tab(node) for node in group]
                    children.append(tab_set("", *tabs, name=f"tabs-{number}"))
                else:
                    children += group
            section.children = []
            section += children


def as_tab(node: nodes.Node) -> tab:
    """Return the tab of a cell, or of a block whose caption, with its classes, is the label."""
    if isinstance(node, nodes.Element) and is_captioned(node):
        caption, block = node.children
        assert isinstance(caption, nodes.Element)
        return tab("", block, label=caption.astext(), classes=caption["classes"])
    return tab("", node, label=tab_label(node))


def tab_label(node: nodes.Node) -> str:
    """The label of a cell or a captioned block; empty for what is not shown as a tab."""
    if not isinstance(node, nodes.container):
        return ""
    if is_captioned(node):
        return node[0].astext()
    options: dict[str, Any] = node.get("cell_metadata", {})
    return str(options.get("tab", ""))


def is_captioned(node: nodes.Element) -> bool:
    """Whether a node is a block of code with its caption."""
    return "literal-block-wrapper" in node["classes"]


def visit_tab_set(translator: HTML5Translator, node: tab_set) -> None:
    """Open the set."""
    kind = "tab-lines" if node.get("lines") else "tab-set"
    translator.body.append(f'<div class="{kind}">\n')


def visit_tab(translator: HTML5Translator, node: tab) -> None:
    """Write the button or the label, and open what it shows."""
    name, text = node.parent["name"], translator.encode(node["label"])
    number = node.parent.index(node)
    checked = " checked" if number == 0 else ""
    other = " other-device" if node.get("other") else ""
    # The search finds a page's own outputs, and no page by the name of a device.
    ignored = " data-pagefind-ignore" if other else ""
    value = translator.encode(node.get("value", node["label"]))
    if node.parent.get("lines"):
        head = f'<span class="tab-label{other}"{ignored}>{text}</span>'
    else:
        classes = f' class="{" ".join(node["classes"])}"' if node["classes"] else ""
        head = (
            f'<input type="radio" name="{name}" id="{name}-{number}" value="{value}"{checked}>'
            f'<label for="{name}-{number}"{classes}{ignored}>{text}</label>'
        )
    translator.body.append(f'{head}<div class="tab{other}"{ignored}>\n')


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_node(tab_set, html=(visit_tab_set, HTML5Translator.depart_compound))
    app.add_node(tab, html=(visit_tab, HTML5Translator.depart_compound))
    app.add_post_transform(CollectTabs)
