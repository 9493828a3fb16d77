"""The headings of `docs/trouble/errors-values.md` quote messages, and the cures work."""

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

from docs._guide.options import ROOT

FUNCTIONS: dict[str, Callable[[], Any]] = {
    name: function
    for name, function in getmembers(_errors.values, isfunction)
    if function.__module__ == _errors.values.__name__
}
SILENT = ["loss_of_all_pairs", "index_outside", "long_number", "bright_image"]
SILENT += ["factorial", "integer_quotient", "norm_at_zero", "slope_of_where"]


@contextlib.contextmanager
def strict_settings() -> Iterator[None]:
    with warnings.catch_warnings(), jax.debug_nans(True), jax.debug_key_reuse(True):
        warnings.simplefilter("error")
        yield


def headings() -> dict[str, str]:
    """The page's heading above each function."""
    page = (ROOT / "docs/trouble/errors-values.md").read_text(encoding="utf-8")
    sections = re.findall(r"^### (.+?)\n(.+?)(?=^##|\Z)", page, re.MULTILINE | re.DOTALL)
    by_function = {}
    for heading, section in sections:
        first = re.search(r"^def (\w+)\(\)", section, re.MULTILINE)
        assert first, heading
        by_function[first[1]] = heading
    return by_function


def test_every_function_has_a_cure_and_a_section() -> None:
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
def test_a_cure_passes_the_strictest_settings(name: str) -> None:
    returns_nan = name == "index_outside_fixed"
    with strict_settings(), jax.debug_nans(not returns_nan):
        assert FUNCTIONS[name]() is not None
