"""Say what ran the pages: at each page's foot, and for all of them on the status page."""

import copy
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective

from docs._ext.stored_outputs import run_facts

STATUS = "reference/status"  # the page that shows facts of others


class page_status(nodes.General, nodes.Element):
    """Where the table of all pages goes, once all have been read."""


class PageStatus(SphinxDirective):
    """`{page-status}`: every page with its cells, its seconds and what ran it."""

    def run(self) -> list[nodes.Node]:
        """Leave a mark; the table is drawn when every page is known."""
        return [page_status("")]


def draw_status(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replace the marks by the table."""
    for mark in list(doctree.findall(page_status)):
        mark.replace_self(status_table(app.builder, docname))


def status_table(builder: Builder, docname: str) -> nodes.Element:
    """One row a page: its title, cells, seconds, device and date."""
    env = builder.env
    titles = [_("Page"), _("Seconds"), _("Cells"), _("Date"), "JAX", _("Device")]
    table = nodes.table(classes=["page-status"])
    group = nodes.tgroup(cols=len(titles))
    group += [nodes.colspec(colwidth=1) for _title in titles]
    group += nodes.thead("", row([nodes.Text(title) for title in titles]))
    body = nodes.tbody()
    for page, facts in sorted(run_facts(env).items()):
        link = nodes.reference(
            "",
            env.titles[page].astext(),
            refuri=builder.get_relative_uri(docname, page),
            internal=True,
        )
        values = [facts["seconds"], facts["cells"], facts["date"], facts["jax"], device(facts)]
        body += row([link, *(nodes.Text(str(value)) for value in values)])
    group += body
    table += group
    return nodes.container("", table, classes=["table-wrapper"])


def row(cells: list[nodes.Node]) -> nodes.row:
    """One row of a table."""
    return nodes.row("", *(nodes.entry("", nodes.paragraph("", "", cell)) for cell in cells))


def device(facts: dict[str, Any]) -> str:
    """Name the device and how many of it there were."""
    return f"{facts['device']} × {facts['devices']}"


def add_foot(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Give the page's template what ran the page; pages without cells have no such foot."""
    facts = run_facts(app.env).get(pagename)
    context["run"] = facts and facts | {"device": device(facts)}


def status_pages(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """The status page shows facts of other pages: write it again when one of them ran again."""
    shown, facts = env.__dict__.get("facts_shown"), run_facts(env)
    env.__dict__["facts_shown"] = copy.deepcopy(facts)
    return [STATUS] if facts != shown and STATUS in env.found_docs else []


def leave_out(translator: nodes.NodeVisitor, node: nodes.Element) -> None:
    """The mark itself shows nothing, where no table is drawn (gettext)."""
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_node(page_status, html=(leave_out, None), gettext=(leave_out, None))
    app.add_directive("page-status", PageStatus)
    app.connect("doctree-resolved", draw_status)
    app.connect("html-page-context", add_foot)
    app.connect("env-updated", status_pages)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
