"""Third-party works that the site ships, with their licences: `{licences}`, and the texts.

Style sheets, scripts and icons come into the site with Sphinx, its theme and the search, and their
licences require that their texts are included. pip-licenses and SBOM tools list what is installed,
not what is in a built site, so docs/reference/licences.csv does, and a test of tests/site
compares it with the site.

A text is the one in the installed package, in its locked version. Works that the package itself
took from elsewhere have their texts in docs/_licences/.
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
from sphinx.errors import SphinxError
from sphinx.locale import _
from sphinx.util.osutil import relative_uri

from docs._guide.ext.generated import add_placeholder, row, table
from docs._guide.options import ROOT

LIST = ROOT / "docs" / "reference" / "licences.csv"
TEXTS = ROOT / "docs" / "_licences"
FOLDER = "_static/licences"  # in the site of each language


class Work(NamedTuple):
    """A row of the list."""

    name: str
    home: str
    package: str  # on PyPI, as in the locks
    licence: str  # SPDX
    text: str  # in docs/_licences, a URL, or empty: the package's own
    files: str  # patterns in the site, separated by spaces

    @property
    def url(self) -> str:
        """Where the licence's text is: a URL, or a path in each language's site."""
        return self.text if "://" in self.text else f"{FOLDER}/{self.text or self.package}.txt"


def works() -> Iterator[Work]:
    """Read the list."""
    with LIST.open(encoding="utf-8", newline="") as file:
        yield from (Work(**values) for values in csv.DictReader(file))


def text_of(work: Work) -> str:
    """Return a licence's text; a package may have several files of it.

    >>> text_of(Work("Furo", "", "furo", "MIT", "", "")).splitlines()[0]
    'Copyright (c) 2020 Pradyun Gedam <mail@pradyunsg.me>'
    """
    if work.text:
        return (TEXTS / f"{work.text}.txt").read_text(encoding="utf-8")
    files = distribution(work.package).files or []
    texts = [file.read_text() for file in files if file.stem in {"LICENSE", "LICENCE", "COPYING"}]
    if not texts:
        raise SphinxError(
            f"{work.package} has no licence file: put the text into docs/_licences/, and its name "
            f"into the column `text` of docs/reference/licences.csv"
        )
    return "\n".join(dict.fromkeys(texts))


def licences(builder: Builder, docname: str) -> nodes.container:
    """`{licences}`: each work with its package and its licence."""
    rows = (work_row(builder, docname, work) for work in works())
    return table(row([_("Work"), _("Package"), _("Licence")]), rows, "licences")


def work_row(builder: Builder, docname: str, work: Work) -> nodes.row:
    """A work with links to its home page and to its licence's text."""
    licence: str | nodes.Node = work.licence
    if "://" in work.url:
        licence = nodes.reference("", work.licence, refuri=work.url)
    elif builder.name == "html":  # a book does not include the texts
        url = relative_uri(builder.get_target_uri(docname), work.url)
        licence = nodes.reference("", work.licence, refuri=url, internal=True)
    name = nodes.reference("", work.name, refuri=work.home)
    return row([name, f"{work.package} {version(work.package)}", licence])


def copy_texts(app: Sphinx, error: Exception | None) -> None:
    """Copy the texts into the site; the small guides of tests have no list."""
    if error or app.builder.name != "html" or not LIST.exists():
        return
    folder = Path(app.outdir, FOLDER)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for work in works():
        if "://" not in work.url:
            Path(app.outdir, work.url).write_text(text_of(work), encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Register with Sphinx."""
    add_placeholder(app, "licences", licences)
    app.connect("build-finished", copy_texts)
