"""What ran the pages: in each page's footer, on the status page, and summed up on the home page."""

from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective

from docs._guide.ext.outputs import run_of
from docs._guide.ext.tables import row, table

SHOW_ALL_RUNS = ("index", "reference/status")


class page_status(nodes.General, nodes.Element):
    """Placeholder of the table, which is made once all pages have been read."""


class PageStatus(SphinxDirective):
    """`{page-status}`: all executed pages with their seconds, cells, date, JAX and device."""

    def run(self) -> list[nodes.Node]:
        """Return the placeholder."""
        return [page_status("")]


class proof(nodes.General, nodes.Element):
    """Placeholder of the sentence that sums up all pages."""


class Proof(SphinxDirective):
    """`{proof}`: how many pages and assertions ran, when, and with which JAX."""

    def run(self) -> list[nodes.Node]:
        """Return the placeholder."""
        return [proof("")]


def fill_placeholders(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replace the placeholders by the table and the sentence."""
    for placeholder in list(doctree.findall(page_status)):
        placeholder.replace_self(status_table(app.builder, docname))
    for sentence in list(doctree.findall(proof)):
        sentence.replace_self(nodes.paragraph("", summary(app.builder), classes=["proof"]))


def summary(builder: Builder) -> str:
    """One sentence on all pages."""
    runs = {page: run for page in builder.env.found_docs if (run := run_of(builder.env, page))}
    latest = max(runs.values(), key=lambda run: str(run["date"]))
    return _(
        "%(pages)d pages with %(cells)d cells were run for this site, the last on %(date)s with "
        "JAX %(jax)s, and %(assertions)d assertions checked what the text says about their results."
    ) % {
        "pages": len(runs),
        "cells": sum(run["cells"] for run in runs.values()),
        "assertions": sum(run["assertions"] for run in runs.values()),
        "date": latest["date"],
        "jax": latest["jax"],
    }


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
    """Write the pages in every build that show the runs of all others."""
    return [page for page in SHOW_ALL_RUNS if page in env.found_docs]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_node(page_status)
    app.add_node(proof)
    app.add_directive("page-status", PageStatus)
    app.add_directive("proof", Proof)
    app.connect("doctree-resolved", fill_placeholders)
    app.connect("html-page-context", add_run)
    app.connect("env-updated", always_outdated)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
