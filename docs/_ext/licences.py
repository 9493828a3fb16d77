"""What the site ships of others, and under which licences: `{licences}`, and the texts beside it.

Style sheets, scripts and icons come into the site with Sphinx, its theme and the search, and
licences want their texts to come along. Tools that list licences (pip-licenses, SBOMs) list what is
installed; nothing tells what of it a built site contains, so docs/reference/licences.csv does, and
tests/site/test_licences.py compares it with the site.

A text is the one that the installed package carries, in its locked version. What came into that
package from elsewhere has its text in docs/_licences/.
"""

import csv
import shutil
from collections.abc import Iterator
from importlib.metadata import distribution, version
from pathlib import Path
from typing import NamedTuple

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.locale import _
from sphinx.util.docutils import SphinxDirective
from sphinx.util.osutil import relative_uri

from docs._ext.provenance import leave_out, row
from docs._make.options import ROOT

LIST = ROOT / "docs" / "reference" / "licences.csv"
KEPT = ROOT / "docs" / "_licences"
FOLDER = "_static/licences"  # in the site of each language
LOCKS = [ROOT / "requirements" / f"{group}.txt" for group in ("guide", "site")]


class Work(NamedTuple):
    """One row of the list: what is shipped, the package it comes with, and where it ends up."""

    name: str
    home: str
    package: str  # of PyPI, which the locks name
    licence: str  # as SPDX writes it
    text: str  # of docs/_licences, an address, or nothing: the package's own
    files: str  # patterns in the site, with spaces between them

    @property
    def address(self) -> str:
        """Where a language's site has the licence's text."""
        return self.text if "://" in self.text else f"{FOLDER}/{self.text or self.package}.txt"


def works() -> Iterator[Work]:
    """Read the list."""
    with LIST.open(encoding="utf-8", newline="") as rows:
        yield from (Work(**each) for each in csv.DictReader(rows))


def text_of(work: Work) -> Path:
    """Find the text of a licence that is shipped.

    >>> text_of(Work("Furo", "", "furo", "MIT", "", "")).read_text().splitlines()[0]
    'Copyright (c) 2020 Pradyun Gedam <mail@pradyunsg.me>'
    """
    if work.text:
        return KEPT / f"{work.text}.txt"
    carried = distribution(work.package).files or []
    (found,) = (file for file in carried if file.stem in {"LICENSE", "LICENCE", "COPYING"})
    return Path(str(found.locate()))


class licences(nodes.General, nodes.Element):
    """Where the table of all works goes: nothing in it is a message to translate."""


class Licences(SphinxDirective):
    """`{licences}`: each work with the package that it comes with, and its licence."""

    def run(self) -> list[nodes.Node]:
        """Leave a mark; the page is written again when the list or a version changes."""
        for file in (LIST, *LOCKS):
            self.env.note_dependency(str(file))
        return [licences("")]


def draw(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Replace the mark by the table."""
    for mark in list(doctree.findall(licences)):
        mark.replace_self(table(app.builder, docname))


def table(builder: Builder, docname: str) -> nodes.Element:
    """One row a work."""
    titles = [_("Work"), _("Package"), _("Licence")]
    drawn = nodes.table(classes=["licences"])
    group = nodes.tgroup(cols=len(titles))
    group += [nodes.colspec(colwidth=1) for _title in titles]
    group += nodes.thead("", row([nodes.Text(title) for title in titles]))
    body = nodes.tbody()
    here = builder.get_target_uri(docname)
    for work in works():
        licence: nodes.Node = nodes.Text(work.licence)
        if "://" in work.text:
            licence = nodes.reference("", work.licence, refuri=work.address)
        elif builder.name == "html":  # a book has no texts beside its pages
            address = relative_uri(here, work.address)
            licence = nodes.reference("", work.licence, refuri=address, internal=True)
        name = nodes.reference("", work.name, refuri=work.home)
        body += row([name, nodes.Text(f"{work.package} {version(work.package)}"), licence])
    group += body
    drawn += group
    return nodes.container("", drawn, classes=["table-wrapper"])


def ship_texts(app: Sphinx, error: Exception | None) -> None:
    """Copy the texts into the site; a guide without the list, such as a test's, has none."""
    if error or app.builder.name != "html" or not LIST.exists():
        return
    folder = Path(app.outdir, FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for work in works():
        if "://" not in work.text:
            shutil.copyfile(text_of(work), Path(app.outdir, work.address))


def setup(app: Sphinx) -> dict[str, bool]:
    """Register with Sphinx."""
    app.add_node(licences, html=(leave_out, None), gettext=(leave_out, None))
    app.add_directive("licences", Licences)
    app.connect("doctree-resolved", draw)
    app.connect("build-finished", ship_texts)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
