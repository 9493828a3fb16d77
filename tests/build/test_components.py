"""What pages are made of besides prose and cells: on the page, and in its notebook."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup

from tests.conftest import SmallGuide, notebook, po

QUESTION = """:::{question}
What does the second call of `f` do?

- (x) It runs the program of `f`.

  The shapes are the same.
- ( ) It traces again.

  Only other shapes do that.
:::"""
JAPANESE = {
    "What does the second call of `f` do?": "`f`の2回目の呼び出しは何をしますか。",
    "It runs the program of `f`.": "`f`のプログラムを実行する。",
    "The shapes are the same.": "形状が同じだからです。",
    "It traces again.": "もう一度トレースする。",
    "Only other shapes do that.": "形状が変わったときだけです。",
}
ANSWER = ":::{exercise}\nWhat is it?\n:::\n\n:::{answer}\nThe answer to everything.\n:::"
TERMS = "Gradient descent and `gradient`. A gradient, and two gradients."
COMMAND = "```{{code-block}} console\n:caption: {0}\n{0} install jax\n```\n\n"
PHRASES = """class Table:
    def _repr_html_(self):
        cells = "".join(f"<td><pre>{code}</pre></td>" for code in ("a[1] = 9\\na", "==", "f(a)"))
        return f'<table class="phrases"><tbody><tr>{cells}</tr></tbody></table>'
Table()"""
HIDE_INPUT = ":tags: [hide-input]\n"

CHECKED = (
    "y = 6 * 7\nprint(y)\n\n# small\nfor limit in (43, 44):\n    assert y < limit\nassert y > 41"
)

PAGES = {
    "question": notebook("print(6 * 7)", prose=QUESTION),
    "answer": notebook(":tags: [hide-cell]\nprint(6 * 7)", "print(43)", prose=ANSWER),
    "tabs": notebook(
        "---\ntab: JAX\n---\nprint(6 * 7)",
        "---\ntab: PyTorch\nneeds: no_such_package\n---\nimport no_such_package",
        "print(43)",
    ),
    "folded": notebook(
        f"{HIDE_INPUT}import json\nfrom pathlib import Path",
        f"{HIDE_INPUT}def double(x):\n    return 2 * x\nprint(double(21))",
        "print(43)",
    ),
    "checks": notebook(
        CHECKED,
        f":tags: [shows-checks]\n{CHECKED}",
        f"{HIDE_INPUT}{CHECKED}",
        "assert y == 42",
        ":tags: [raises-exception]\nz = y / 0\nassert z",
        "y = 41; assert y",
    ),
    "commands": "# Commands\n\n" + COMMAND.format("pip") + COMMAND.format("conda"),
    "phrases": notebook(PHRASES),
    "terms": notebook("print(6 * 7)", prose=f"## On gradients\n\n{TERMS}"),
    "reference/glossary": "# Glossary\n\n```{terms}\n```\n",
    "reference/status": "# Status\n\n```{page-status}\n```\n",
}

Read = Callable[..., BeautifulSoup]


@pytest.fixture(scope="module")
def folder(states: tuple[SmallGuide, Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of all pages above, in all languages."""
    guide, unbuilt = states
    guide.reset(unbuilt)
    for name in ("one", "two"):
        (guide.root / "docs" / f"{name}.md").unlink()
    for name, text in PAGES.items():
        guide.write(f"docs/{name}.md", text)
    names = "\n".join(PAGES)
    guide.write("docs/index.md", f"# Guide\n\n:::{{toctree}}\n{names}\n:::\n")
    guide.write("locale/ja/LC_MESSAGES/question.po", po(JAPANESE))
    guide.write("locale/ja/LC_MESSAGES/checks.po", po({"small": "小さい"}))
    japanese = "勾配降下法と`gradient`。勾配は1つ、勾配は2つ。"
    guide.write("locale/ja/LC_MESSAGES/terms.po", po({TERMS: japanese}))
    guide.build()
    return shutil.copytree(guide.root / "site", tmp_path_factory.mktemp("components") / "site")


@pytest.fixture(scope="module")
def read(folder: Path) -> Read:
    """A function that reads a page of a language."""

    def page(name: str, language: str = "en") -> BeautifulSoup:
        html = (folder / language / f"{name}.html").read_text(encoding="utf-8")
        return BeautifulSoup(html, "lxml")

    return page


def cells_of(folder: Path, name: str) -> list[nbformat.NotebookNode]:
    """The cells of a page's notebook."""
    made = nbformat.read(folder / "en" / "_notebooks" / f"{name}.ipynb", as_version=4)
    return list(made.cells)


def test_a_question_is_answered_by_what_each_choice_folds(folder: Path, read: Read) -> None:
    choices = read("question").select(".question details")
    assert [" ".join(choice.get_text().split()) for choice in choices] == [
        "It runs the program of f. Right. The shapes are the same.",
        "It traces again. Not quite. Only other shapes do that.",
    ]
    assert [choice.has_attr("open") for choice in choices] == [False, False]
    assert choices[0].select("summary code")
    japanese = read("question", "ja").select_one(".question")
    assert japanese
    assert "untranslated" not in str(japanese)
    assert "fのプログラムを実行する。 正解です。 形状が同じだからです。" in " ".join(
        japanese.get_text().split()
    )
    text = "\n".join(cell.source for cell in cells_of(folder, "question"))
    assert "- It runs the program of `f`.\n\n  <details><summary>Right.</summary>" in text


def test_a_quotation_mark_in_a_translation_does_not_end_an_attribute(
    small_guide: SmallGuide,
) -> None:
    for folder in ("docs/_locale", "locale"):
        file = small_guide.root / folder / "ja" / "LC_MESSAGES" / "sphinx.po"
        words = re.sub(r'^(msgstr ".+)"$', r'\1\""', file.read_text(encoding="utf-8"), flags=re.M)
        file.write_text(words, encoding="utf-8")
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose=QUESTION))
    small_guide.build("--language=ja")
    html = [
        BeautifulSoup(small_guide.page(page, "ja"), "html.parser") for page in ("one", "search")
    ]
    # The head is Furo's, and the links of headings are Sphinx's.
    tags = [tag for page in html for tag in page.select("body :not(.headerlink)")]
    assert tags and not [tag for tag in tags if '"' in tag.attrs]


def test_a_question_without_a_right_choice_is_refused(small_guide: SmallGuide) -> None:
    wrong = QUESTION.replace("(x)", "( )")
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose=wrong))
    made = small_guide.make("--language=en")
    assert made.returncode == 1
    assert "one.md:11: ERROR: mark one choice as right" in made.stdout


def test_an_answer_folds_its_explanation_and_its_cells(folder: Path, read: Read) -> None:
    page = read("answer")
    assert [title.text for title in page.select(".exercise > .exercise-title")] == ["Exercise 1"]
    answer = page.select_one("details.answer")
    assert answer and not answer.has_attr("open")
    texts = [part.get_text(" ", strip=True) for part in answer.find_all(recursive=False)]
    assert texts[:2] == ["Answer", "The answer to everything."]
    assert "42" in texts[2] and "43" not in answer.text
    cells = cells_of(folder, "answer")
    assert "<summary>Answer</summary>\n\nThe answer to everything." in cells[-3].source
    assert [cell.source for cell in cells[-2:]] == ["print(6 * 7)", "print(43)"]


def test_consecutive_cells_are_tabs(folder: Path, read: Read) -> None:
    page = read("tabs")
    tabs = page.select(".tab-set")
    assert len(tabs) == 1
    assert [label.text for label in tabs[0].select("label")] == ["JAX", "PyTorch"]
    assert [button.has_attr("checked") for button in tabs[0].select("input")] == [True, False]
    shown = [tab.select_one(".cell_output") for tab in tabs[0].select(".tab")]
    assert [text.get_text(strip=True) for text in shown if text] == [
        "42",
        "not run: no_such_package is not installed",
    ]
    row = read("reference/status").select_one("tr:has(a[href='../tabs.html'])")
    assert row and [cell.text for cell in row.select("td")][4] == "2"  # ran
    sources = [cell.source for cell in cells_of(folder, "tabs")[-5:]]
    assert sources[0].endswith("**JAX**")
    assert sources[1:] == ["print(6 * 7)", "**PyTorch**", "import no_such_package", "print(43)"]


def test_captioned_blocks_are_tabs(read: Read) -> None:
    page = read("commands")
    assert [label.text for label in page.select(".tab-set label")] == ["pip", "conda"]
    assert [tab.text.strip() for tab in page.select(".tab-set .tab")] == [
        "pip install jax",
        "conda install jax",
    ]


def test_phrases_have_heads_and_their_value_is_a_comment(read: Read) -> None:
    table = read("phrases").select_one(".phrases")
    assert table
    assert [head.text for head in table.select("th")] == ["NumPy", "JAX"]
    assert [comment.text for comment in table.select("td .c1")] == ["# a"]


def test_the_status_names_once_what_is_the_same_for_all_pages(read: Read) -> None:
    page = read("reference/status")
    heads = [head.text for head in page.select("th")]
    assert heads == ["Page", "Seconds", "CPU seconds", "Compilations", "Cells"]
    assert " · JAX " in page.text
    cells = page.select("tbody tr:first-child td")
    assert [cell["data-head"] for cell in cells] == heads


def test_the_glossary_has_letters(read: Read) -> None:
    page = read("reference/glossary", "ko")
    letters = page.select(".filter a")
    assert {page.select_one(str(link["href"])) is not None for link in letters} == {True}
    assert len(letters) == len(page.select(".letter")) > 10


def test_a_folded_cell_is_called_code_in_the_language_of_the_page(read: Read) -> None:
    for language, word in (("en", "Code"), ("ko", "코드")):
        lines = read("folded", language).select("details.hide .collapsed")
        assert [line.text for line in lines] == [word, word]


def test_the_checks_that_end_a_cell_are_folded_below_it(folder: Path, read: Read) -> None:
    for language, label, comment in (("en", "✓ 2 checks", "small"), ("ja", "✓ 検証2件", "小さい")):
        cell, *others = read("checks", language).select("div.cell")
        code, output, checks = cell.find_all(recursive=False)
        assert code.text.strip() == "y = 6 * 7\nprint(y)"
        assert output.text.strip() == "42"
        assert [line.text for line in checks.select("summary > .collapsed")] == [label]
        assert not checks.has_attr("open")
        assert f"# {comment}\nfor limit in (43, 44):" in checks.text
        assert not [other for other in others if other.select(".checks")]
        assert all("assert" in other.text for other in others)
    sources = [cell.source for cell in cells_of(folder, "checks")]
    assert sources.count(CHECKED) == 3


def test_the_first_use_of_a_term_has_its_meaning(read: Read) -> None:
    for language, word, before in (("en", "gradient", "A "), ("ja", "勾配", "。")):
        links = read("terms", language).select("a.term")
        assert [link.text for link in links] == [word]
        assert str(links[0].previous_sibling).endswith(before)
        assert links[0]["href"] == "reference/glossary.html#term-gradient"
        assert links[0]["data-meaning"]
    assert links[0]["data-names"] == "gradient"
