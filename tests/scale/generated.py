"""A guide of any number of pages: real ones under other names, with translations and outputs.

Each page is a real page of the guide, in turn, whose title, figures and links got its number. Its
outputs are those of the real page, stored as if it had run. So a page weighs what a real one does.
"""

import posixpath
import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from docs._make.environment import folder_name
from docs._make.options import ROOT, configured_languages
from docs._make.page import CLAIM, VERDICTS, Page, pages_that_run, read_page
from docs._make.store import keep, load, open_store
from tests.machinery import copy_machinery

PAGES_IN_A_PART = 10
# Pages that show something of all others, or of the whole guide.
REFERENCE = ("reference/status", "reference/glossary", "reference/licences")
USES_MODULE = "uses-module"
MODULE = "examples/used.py"
OTHERS = 2 + len(REFERENCE)  # the first page, and the one that uses a module

LINK = re.compile(r"\]\((?P<page>[\w./-]+\.md)?(?P<anchor>#[\w-]+)?(?<!\()\)")
FIGURE = re.compile(r"^( +name: fig-\S+)$", re.MULTILINE)
TAGS = re.compile(r"^:tags: \[(.*)\]$", re.MULTILINE)


@dataclass(frozen=True)
class Generated:
    """A guide of `count` generated pages, and of a few others, in a folder of its own."""

    root: Path
    sources: Sequence[Page]
    count: int

    def names(self) -> list[str]:
        """The generated pages."""
        return [self.name(number) for number in range(self.count)]

    def name(self, number: int) -> str:
        """Name a page after the real one, in the folder of its part."""
        real = posixpath.basename(self.source(number).name)
        return f"part-{number // PAGES_IN_A_PART + 1}/{real}-{number}"

    def source(self, number: int) -> Page:
        """The real page that a generated one is made of."""
        return self.sources[number % len(self.sources)]

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each real page is among the sources."""
        return {page.name: place for place, page in enumerate(self.sources)}

    def near(self, real: str, number: int) -> int | None:
        """The page made of a real one that is in the same round as another, or in the last."""
        place = self.places.get(real)
        if place is None:
            return None
        place += number // len(self.sources) * len(self.sources)
        if place >= self.count:
            place -= len(self.sources)
        return place if place >= 0 else None

    def numbered(self, text: str, number: int) -> str:
        """Lead the links of a page, or of its translation, to pages that this guide has."""
        here = posixpath.dirname(self.name(number))
        real_folder = posixpath.dirname(self.source(number).name)

        def moved(link: re.Match[str]) -> str:
            page, anchor = link["page"], link["anchor"] or ""
            other: int | None = number
            if page:
                path = posixpath.normpath(posixpath.join(real_folder, page))
                other = self.near(path.removesuffix(".md"), number)
            if other is None:
                return "](../index.md)"
            if anchor.startswith("#fig-"):
                anchor += f"-{other}"
            path = posixpath.relpath(f"{self.name(other)}.md", here) if page else ""
            return f"]({path}{anchor})"

        return LINK.sub(moved, text)

    def text(self, number: int) -> str:
        """The text of a page."""
        text = self.source(number).text
        text = text.replace(f"# {title(text)}\n", f"# {title(text)} {number}\n", 1)
        text = TAGS.sub(without_claims, FIGURE.sub(rf"\1-{number}", text))
        return self.numbered(text, number)

    def translation(self, number: int, language: str) -> str:
        """The .po of a page."""
        source = self.source(number)
        text = (ROOT / catalogue(source.name, language)).read_text(encoding="utf-8")
        message = re.escape(title(source.text).replace('"', '\\"'))
        heading = re.compile(rf'^(msgid "{message})(".*\nmsgstr ".*)"$', re.MULTILINE)
        return self.numbered(heading.sub(rf'\1 {number}\2 {number}"', text, count=1), number)


def title(text: str) -> str:
    """The title of a page."""
    found = re.search(r"^# (.+)$", text, re.MULTILINE)
    assert found
    return found[1]


def catalogue(page: str, language: str) -> str:
    """Where the .po of a page is."""
    return f"locale/{language}/LC_MESSAGES/{page}.po"


def without_claims(tags: re.Match[str]) -> str:
    """Leave out what leads from a cell to the page of the claims: it would be stated only once."""
    kept = [tag for tag in tags[1].split(", ") if tag not in VERDICTS and CLAIM not in tag]
    return f":tags: [{', '.join(kept)}]"


def real_pages() -> list[Page]:
    """The pages to make others of: all with cells, but for those that need other files.

    Every second one comes first, so that a small guide has pages of all subjects too.
    """
    pages = [
        page
        for page in pages_that_run()
        if "/" in page.name and "```{figure}" not in page.text and page.alone
    ]
    return pages[::2] + pages[1::2]


def generate(root: Path, pages: int, sources: Sequence[Page]) -> Generated:
    """Write a guide of so many pages, all of which but one have stored outputs."""
    guide = Generated(root, sources, pages - OTHERS)
    copy_machinery(root)
    for name, text in files(guide):
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    shutil.copytree(ROOT / "docs" / "_licences", root / "docs" / "_licences")
    store_outputs(guide)
    return guide


def files(guide: Generated) -> Iterator[tuple[str, str]]:
    """What is written: pages, translations and a module."""
    yield "docs/index.md", contents(guide)
    yield "examples/__init__.py", ""
    yield MODULE, "ANSWER = 42\n"
    yield f"docs/{USES_MODULE}.md", uses_module()
    fixed = [f"docs/{page}.md" for page in REFERENCE] + ["docs/reference/licences.csv"]
    _, *translations = configured_languages()
    fixed += [catalogue(page, code) for page in REFERENCE for code in translations]
    for name in fixed:
        yield name, (ROOT / name).read_text(encoding="utf-8")
    for number, name in enumerate(guide.names()):
        yield f"docs/{name}.md", guide.text(number)
        for code in translations:
            yield catalogue(name, code), guide.translation(number, code)


def contents(guide: Generated) -> str:
    """The first page: a part for every ten pages."""
    names = guide.names()
    parts = {
        f"Part {start // PAGES_IN_A_PART + 1}": names[start : start + PAGES_IN_A_PART]
        for start in range(0, len(names), PAGES_IN_A_PART)
    }
    parts["Reference"] = [USES_MODULE, *REFERENCE]
    trees = (
        "\n".join([":::{toctree}", ":hidden:", f":caption: {caption}", "", *pages, ":::", ""])
        for caption, pages in parts.items()
    )
    return "\n".join(["# Generated guide", "", "These pages are made of real ones.", "", *trees])


def uses_module() -> str:
    """A page with a cell that imports a module of the repository."""
    cell = "```{code-cell} ipython3\nfrom examples.used import ANSWER\nprint(ANSWER)\n```\n"
    kernel = "kernelspec: {name: python3, display_name: Python 3, language: python}"
    return f"---\nfile_format: mystnb\n{kernel}\n---\n\n# A page that uses a module\n\n{cell}"


def store_outputs(guide: Generated) -> None:
    """Store what the real pages printed as the outputs of the generated ones."""
    folder = folder_name("cpu")
    real = open_store(ROOT / "_build" / "outputs" / folder)
    store = open_store(guide.root / "_build" / "outputs" / folder)
    ran = {page.name: load(real, page.notebook) for page in guide.sources}
    for number, name in enumerate(guide.names()):
        page = read_page(name, guide.text(number))
        executed, facts, _ = ran[guide.source(number).name]
        printed = (cell for cell in executed.cells if cell.cell_type == "code")
        for cell, output in zip(page.code_cells, printed, strict=True):
            cell.outputs, cell.execution_count = output.outputs, output.execution_count
        keep(store, page.notebook, facts)
