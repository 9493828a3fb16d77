"""What pages are made of besides prose and cells: on the page, and in its notebook."""

import re
import subprocess
import sys

import nbformat
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


def test_a_question_is_answered_by_what_each_choice_folds(small_guide: SmallGuide) -> None:
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose=QUESTION))
    small_guide.write("locale/ja/LC_MESSAGES/one.po", po(JAPANESE))
    small_guide.build("--language=en", "--language=ja")
    html = BeautifulSoup(small_guide.page("one"), "lxml")
    choices = html.select(".question details")
    assert [" ".join(choice.get_text().split()) for choice in choices] == [
        "It runs the program of f. Right. The shapes are the same.",
        "It traces again. Not quite. Only other shapes do that.",
    ]
    assert [choice.has_attr("open") for choice in choices] == [False, False]
    assert choices[0].select("summary code")
    japanese = BeautifulSoup(small_guide.page("one", "ja"), "lxml").select_one(".question")
    assert japanese
    assert "untranslated" not in str(japanese)
    assert "fのプログラムを実行する。 正解です。 形状が同じだからです。" in " ".join(
        japanese.get_text().split()
    )
    text = "\n".join(cell.source for cell in made_notebook(small_guide).cells)
    assert "- It runs the program of `f`.\n\n  <details><summary>Right.</summary>" in text


def test_a_quotation_mark_in_a_translation_does_not_end_an_attribute(
    small_guide: SmallGuide,
) -> None:
    file = small_guide.root / "docs" / "_locale" / "ja" / "LC_MESSAGES" / "sphinx.po"
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


def test_an_answer_folds_its_explanation_and_its_cells(small_guide: SmallGuide) -> None:
    prose = ":::{exercise}\nWhat is it?\n:::\n\n:::{answer}\nThe answer to everything.\n:::"
    cells = (":tags: [hide-cell]\nprint(6 * 7)", "print(43)")
    small_guide.write("docs/one.md", notebook(*cells, prose=f"{prose}"))
    small_guide.build("--language=en")
    page = BeautifulSoup(small_guide.page("one"), "lxml")
    assert [title.text for title in page.select(".exercise > .exercise-title")] == ["Exercise 1"]
    answer = page.select_one("details.answer")
    assert answer and not answer.has_attr("open")
    texts = [part.get_text(" ", strip=True) for part in answer.find_all(recursive=False)]
    assert texts[:2] == ["Answer", "The answer to everything."]
    assert "42" in texts[2] and "43" not in answer.text
    cells_made = made_notebook(small_guide).cells
    assert "<summary>Answer</summary>\n\nThe answer to everything." in cells_made[-3].source
    assert [cell.source for cell in cells_made[-2:]] == ["print(6 * 7)", "print(43)"]


def test_consecutive_cells_are_tabs(small_guide: SmallGuide) -> None:
    cells = (
        "---\ntab: JAX\n---\nprint(6 * 7)",
        "---\ntab: PyTorch\nneeds: no_such_package\n---\nimport no_such_package",
        "print(43)",
    )
    small_guide.write("docs/one.md", notebook(*cells))
    small_guide.build("--language=en")
    page = BeautifulSoup(small_guide.page("one"), "lxml")
    tabs = page.select(".tab-set")
    assert len(tabs) == 1
    assert [label.text for label in tabs[0].select("label")] == ["JAX", "PyTorch"]
    assert [button.has_attr("checked") for button in tabs[0].select("input")] == [True, False]
    shown = [tab.select_one(".cell_output") for tab in tabs[0].select(".tab")]
    assert [text.get_text(strip=True) for text in shown if text] == [
        "42",
        "not run: no_such_package is not installed",
    ]
    status = BeautifulSoup(small_guide.page("reference/status"), "lxml")
    assert [cell.text for cell in status.select("tbody tr:first-child td")][4] == "2"  # ran
    sources = [cell.source for cell in made_notebook(small_guide).cells[-5:]]
    assert sources[0].endswith("**JAX**")
    assert sources[1:] == ["print(6 * 7)", "**PyTorch**", "import no_such_package", "print(43)"]


def test_a_book_shows_tabs_one_after_another_and_folded_cells(small_guide: SmallGuide) -> None:
    cells = (
        "---\ntab: JAX\n---\nprint(6 * 7)",
        "---\ntab: NumPy\n---\nprint(6 * 8)",
        ":tags: [hide-cell]\nprint(43)",
    )
    small_guide.write("docs/one.md", notebook(*cells))
    small_guide.build("--language=en")
    build_epub = (
        "from docs._guide.execute.environment import cache_folder\n"
        "from docs._guide.site.build import build\n"
        "assert build('epub', ['en'], cache_folder('cpu'), ['en'])"
    )
    book = subprocess.run(
        [sys.executable, "-c", build_epub],
        cwd=small_guide.root,
        capture_output=True,
        encoding="utf-8",
    )
    assert book.returncode == 0, book.stdout + book.stderr
    file = small_guide.root / "_build" / "en" / "epub" / "epub" / "one.xhtml"
    page = BeautifulSoup(file.read_text(encoding="utf-8"), "lxml")
    assert [label.text for label in page.select(".tab-label")] == ["JAX", "NumPy"]
    assert not page.select("input[type=radio]")
    folded = page.select_one("details")
    assert folded and "43" in folded.text


def test_folded_cells_say_what_is_in_them(small_guide: SmallGuide) -> None:
    folded = ":tags: [hide-input]\n"
    cells = (
        f"{folded}import json\nfrom pathlib import Path",
        f"{folded}def double(x):\n    return 2 * x\nprint(double(21))",
        "print(43)",
    )
    small_guide.write("docs/one.md", notebook(*cells))
    small_guide.build("--language=en", "--language=ko")
    for language, words in {
        "en": ["Imports: json, pathlib", "Code: double()"],
        "ko": ["불러오는 라이브러리: json, pathlib", "코드: double()"],
    }.items():
        page = BeautifulSoup(small_guide.page("one", language), "lxml")
        assert [line.text for line in page.select("details.hide .collapsed")] == words


def test_the_first_use_of_a_term_has_its_meaning(small_guide: SmallGuide) -> None:
    prose = "## On gradients\n\nGradient descent and `gradient`. A gradient, and two gradients."
    small_guide.write("docs/one.md", notebook("print(6 * 7)", prose=prose))
    small_guide.write("docs/reference/glossary.md", "# Glossary\n\n```{terms}\n```\n")
    index = small_guide.root / "docs" / "index.md"
    contents = index.read_text(encoding="utf-8").replace("one\n", "one\nreference/glossary\n")
    index.write_text(contents, encoding="utf-8")
    japanese = "勾配降下法と`gradient`。勾配は1つ、勾配は2つ。"
    text = {"Gradient descent and `gradient`. A gradient, and two gradients.": japanese}
    small_guide.write("locale/ja/LC_MESSAGES/one.po", po(text))
    small_guide.build("--language=en", "--language=ja")
    for language, word, before in (("en", "gradient", "A "), ("ja", "勾配", "。")):
        page = BeautifulSoup(small_guide.page("one", language), "lxml")
        links = page.select("a.term")
        assert [link.text for link in links] == [word]
        assert str(links[0].previous_sibling).endswith(before)
        assert links[0]["href"] == "reference/glossary.html#term-gradient"
        assert links[0]["data-meaning"]
    assert "gradient" in str(links[0]["data-names"]).split(", ")


def made_notebook(guide: SmallGuide) -> nbformat.NotebookNode:
    """The notebook of a page."""
    path = guide.root / "site/en/_notebooks/one.ipynb"
    made: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    return made
