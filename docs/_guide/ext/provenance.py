"""What ran the pages: in each page's footer, and for all pages on the status page."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective

from docs._guide.ext.outputs import run_of
from docs._guide.ext.tables import row, table

STATUS_PAGE = "reference/status"


class page_status(nodes.General, nodes.Element):
    """Placeholder of the table, which is made once all pages have been read."""


class PageStatus(SphinxDirective):
    """`{page-status}`: all executed pages with their seconds, cells, date, JAX and device."""

    def run(self) -> list[nodes.Node]:
        """Return the placeholder."""
        return [page_status("")]


def insert_table(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replace the placeholder by the table."""
    for placeholder in list(doctree.findall(page_status)):
        placeholder.replace_self(status_table(app.builder, docname))


def status_table(builder: Builder, docname: str) -> nodes.container:
    """The table, with links that start at the page `docname`."""
    titles = [_("Page"), _("Seconds"), _("Cells"), _("Date"), "JAX", _("Device")]
    rows = []
    for page in sorted(builder.env.found_docs):
        if run := run_of(builder.env, page):
            title = builder.env.titles[page].astext()
            url = builder.get_relative_uri(docname, page)
            link = nodes.reference("", title, refuri=url, internal=True)
            values = (run["seconds"], run["cells"], run["date"], run["jax"], device(run))
            rows.append(row([link, *map(str, values)]))
    return table(row(titles), rows, "page-status")


def device(run: dict[str, Any]) -> str:
    """The device and how many of it there were."""
    return f"{run['device']} × {run['devices']}"


def add_run(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document
) -> None:
    """Add the page's run to the template's context; None for a page without cells."""
    run = run_of(app.env, pagename)
    context["run"] = run and run | {"device": device(run)}


def always_outdated(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Write the status page in every build, since it shows the runs of all others."""
    return [STATUS_PAGE] if STATUS_PAGE in env.found_docs else []


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_node(page_status)
    app.add_directive("page-status", PageStatus)
    app.connect("doctree-resolved", insert_table)
    app.connect("html-page-context", add_run)
    app.connect("env-updated", always_outdated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
