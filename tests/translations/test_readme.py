"""The README of each language links every written page by its title."""

import re

import pytest

from docs._guide.options import LOCALE, ROOT, configured_languages
from docs._guide.po.entry import read

# A build generates these, or the README has links of its own to their sections.
LEFT_OUT = {"reference/api", "reference/glossary", "reference/status", "reference/licences"}
LEFT_OUT |= {"start/routes"}
TOCTREE = re.compile(r"^:::\{toctree\}\n(?::.*\n)+\n((?:.+\n)+?):::$", re.MULTILINE)


def pages() -> list[str]:
    """The pages in the order of the sidebar, without those left out."""
    trees = TOCTREE.findall((ROOT / "docs" / "index.md").read_text(encoding="utf-8"))
    entries = [re.sub(r".*<(.*)>", r"\1", line) for tree in trees for line in tree.splitlines()]
    return [entry for entry in entries if entry not in LEFT_OUT]


def title(page: str, language: str) -> str:
    """The title of a page in a language."""
    text = (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")
    [english] = re.findall(r"^# (.+)$", text.split("```")[0], re.MULTILINE)
    if language == "en":
        return str(english)
    catalog = LOCALE / language / "LC_MESSAGES" / f"{page}.po"
    return next(entry.msgstr for entry in read(catalog) if entry.msgid == english)


@pytest.mark.parametrize("language", configured_languages())
def test_every_page_is_linked_by_its_title(language: str) -> None:
    name = "README.md" if language == "en" else f"README.{language}.md"
    text = (ROOT / name).read_text(encoding="utf-8")
    links = [f"[{title(page, language)}](docs/{page}.md)" for page in pages()]
    assert [link for link in links if link not in text] == []
