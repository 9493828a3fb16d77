"""The headings of `docs/trouble/errors-values.md` quote messages, and what was meant works."""

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator
from inspect import getmembers, isfunction
from typing import Any

import _errors.values
import jax
import numpy as np
import pytest

from docs._make.options import ROOT

FUNCTIONS: dict[str, Callable[[], Any]] = {
    name: function
    for name, function in getmembers(_errors.values, isfunction)
    if function.__module__ == _errors.values.__name__
}
SILENT = [
    "loss_of_all_pairs",
    "index_outside",
    "long_number",
    "bright_image",
    "factorial",
    "integer_quotient",
    "norm_at_zero",
    "slope_of_where",
]


@contextlib.contextmanager
def settings_that_find_mistakes() -> Iterator[None]:
    with warnings.catch_warnings(), jax.debug_nans(True), jax.debug_key_reuse(True):
        warnings.simplefilter("error")
        yield


def headings() -> dict[str, str]:
    """What stands above each function on the page."""
    page = (ROOT / "docs/trouble/errors-values.md").read_text()
    sections = re.findall(r"^### (.+?)\n(.+?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL)
    found = {}
    for heading, section in sections:
        first = re.search(r"^def (\w+)\(\)", section, re.MULTILINE)
        assert first, heading
        found[first[1]] = heading
    return found


def test_each_function_has_what_was_meant_and_a_section() -> None:
    failing = {name for name in FUNCTIONS if not name.endswith("_fixed")}
    assert failing == {name.removesuffix("_fixed") for name in FUNCTIONS.keys() - failing}
    assert failing == headings().keys()


@pytest.mark.parametrize("name", sorted(headings().keys() - set(SILENT)))
def test_the_heading_quotes_the_message(name: str) -> None:
    quoted = re.match("`(.+?)`", headings()[name])
    assert quoted
    with pytest.raises(Exception) as error:
        FUNCTIONS[name]()
    assert quoted[1] in str(error.value).splitlines()[0]


@pytest.mark.parametrize("name", SILENT)
def test_nothing_is_raised(name: str) -> None:
    jax.tree.map(np.asarray, FUNCTIONS[name]())
    assert headings()[name].startswith("No error: ")


@pytest.mark.parametrize("name", [name for name in FUNCTIONS if name.endswith("_fixed")])
def test_what_was_meant_passes_the_settings_that_find_mistakes(name: str) -> None:
    wants_nan = name == "index_outside_fixed"
    with settings_that_find_mistakes(), jax.debug_nans(not wants_nan):
        assert FUNCTIONS[name]() is not None
