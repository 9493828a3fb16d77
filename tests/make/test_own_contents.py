"""A page shows its headings, though Sphinx keeps the titles alone."""

import pickle

from bs4 import BeautifulSoup
from sphinx import addnodes
from sphinx.environment import BuildEnvironment

from tests.conftest import SmallGuide

HEADINGS = ["First", "Below it", "Second"]


def test_headings_are_on_their_page_and_not_in_memory(small_guide: SmallGuide) -> None:
    text = "# One\n\n## First\n\nProse.\n\n### Below it\n\nProse.\n\n## Second\n\nProse.\n"
    small_guide.write("docs/one.md", text)
    for last in ("And so on.", "Another end."):  # read and written, then read and written again
        small_guide.write("docs/one.md", f"{text}\n{last}\n")
        assert small_guide.make("--language=en").returncode == 0
        page = BeautifulSoup(small_guide.page("one"), "html.parser")
        assert [link.text for link in page.select(".toc-tree a")[-3:]] == HEADINGS
    stored = small_guide.root / "_build" / "en" / "html" / ".doctrees" / "environment.pickle"
    environment: BuildEnvironment = pickle.loads(stored.read_bytes())
    assert environment.tocs["one"].astext() == "One"
    assert any(environment.tocs["index"].findall(addnodes.toctree))
