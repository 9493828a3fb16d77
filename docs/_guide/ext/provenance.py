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
    metadata = sorted(builder.env.metadata.items())
    runs = {page: values["run"] for page, values in metadata if "run" in values}
    columns = {"seconds": _("Seconds"), "cpu_seconds": _("CPU seconds")}
    columns |= {"compilations": _("Compilations"), "cells": _("Cells")}
    shared = []  # what is the same for all pages needs no column
    for name, title in {"date": _("Date"), "jax": "JAX", "device": _("Device")}.items():
        values = {str(run[name]) for run in runs.values()}
        if len(values) == 1:
            shared.append(f"{title} {values.pop()}")
        else:
            columns[name] = title
    rows, not_held = [], nodes.bullet_list()
    for page, run in runs.items():
        title = builder.env.titles[page].astext()
        url = builder.get_relative_uri(docname, page)
        link = nodes.reference("", title, refuri=url, internal=True)
        rows.append(row([link, *(str(run[name]) for name in columns)]))
        for assertion in run[NOT_HELD].values():
            text = _("did not hold on this machine: %s") % assertion
            not_held += nodes.list_item("", nodes.paragraph("", f"{title}: {text}"))
    status = table(row([_("Page"), *columns.values()]), rows, "page-status")
    everything = nodes.container("", nodes.paragraph("", " · ".join(shared)), status)
    if not_held.children:
        everything += not_held
    return everything


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    add_placeholder(app, "page-status", page_status)
    add_placeholder(app, "proof", proof)
