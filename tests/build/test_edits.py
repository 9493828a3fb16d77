"""After an edit, a build that does only what is needed makes the site that a cold build makes."""

import gzip
import json
import shutil
from collections.abc import Callable

from tests.conftest import CONTENTS, SmallGuide, notebook, po

FIGURE = "import matplotlib.pyplot as plt\nplt.plot([0, 1]);"
PARTS = "Some prose.\n\n(label)=\n\n## A label\n\nMore."
JAPANESE = "locale/ja/LC_MESSAGES/two.po"

Edit = Callable[[SmallGuide], None]


def written(name: str, text: str) -> Edit:
    return lambda guide: guide.write(name, text)


def changed(name: str, old: str, new: str) -> Edit:
    def edit(guide: SmallGuide) -> None:
        text = (guide.root / name).read_text(encoding="utf-8")
        assert old in text
        guide.write(name, text.replace(old, new, 1))

    return edit


def removed(name: str) -> Edit:
    return lambda guide: (guide.root / name).unlink()


def renamed(guide: SmallGuide) -> None:
    (guide.root / "docs" / "three.md").rename(guide.root / "docs" / "third.md")
    guide.write("docs/index.md", CONTENTS.replace("one\ntwo\n", "two\none\nthird\n"))


def indexed(guide: SmallGuide) -> set[str]:
    """The pages in the Japanese search index."""
    fragments = guide.root.glob("site/ja/pagefind/fragment/*.pf_fragment")
    texts = (gzip.decompress(file.read_bytes()).removeprefix(b"pagefind_dcd") for file in fragments)
    return {json.loads(text)["url"] for text in texts}


# Builds, one after the other, with the edits of each: those of one build concern other pages.
BUILDS: list[tuple[Edit, ...]] = [
    (
        changed("docs/one.md", "0, 1", "0, 2"),
        changed(JAPANESE, "別の", "ほかの"),
        changed("docs/three.md", "Some prose", "Other prose"),
    ),
    (changed("docs/two.md", "# A page", "# Another page"),),
    (written("docs/index.md", CONTENTS.replace("one\ntwo", "two\none\nthree")),),
    (
        changed("docs/two.md", "## A label", "## A new label"),
        changed("docs/two.md", "print(43)", "print(45)"),
        written("docs/three.md", "# A page\n\nSome prose.\n"),
    ),
    (
        changed("docs/_static/guide.css", "\n", "\n/* A comment. */\n"),
        changed("docs/_templates/page.html", "<", "<!-- --><"),
        changed("locale/ja/LC_MESSAGES/sphinx.po", "言語", "ことば"),
    ),
]


def test_the_site_after_an_edit_is_that_of_a_cold_build(small_guide: SmallGuide) -> None:
    guide = small_guide
    guide.write("docs/index.md", CONTENTS.replace("two\n", "two\nthree\n"))
    guide.write("docs/one.md", notebook(FIGURE, prose="See {ref}`label`."))
    guide.write("docs/two.md", notebook("print(43)", prose=PARTS))
    guide.write("docs/three.md", notebook("print(44)"))
    guide.write(JAPANESE, po({"A page": "別のページ", "More.": "別の"}))
    assert guide.make("--language=ja").returncode == 0
    different = {}
    for number, edits in enumerate(BUILDS):
        for edit in edits:
            edit(guide)
        guide.build("--language=ja")
        after_edit = guide.site()
        (guide.root / "_build" / "ja").rename(guide.root / "edited")
        assert guide.make("--language=ja").returncode == 0
        if guide.site() != after_edit:
            different[number] = sorted(dict(guide.site().items() ^ after_edit.items()))
        shutil.rmtree(guide.root / "_build" / "ja")
        (guide.root / "edited").rename(guide.root / "_build" / "ja")
    assert different == {}

    renamed(guide)
    removed(JAPANESE)(guide)
    assert guide.make("--language=ja").returncode == 0
    assert not list(guide.root.glob("site/**/three*"))
    assert {"/one.html", "/two.html", "/third.html"} <= indexed(guide)
    assert "/three.html" not in indexed(guide)
    assert "ほか" not in guide.page("two", "ja")
