"""Claims show what their cells measured, and what does not fit together fails the build."""

import re

import pytest

from docs._guide.ext.claims import MAX_LINES, printed, shortened
from tests.conftest import SmallGuide, notebook

STATED = """\
# Claims

:::{claim-counts}
:::

"""


def stating(*names: str) -> str:
    """The text of a page that states these claims."""
    return STATED + "\n".join(claim(name) for name in names)


def claim(name: str, prints: str = "") -> str:
    """A claim, and the words that its cell must print."""
    option = f":prints: {prints}\n" if prints else ""
    return f":::{{claim}} {name}\n{option}What {name} says.\n:::\n"


@pytest.fixture
def guide(small_guide: SmallGuide) -> SmallGuide:
    index = small_guide.root / "docs" / "index.md"
    contents = index.read_text(encoding="utf-8").replace("one\n", "one\nclaims\n")
    index.write_text(contents, encoding="utf-8")
    return small_guide


def box(guide: SmallGuide, name: str, language: str = "en") -> str:
    """The box of a claim, as text with its tags."""
    match = re.search(
        rf'<div class="[^"]*" id="claim-{name}">.*?<p class="measured">.*?</p>',
        guide.page("claims", language),
        re.DOTALL,
    )
    assert match
    return match[0]


def test_a_claim_shows_its_cell_and_follows_it(guide: SmallGuide) -> None:
    cell = ":tags: [claim-six-by-seven, {}]\nprint({})\nassert True\nassert 1"
    invalid = claim("raises", "ValueError: invalid literal")
    guide.write("docs/claims.md", stating("six-by-seven") + invalid)
    raising = ":tags: [raises-exception, claim-raises, never-did]\nint('x')"
    guide.write("docs/one.md", notebook(cell.format("holds-if", "6 * 7"), raising))
    guide.build()
    assert "What six-by-seven says." in box(guide, "six-by-seven")
    assert ">42\n<" in box(guide, "six-by-seven").replace("<span></span>", ">")
    assert 'href="one.html#claim-six-by-seven"' in box(guide, "six-by-seven")
    assert 'id="claim-six-by-seven"' in guide.page("one")
    assert "ValueError: invalid literal for int()" in box(guide, "raises")
    words = {"en": "Holds with a condition", "ja": "条件付きで成り立つ", "ko": "조건부 성립"}
    for language, word in words.items():
        assert word in box(guide, "six-by-seven", language)
        assert f">{word} 1<" in guide.page("claims", language)

    guide.write("docs/one.md", notebook(cell.format("holds-if", "6 * 8"), raising))
    assert guide.make("--language=ja").returncode == 0
    assert "48" in box(guide, "six-by-seven", "ja")

    renamed = notebook(cell.format("holds", "6 * 8"), raising).replace("# A page", "# A name")
    guide.write("docs/one.md", renamed)
    other_verdict = guide.make("--language=ja")
    assert guide.ran(other_verdict) == set()  # a verdict is no part of what a cell does
    assert ">成り立つ<" in box(guide, "six-by-seven", "ja")
    assert ">条件付きで成り立つ 0<" in guide.page("claims", "ja")
    assert ">A name</a>" in box(guide, "six-by-seven", "ja")


def test_what_does_not_fit_together_is_a_warning_of_one_line(guide: SmallGuide) -> None:
    stated = ["no-cell", "two-cells", "stated-twice", "stated-twice", "no-verdict"]
    stated += ["two-verdicts", "no-assert", "no-output", "one-case"]
    guide.write("docs/claims.md", stating(*stated))
    good = "print(1)\nassert True"
    cells = {
        "claim-two-cells, holds": good,
        "claim-stated-twice, holds": good,
        "claim-no-verdict": good,
        "claim-two-verdicts, holds, no-longer": good,
        "claim-no-assert, holds": "print(1)",
        "claim-no-output, holds": "assert True",
        "claim-one-case, holds-if": good,
        "claim-not-stated, holds": good,
        "never-did": good,
    }
    tagged = [f":tags: [{tags}]\n{source}" for tags, source in cells.items()]
    guide.write("docs/one.md", notebook(*tagged))
    guide.write("docs/two.md", notebook(tagged[0]))
    failed = guide.make("--language=en")
    assert failed.returncode == 1, failed.stdout
    warnings = re.findall(r"docs/(\w+)\.md:(\d+): WARNING: (.*)", failed.stdout)
    assert sorted((page, what.removesuffix(" [claims]")) for page, _, what in warnings) == [
        ("claims", "no cell is tagged claim-no-cell"),
        ("claims", "the claim stated-twice is stated more than once"),
        ("claims", "the claim stated-twice is stated more than once"),
        ("one", "another cell is tagged claim-two-cells too"),
        ("one", "no page states the claim not-stated of this cell"),
        ("one", "the cell tagged claim-no-assert asserts nothing"),
        ("one", "the cell tagged claim-no-output prints nothing"),
        (
            "one",
            "the cell tagged claim-no-verdict needs one verdict of "
            "holds, holds-if, no-longer, never-did, not-tested",
        ),
        ("one", "the cell tagged claim-one-case checks one case: holds-if needs two"),
        (
            "one",
            "the cell tagged claim-two-verdicts needs one verdict of "
            "holds, holds-if, no-longer, never-did, not-tested",
        ),
        ("one", "the cell tagged never-did has a verdict, but no tag claim-NAME"),
        ("two", "another cell is tagged claim-two-cells too"),
    ]
    text = (guide.root / "docs" / "one.md").read_text(encoding="utf-8").splitlines()
    (line,) = (int(line) for _, line, what in warnings if "no-assert" in what)
    assert "claim-no-assert" in "\n".join(text[line - 1 : line + 1])
    assert "Sphinx did not build: en; the site stays as it was" in failed.stdout


def test_a_cell_must_raise_the_error_that_its_claim_names(guide: SmallGuide) -> None:
    right, wrong = claim("right", "NameError: name 'x'"), claim("wrong", "TypeError: name 'x'")
    shown = claim("shown", "the answer is 42")
    guide.write("docs/claims.md", stating("unnamed") + right + wrong + shown)
    names = ("unnamed", "right", "wrong")
    cells = [f":tags: [raises-exception, claim-{name}, holds]\nx" for name in names]
    answer = ":tags: [claim-shown, holds]\nprint('so the answer is 42')"
    guide.write("docs/one.md", notebook(*cells, answer))
    failed = guide.make("--language=en")
    assert failed.returncode == 1, failed.stdout
    warnings = re.findall(r"docs/one\.md:\d+: WARNING: (.*) \[claims\]", failed.stdout)
    assert sorted(warnings) == [
        "the cell tagged claim-unnamed asserts nothing",
        "the cell tagged claim-wrong lacks: TypeError: name 'x'",
    ]


def test_original_words_are_shown_in_other_languages(guide: SmallGuide) -> None:
    words = ":::{claim} said\n:original: 「そう」\nIt is so.\n\nThis follows.\n:::\n"
    guide.write("docs/claims.md", STATED + words)
    guide.write("docs/one.md", notebook(":tags: [claim-said, holds]\nprint(1)\nassert True"))
    guide.build()
    assert '<p class="original" lang="ja">「そう」</p>' in box(guide, "said")
    assert "「そう」" not in box(guide, "said", "ja")
    assert '<p class="original" lang="ja">「そう」</p>' in box(guide, "said", "ko")
    text = guide.page("claims")
    assert text.index("It is so.") < text.index('class="measured"') < text.index("This follows.")


def test_a_long_output_is_cut_with_a_sign() -> None:
    lines = [str(line) for line in range(MAX_LINES + 1)]
    assert shortened("\n".join(lines[:-1])).split("\n") == lines[:-1]
    assert shortened("\n".join(lines)).split("\n")[-2:] == [lines[-3], "…"]


def test_an_error_without_a_message_is_its_name() -> None:
    error = {"output_type": "error", "ename": "AssertionError", "evalue": ""}
    assert printed({"outputs": [error]}) == "AssertionError: "
    assert printed({"outputs": []}) == ""
