"""After any edit, a build that does only what is needed makes the site that a cold build makes."""

import shutil
from collections.abc import Callable
from contextlib import closing

from tests.conftest import CONTENTS, SmallGuide, notebook, po
from tests.make.builder import builder

FIGURE = "import matplotlib.pyplot as plt\nplt.plot([0, 1]);"

Edit = Callable[[SmallGuide], None]


def written(name: str, text: str) -> Edit:
    """A new file, or another text for one."""
    return lambda guide: guide.write(name, text)


def changed(name: str, old: str, new: str) -> Edit:
    """A change in a file."""

    def edit(guide: SmallGuide) -> None:
        text = (guide.root / name).read_text(encoding="utf-8")
        assert old in text
        guide.write(name, text.replace(old, new, 1))

    return edit


def removed(name: str) -> Edit:
    """A file less."""
    return lambda guide: (guide.root / name).unlink()


def renamed(guide: SmallGuide) -> None:
    """A page gets another name."""
    (guide.root / "docs" / "two.md").rename(guide.root / "docs" / "second.md")
    guide.write("docs/index.md", CONTENTS.replace("two", "second"))


def without_second(guide: SmallGuide) -> None:
    """A page goes."""
    (guide.root / "docs" / "second.md").unlink()
    guide.write("docs/index.md", CONTENTS.replace("two\n", ""))


# One after the other, in this order.
EDITS: dict[str, Edit] = {
    "prose": changed("docs/two.md", "Some prose", "Other prose"),
    "a title": changed("docs/two.md", "# A page", "# Another page"),
    "a translation": written("locale/ja/LC_MESSAGES/two.po", po({"Another page": "別のページ"})),
    "another one": changed("locale/ja/LC_MESSAGES/two.po", "別の", "ほかの"),
    "none any more": removed("locale/ja/LC_MESSAGES/two.po"),
    "a cell": changed("docs/one.md", "6 * 7", "6 * 8"),
    "a figure": written("docs/two.md", notebook(FIGURE)),
    "another figure": written("docs/two.md", notebook(FIGURE.replace("0, 1", "0, 2"))),
    "no cells": written("docs/two.md", "# A page\n\nSome prose.\n"),
    "another order": written("docs/index.md", CONTENTS.replace("one\ntwo", "two\none")),
    "another name": renamed,
    "a page less": without_second,
    "words of the theme": changed("docs/_locale/ja/LC_MESSAGES/sphinx.po", "言語", "ことば"),
    "a script": changed("docs/_static/switcher.js", "\n", "\n// A comment.\n"),
    "a style": changed("docs/_static/guide.css", "\n", "\n/* A comment. */\n"),
    "a template": changed("docs/_templates/page.html", "reading-time", "time-to-read"),
    "a setting": changed("docs/conf.py", '"JAX guide"', '"Another guide"'),
    "a book": written("books/jax-guide-ja.epub", "A book"),
}


def test_a_build_after_an_edit_is_as_a_cold_one(small_guide: SmallGuide) -> None:
    wrong = {}
    with closing(builder(small_guide, "--language=ja")) as process:
        process.published()
        for name, edit in EDITS.items():
            edit(small_guide)
            found = process.published()
            shutil.rmtree(small_guide.root / "_build" / "ja")
            shutil.rmtree(small_guide.root / "site")
            cold = process.published()
            if found != cold:
                wrong[name] = sorted(dict(found.items() ^ cold.items()))
    assert wrong == {}
