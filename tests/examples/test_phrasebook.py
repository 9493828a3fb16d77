"""The phrasebook finds wrong rows, and its script has the tables of the page."""

import re

import numpy as np
import phrasebook
import pytest

from docs._guide.options import ROOT


def test_page_and_script_have_the_same_tables() -> None:
    page = (ROOT / "docs/reference/phrasebook.md").read_text(encoding="utf-8")
    calls = re.findall(r'^phrases\("""(.*?)""", (\w+)_names\)$', page, re.DOTALL | re.MULTILINE)
    tables = [(text, name) for name, group in phrasebook.TABLES.items() for text in group.values()]
    assert calls[: len(tables)] == tables
    assert len(calls) == len(tables) + 2  # a wrong row and an answer


@pytest.mark.parametrize("row", ["a.sort(); a  ==  a.sort(); a", "np.sum(a)  !=  jnp.sum(a)"])
def test_a_wrong_row_fails(row: str) -> None:
    wrong = phrasebook.split_rows(row)
    with pytest.raises(AssertionError, match="sort" if "sort" in row else "sum"):
        phrasebook.checked(wrong, phrasebook.numpy_names)


@pytest.mark.parametrize(
    ("row", "error"), [("a[10]  ==  a[0]", IndexError), ("a[0]  ==  jnp.missing", AttributeError)]
)
def test_an_unexpected_error_is_no_result(row: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        phrasebook.checked(phrasebook.split_rows(row), phrasebook.numpy_names)


def test_rows_keep_the_indentation_of_code() -> None:
    text = "for v in a:\n    b += v\nb\n== def f(v):\n       return v\n   f(a); a"
    assert phrasebook.split_rows(text) == [
        ("for v in a:\n    b += v\nb", "==", "def f(v):\n    return v\nf(a)\na")
    ]


def test_close_is_the_same_and_another_shape_is_not() -> None:
    x = np.ones((2, 3), np.float32)
    assert phrasebook.same(x, x.astype(np.float64) + 1e-6)
    assert not phrasebook.same(x, x + 1e-3) and not phrasebook.same(x, x.T)
    assert not phrasebook.same((x, x), x)
