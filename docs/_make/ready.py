"""Pages with what they printed, as Sphinx reads them: made once for each text of a page.

To read a page's cells and to find their outputs takes a quarter of the time that Sphinx then takes
for the page in one language. So it is neither done by each language, nor by each build.
"""

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from docs._make.options import ROOT
from docs._make.page import Page, page_texts, read_if_it_runs
from docs._make.store import Missing, OutputStore, load

INDEX = "ready.json"
# The files that say what is a cell; all versions are in the name of the outputs' folder.
READERS = (Path(__file__), Path(__file__).with_name("page.py"), ROOT / "docs" / "conf.py")


class Entry(NamedTuple):
    """What is known of a page that is ready."""

    text: str  # digests of the page as it is written, of its file here, and of what it printed
    file: str
    outputs: str
    alone: bool  # it imports no module of the repository, so that its text says all
    imports: list[str]  # statements
    facts: dict[str, Any]  # about its run


class ReadyPages:
    """The pages that are ready in an environment, and their notebooks in a folder beside it."""

    def __init__(self, outputs: Path) -> None:
        self.index = outputs / INDEX
        self.folder = outputs / "ready"
        self.readers = digest(*(reader.read_text(encoding="utf-8") for reader in READERS))
        try:
            kept = json.loads(self.index.read_text(encoding="utf-8"))
            readers, pages = kept["readers"], kept["pages"]
            self.pages = {name: Entry(**entry) for name, entry in pages.items()}
        except (OSError, ValueError, LookupError, TypeError):  # none yet, or a damaged one
            readers, self.pages = "", {}
        if readers != self.readers:
            self.pages = {}

    def find(self, name: str, text: str) -> str | None:
        """The notebook of a page as it is now; none where it is not ready, or damaged."""
        entry = self.pages.get(name)
        if entry is None or entry.text != digest(text):
            return None
        try:
            notebook = self.notebook(name)
        except (OSError, ValueError):
            return None
        return notebook if entry.file == digest(notebook) else None

    def notebook(self, name: str) -> str:
        """A page's notebook with its outputs, as JSON."""
        return (self.folder / f"{name}.ipynb").read_text(encoding="utf-8")

    def take(self, store: OutputStore, page: Page) -> None:
        """Make a page ready.

        Raises:
            Missing: if it has not run in this environment, or its outputs are damaged.
        """
        executed, facts, outputs = load(store, page.notebook)
        text = json.dumps(executed)
        file = self.folder / f"{page.name}.ipynb"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        made = digest(page.text), digest(text), outputs
        self.pages[page.name] = Entry(*made, page.alone, page.imports, facts)

    def update(self, store: OutputStore) -> list[Page]:
        """Make all pages ready that are not; return those that have to run before."""
        todo, found = [], set()
        for name, text in page_texts():
            if self.find(name, text) is None or not self.pages[name].alone:
                page = read_if_it_runs(name, text)
                if page is None:
                    continue
                try:
                    self.take(store, page)
                except Missing:
                    todo.append(page)
            found.add(name)
        self.pages = {name: entry for name, entry in self.pages.items() if name in found}
        return todo

    def save(self, store: OutputStore, ran: Iterable[Page] = ()) -> None:
        """Make ready what ran, and keep the index for Sphinx and for the next build."""
        for page in ran:
            self.take(store, page)
        pages = {name: entry._asdict() for name, entry in self.pages.items()}
        text = json.dumps({"readers": self.readers, "pages": pages})
        self.index.write_text(text, encoding="utf-8")


def digest(*texts: str) -> str:
    """Digest of texts."""
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
