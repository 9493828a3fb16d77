"""Claims of older articles, each beside what this build measured: `{claim}`, `{claim-counts}`.

A cell that measures a claim says so in its tags: `claim-NAME`, and one verdict. The verdict stands
beside the `assert` that makes it true, so when it stops being true the page fails. The page of the
claims only says what was claimed; verdict, figure and link come from that cell. What does not fit
together is a warning, and so fails the build.

Upstream there is nothing of the kind: MyST-NB's `glue` hands single values to other pages, but
without the output of a cell, a link to the cell, or a look at whether anything asserts the value.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from docutils import nodes
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from docs._make.page import CLAIM, VERDICTS

LINES = 8  # of an output: a claim must stay readable on a telephone
ASSERTS = re.compile(r"^\s*(assert\b|[\w.]*\bassert_\w+\()", re.MULTILINE)
logger = logging.getLogger(__name__)


class Measurement(NamedTuple):
    """What a cell's tags and outputs say."""

    page: str
    line: int
    name: str
    verdict: str
    figure: str


class Statement(NamedTuple):
    """Where a claim is stated."""

    page: str
    line: int
    name: str


class claim(nodes.General, nodes.Element):
    """A claim's words; what was measured joins them once every page has been read."""


class claim_counts(nodes.General, nodes.Element):
    """Where the number of claims for each verdict goes."""


class Claim(SphinxDirective):
    """`{claim} NAME`: says in its own words what an article claimed."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Take the words in; they are translated as any others."""
        name = self.arguments[0]
        statements(self.env).setdefault(self.env.docname, []).append(
            Statement(self.env.docname, self.lineno, name)
        )
        return [claim("", *self.parse_content_to_nodes(), ids=[CLAIM + name], name=name)]


class ClaimCounts(SphinxDirective):
    """`{claim-counts}`: how many claims have each verdict."""

    def run(self) -> list[nodes.Node]:
        """Leave a mark; the claims are counted when every page is known."""
        return [claim_counts("")]


def statements(env: BuildEnvironment) -> dict[str, list[Statement]]:
    """The claims of each page that states some, kept with Sphinx's environment between builds."""
    found: dict[str, list[Statement]] = env.__dict__.setdefault("claims_stated", {})
    return found


def measurements(env: BuildEnvironment) -> dict[str, list[Measurement]]:
    """What the cells of each page measured, kept likewise."""
    found: dict[str, list[Measurement]] = env.__dict__.setdefault("claims_measured", {})
    return found


def forget(app: Sphinx, env: BuildEnvironment, docname: str) -> None:
    """Forget a page that is gone or about to be read again."""
    statements(env).pop(docname, None)
    measurements(env).pop(docname, None)


def gather(app: Sphinx, docname: str, source: list[str]) -> None:
    """Read the tagged cells of a page, after stored_outputs made it a notebook with outputs."""
    if not source[0].startswith("{"):
        return
    notebook = NotebookNode(json.loads(source[0]))
    lines = notebook.metadata["source_map"]
    found = [
        measurement
        for cell, line in zip(notebook.cells, lines, strict=True)
        for measurement in read_cell(docname, line + 1, cell)
    ]
    if found:
        measurements(app.env)[docname] = found


def read_cell(page: str, line: int, cell: dict[str, Any]) -> Iterator[Measurement]:
    """Read what a cell measured, and warn of what it lacks."""
    tags = cell["metadata"].get("tags", [])
    names = [tag.removeprefix(CLAIM) for tag in tags if tag.startswith(CLAIM)]
    verdicts = [tag for tag in tags if tag in VERDICTS]
    if not names and not verdicts:
        return
    figure = printed(cell)
    told = " ".join(CLAIM + name for name in names) or verdicts[0]
    if not names:
        warn(page, line, f"the cell tagged {told} has a verdict, but no tag {CLAIM}NAME")
    if len(verdicts) != 1:
        warn(page, line, f"the cell tagged {told} needs one verdict of {', '.join(VERDICTS)}")
    if "raises-exception" not in tags and not ASSERTS.search(cell["source"]):
        warn(page, line, f"the cell tagged {told} asserts nothing")
    if not figure:
        warn(page, line, f"the cell tagged {told} prints nothing")
    for name in names:
        yield Measurement(page, line, name, verdicts[0] if verdicts else VERDICTS[0], figure)


def printed(cell: dict[str, Any]) -> str:
    """Join what a cell printed, or the first line of the error that it is meant to raise.

    >>> printed({"outputs": [{"output_type": "stream", "name": "stdout", "text": "4\\n"}]})
    '4'
    """
    parts = []
    for output in cell["outputs"]:
        if output.get("name") == "stdout":
            parts.append(output["text"])
        elif output["output_type"] == "error":
            parts.append(f"{output['ename']}: {output['evalue'].splitlines()[0]}")
    lines = "".join(parts).strip("\n").split("\n")
    return "\n".join(lines if len(lines) <= LINES else [*lines[: LINES - 1], "…"])


def check(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each claim that is not measured once, and of each measurement without a claim."""
    stated = [each for page in statements(env).values() for each in page]
    measured = [each for page in measurements(env).values() for each in page]
    times_stated = Counter(each.name for each in stated)
    times_measured = Counter(each.name for each in measured)
    for statement in stated:
        if not times_measured[statement.name]:
            warn(*statement[:2], f"no cell is tagged {CLAIM}{statement.name}")
        if times_stated[statement.name] > 1:
            warn(*statement[:2], f"the claim {statement.name} is stated more than once")
    for measurement in measured:
        if not times_stated[measurement.name]:
            warn(*measurement[:2], f"no page states the claim {measurement.name} of this cell")
        if times_measured[measurement.name] > 1:
            warn(*measurement[:2], f"another cell is tagged {CLAIM}{measurement.name} too")


def warn(page: str, line: int, what: str) -> None:
    """Say what does not fit together; a warning fails the build."""
    logger.warning(what, location=(page, line), type="claims")


def name_cells(app: Sphinx, doctree: nodes.document) -> None:
    """Give each tagged cell the address that its claim links to."""
    for cell in doctree.findall(nodes.container):
        metadata: dict[str, Any] = cell.get("cell_metadata", {})
        tags = metadata.get("tags", [])
        cell["ids"] += [tag for tag in tags if tag.startswith(CLAIM)]


def pages_of_claims(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """Claims show figures and titles of other pages: write them again when one changed."""
    measured = measurements(env)
    facts = measured, {page: env.titles[page].astext() for page in measured}
    shown, now = env.__dict__.get("claims_shown"), repr(facts)
    env.__dict__["claims_shown"] = now
    return [*statements(env)] if now != shown else []


def draw(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Add to each claim its verdict, its figure and the way to its cell; and count them."""
    found = {each.name: each for page in measurements(app.env).values() for each in page}
    for mark in list(doctree.findall(claim)):
        measurement = found.get(mark["name"])
        if measurement is None:  # check has warned
            mark.replace_self(mark.children)
            continue
        verdict, *measured = measured_parts(app.builder, docname, measurement)
        classes = ["claim", measurement.verdict]
        row = nodes.container("", verdict, *mark.children, *measured, classes=classes)
        row["ids"] = mark["ids"]
        mark.replace_self(row)
    for counts in list(doctree.findall(claim_counts)):
        times = Counter(
            found[each.name].verdict
            for page in statements(app.env).values()
            for each in page
            if each.name in found
        )
        items = [nodes.list_item("", verdict_of(each, f" {times[each]}")) for each in VERDICTS]
        counts.replace_self(nodes.bullet_list("", *items, classes=["claim-counts"]))


def measured_parts(builder: Builder, docname: str, measurement: Measurement) -> list[nodes.Node]:
    """Draw the verdict, the figure and the link to the cell."""
    page = measurement.page
    address = f"{builder.get_relative_uri(docname, page)}#{CLAIM}{measurement.name}"
    title = builder.env.titles[page].astext()
    link = nodes.reference("", title, refuri=address, internal=True)
    before, after = _("The cell that measured it: %s").split("%s")
    return [
        nodes.paragraph("", "", verdict_of(measurement.verdict)),
        nodes.literal_block(measurement.figure, measurement.figure, language="none"),
        nodes.paragraph("", before, link, nodes.Text(after), classes=["measured"]),
    ]


def verdict_of(verdict: str, more: str = "") -> nodes.inline:
    """Say a verdict in the reader's language."""
    words = {
        "holds": _("Holds"),
        "holds-if": _("Holds with a condition"),
        "no-longer": _("No longer holds"),
        "never-did": _("Never held"),
    }
    return nodes.inline("", f"{words[verdict]}{more}", classes=["verdict", verdict])


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_node(claim)
    app.add_node(claim_counts)
    app.add_directive("claim", Claim)
    app.add_directive("claim-counts", ClaimCounts)
    app.connect("env-purge-doc", forget)
    app.connect("source-read", gather, priority=600)  # after stored_outputs, at 500
    app.connect("doctree-read", name_cells)
    app.connect("env-updated", pages_of_claims)
    app.connect("env-check-consistency", check)
    app.connect("doctree-resolved", draw)
    return {"parallel_read_safe": False, "parallel_write_safe": True}
