"""Claims of older articles, each beside what this build measured: `{claim}`, `{claim-counts}`.

A cell that measures a claim is tagged `claim-NAME` and with one verdict. It holds the `assert` that
the verdict stands for, so a verdict that is no longer true fails the build. Where the output itself
is the proof, such as an error that the cell must raise, the claim says with `:prints:` which words
must be in it. `holds-if` needs two such checks: a case in which the statement is so, and one in
which it is not.

A box has three parts: what the text says (the first paragraph, with the `:original:` below it where
the page is in another language), what was run (output and link, which come from the cell), and what
follows (the other paragraphs). Whatever does not match is a warning.

MyST-NB's `glue` inserts a value into another page, but no link to the cell, and does not require
that anything asserts the value.
"""

import html
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

from docutils import nodes
from docutils.parsers.rst import directives
from nbformat import NotebookNode
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.environment import BuildEnvironment
from sphinx.locale import _
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective
from sphinx.util.typing import OptionSpec

from docs._guide.execute.cache import NOT_HELD
from docs._guide.execute.page import CLAIM, VERDICTS, assertions
from docs._guide.ext.generated import add_placeholder, write_always

MAX_LINES = 8  # of an output: more would not fit a phone
HANGUL = re.compile(r"[\uac00-\ud7a3]")
logger = logging.getLogger(__name__)


class Statement(NamedTuple):
    """Where a claim is stated."""

    page: str
    line: int
    name: str
    prints: str


class Measurement(NamedTuple):
    """A cell that measures a claim, and what it printed."""

    page: str
    line: int
    name: str
    verdict: str
    output: str
    asserts: int


class Claim(SphinxDirective):
    """`{claim} NAME`, with what an article says as its content, and our answer below."""

    required_arguments = 1
    option_spec: ClassVar[OptionSpec] = {
        "prints": directives.unchanged_required,
        "original": directives.unchanged_required,
    }
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Save where the claim is stated, and return the box of its words."""
        write_always(self.env)  # a claim shows what other pages measured
        name = self.arguments[0]
        statements = self.env.metadata[self.env.docname].setdefault("statements", [])
        prints = self.options.get("prints", "")
        statements.append(Statement(self.env.docname, self.lineno, name, prints))
        box = nodes.container("", *self.parse_content_to_nodes(), classes=["claim"], claim=name)
        box["ids"].append(CLAIM + name)
        box["original"] = self.options.get("original", "")
        return [box]


def statements(env: BuildEnvironment) -> list[Statement]:
    """The claims of all pages."""
    return [item for values in env.metadata.values() for item in values.get("statements", [])]


def measurements(env: BuildEnvironment) -> list[Measurement]:
    """The measurements of all pages."""
    return [item for values in env.metadata.values() for item in values.get("measurements", [])]


def save_measurements(app: Sphinx, docname: str, source: list[str]) -> None:
    """Read the tagged cells of a page, from the notebook with its outputs."""
    if not source[0].startswith("{"):
        return
    notebook = NotebookNode(json.loads(source[0]))
    app.env.metadata[docname]["measurements"] = [
        measurement
        for cell, line in zip(notebook.cells, notebook.metadata["source_map"], strict=True)
        for measurement in read_cell(docname, line + 1, cell)
    ]


def read_cell(page: str, line: int, cell: dict[str, Any]) -> Iterator[Measurement]:
    """Yield what a cell measures, and warn of what its tags, code or output lack."""
    tags = cell["metadata"].get("tags", [])
    names = [tag.removeprefix(CLAIM) for tag in tags if tag.startswith(CLAIM)]
    verdicts = [tag for tag in tags if tag in VERDICTS]
    if not names and not verdicts:
        return
    output = printed(cell)
    subject = f"the cell tagged {' '.join(CLAIM + name for name in names) or verdicts[0]}"
    if not names:
        warn(page, line, f"{subject} has a verdict, but no tag {CLAIM}NAME")
    if len(verdicts) != 1:
        warn(page, line, f"{subject} needs one verdict of {', '.join(VERDICTS)}")
    if not output:
        warn(page, line, f"{subject} prints nothing")
    verdict = verdicts[0] if verdicts else VERDICTS[0]
    if NOT_HELD in cell["metadata"]:  # the output says so
        verdict = "not-tested"
    asserts = 0 if "raises-exception" in tags else assertions(cell["source"])
    for name in names:
        yield Measurement(page, line, name, verdict, output, asserts)


def printed(cell: dict[str, Any]) -> str:
    """Return what a cell printed, and the first line of an error that it is meant to raise."""
    parts = []
    for output in cell["outputs"]:
        if output.get("name") == "stdout":
            parts.append(output["text"])
        elif output["output_type"] == "error":
            message = (output["evalue"].splitlines() or [""])[0]
            parts.append(f"{output['ename']}: {message}")
    return "".join(parts).strip("\n")


def shortened(text: str) -> str:
    """Cut a long output, with a sign."""
    lines = text.split("\n")
    return "\n".join(lines if len(lines) <= MAX_LINES else [*lines[: MAX_LINES - 1], "…"])


def check_claims(app: Sphinx, env: BuildEnvironment) -> None:
    """Warn of each claim that is not measured exactly once, and of cells that prove nothing."""
    stated = {statement.name: statement for statement in statements(env)}
    times_stated = Counter(statement.name for statement in statements(env))
    measured = Counter(measurement.name for measurement in measurements(env))
    for page, line, name, _prints in statements(env):
        if not measured[name]:
            warn(page, line, f"no cell is tagged {CLAIM}{name}")
        if times_stated[name] > 1:
            warn(page, line, f"the claim {name} is stated more than once")
    for page, line, name, verdict, output, asserts in measurements(env):
        if measured[name] > 1:
            warn(page, line, f"another cell is tagged {CLAIM}{name} too")
        if name not in stated:
            warn(page, line, f"no page states the claim {name} of this cell")
        elif not (asserts or stated[name].prints):
            warn(page, line, f"the cell tagged {CLAIM}{name} asserts nothing")
        elif stated[name].prints not in output:
            warn(page, line, f"the cell tagged {CLAIM}{name} lacks: {stated[name].prints}")
        elif verdict == "holds-if" and asserts + bool(stated[name].prints) < 2:
            warn(page, line, f"the cell tagged {CLAIM}{name} checks one case: holds-if needs two")


def warn(page: str, line: int, message: str) -> None:
    """Log a warning, which fails the build."""
    logger.warning(message, location=(page, line), type="claims")


def add_anchors(app: Sphinx, doctree: nodes.document) -> None:
    """Give each tagged cell the anchor that its claim links to."""
    for cell in doctree.findall(nodes.container):
        metadata: dict[str, Any] = cell.get("cell_metadata", {})
        tags = metadata.get("tags", [])
        cell["ids"] += [tag for tag in tags if tag.startswith(CLAIM)]


def insert_measurements(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Add to each claim its verdict, the original words, the output and a link to the cell."""
    by_name = {measurement.name: measurement for measurement in measurements(app.env)}
    before, after = _("The cell that measured it: %s").split("%s")
    for box in doctree.findall(nodes.container):
        if (measurement := by_name.get(box.get("claim"))) is None:
            continue  # no claim, or one that check_claims() warns of
        page = app.builder.get_relative_uri(docname, measurement.page)
        title = app.env.titles[measurement.page].astext()
        url = f"{page}#{CLAIM}{measurement.name}"
        link = nodes.reference("", title, refuri=url, internal=True)
        box["classes"].append(measurement.verdict)
        output = shortened(measurement.output)
        box[1:1] = [
            *original_words(box["original"], box[0], app.config.language),
            nodes.literal_block(output, output, language="none"),
            nodes.paragraph("", before, link, nodes.Text(after), classes=["measured"]),
        ]
        box.insert(0, nodes.paragraph("", "", verdict_node(measurement.verdict)))


def original_words(original: str, words: nodes.Node, language: str) -> list[nodes.Node]:
    """Return a text's own words; nothing on a page in their language, which must have them."""
    own = "ko" if HANGUL.search(original) else "ja"
    if not original:
        return []
    if own != language:
        text = html.escape(original)
        return [nodes.raw("", f'<p class="original" lang="{own}">{text}</p>', format="html")]
    translated, parts = squeezed(words.astext()), squeezed(original).split("…")
    if (
        isinstance(words, nodes.Element)
        and words.get("translated")
        and not all(part in translated for part in parts)
    ):
        logger.warning("the words %s are not in the translation", original, type="claims")
    return []


def squeezed(text: str) -> str:
    """Remove what a quotation may differ in: quotation marks, brackets, spaces, commas, case."""
    return re.sub(r"[\s「」『』“”‘’()（），、]", "", text).casefold()


def claim_counts(builder: Builder, docname: str) -> nodes.bullet_list:
    """`{claim-counts}`: how many claims have each verdict."""
    counts = Counter(measurement.verdict for measurement in measurements(builder.env))
    items = (nodes.list_item("", verdict_node(name, f" {counts[name]}")) for name in VERDICTS)
    return nodes.bullet_list("", *items, classes=["claim-counts"])


def verdict_node(verdict: str, suffix: str = "") -> nodes.inline:
    """Return a verdict in the page's language."""
    return nodes.inline("", f"{verdict_labels()[verdict]}{suffix}", classes=["verdict", verdict])


def verdict_labels() -> dict[str, str]:
    """The verdicts in the page's language."""
    return {
        "holds": _("Holds"),
        "holds-if": _("Holds with a condition"),
        "no-longer": _("No longer holds"),
        "never-did": _("Never held"),
        "not-tested": _("Not tested here"),
    }


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    app.add_directive("claim", Claim)
    add_placeholder(app, "claim-counts", claim_counts)
    app.connect("source-read", save_measurements, priority=600)  # after outputs.py, at 500
    app.connect("doctree-read", add_anchors)
    app.connect("env-check-consistency", check_claims)
    app.connect("doctree-resolved", insert_measurements)
