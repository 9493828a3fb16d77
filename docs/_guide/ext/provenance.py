"""What ran the pages: on the status page, and summed up on the home page."""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.locale import _

from docs._guide.execute.cache import NOT_HELD
from docs._guide.ext.generated import add_placeholder, row, table


def proof(builder: Builder, docname: str) -> nodes.paragraph:
    """`{proof}`: one sentence on how many pages and assertions ran, when, and with which JAX."""
    runs = [values["run"] for values in builder.env.metadata.values() if "run" in values]
    latest = max(runs, key=lambda run: str(run["date"]))
    text = _(
        "%(pages)d pages with %(cells)d cells were run for this site, the last on %(date)s with "
        "JAX %(jax)s, and %(assertions)d assertions checked what the text says about their results."
    ) % {
        "pages": len(runs),
        "cells": sum(run["cells"] for run in runs),
        "assertions": sum(run["assertions"] for run in runs),
        "date": latest["date"],
        "jax": latest["jax"],
    }
    return nodes.paragraph("", text, classes=["proof"])


def page_status(builder: Builder, docname: str) -> nodes.container:
    """`{page-status}`: all executed pages with what they cost, their date, JAX and device.

    Below are the assertions on measurements that did not hold on the machine of the build.
    """
    titles = [_("Page"), _("Seconds"), _("CPU seconds"), _("Compilations"), _("Cells")]
    titles += [_("Date"), "JAX", _("Device")]
    names = ("seconds", "cpu_seconds", "compilations", "cells", "date", "jax", "device")
    rows, not_held = [], nodes.bullet_list()
    for page in sorted(builder.env.found_docs):
        if run := builder.env.metadata[page].get("run"):
            title = builder.env.titles[page].astext()
            url = builder.get_relative_uri(docname, page)
            link = nodes.reference("", title, refuri=url, internal=True)
            rows.append(row([link, *(str(run[name]) for name in names)]))
            for assertion in run[NOT_HELD].values():
                text = _("did not hold on this machine: %s") % assertion
                not_held += nodes.list_item("", nodes.paragraph("", f"{title}: {text}"))
    status = table(row(titles), rows, "page-status")
    return nodes.container("", status, not_held) if not_held.children else status


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    add_placeholder(app, "page-status", page_status)
    add_placeholder(app, "proof", proof)
