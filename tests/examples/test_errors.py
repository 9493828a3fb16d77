"""The script searches the indexes of the pages on errors, whose links lead to sections."""

import functools
import io
import posixpath
import re
import traceback
from collections.abc import Callable

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from flax import nnx
from myst_parser.slugs import github_slugify

from docs._guide.options import ROOT
from tests.examples.conftest import Refused, example

errors = example("tools/errors.py")
find, main, table = errors.find, errors.main, errors.table

TRACING, VALUES = PAGES = ["trouble/errors-tracing", "trouble/errors-values"]
ENTRY = re.compile(r"^- `([^`]+)`: (.*)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^)]*)#(.+?)\)")


def text(page: str) -> str:
    return (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8")


def linked(page: str) -> set[tuple[str, str, str]]:
    """The messages of a page's index, and each page and section where it leads."""
    folder = posixpath.dirname(page)
    return {
        (quoted, posixpath.normpath(f"{folder}/{path}")[:-3] if path else page, section)
        for quoted, links in ENTRY.findall(text(page))
        for path, section in LINK.findall(links)
    }


def test_the_indexes_and_the_rows_agree() -> None:
    rows = {(row["message"], row["page"], row["section"]) for row in table()}
    entries = linked(TRACING) | linked(VALUES)
    assert {entry[0] for entry in entries} == {entry[0] for entry in entries & rows}
    assert {row[1:] for row in rows} <= {entry[1:] for entry in entries}
    assert len({row[0] for row in rows}) == len(table()) > 50


@pytest.mark.parametrize("row", table(), ids=lambda row: row["message"])
def test_a_row_is_complete_and_leads_to_a_section(row: dict[str, str]) -> None:
    headings = re.findall(r"^#+ (.+)$", text(row["page"]), re.MULTILINE)
    assert row["section"] in {github_slugify(heading.replace("`", "")) for heading in headings}
    assert all(value and value == value.strip() for value in row.values())
    assert row["cause"].endswith(".") and row["fix"].endswith(".")
    assert find(f"XError: {row['message']}")[0] == row


def branch(q: jax.Array) -> int:
    return 1 if q.any() else 2


def store(seen: list[jax.Array], q: float) -> jax.Array:
    jax.jit(lambda q: seen.append(q * q))(q)
    return jnp.sin(seen[0])


def drop() -> object:
    layer = nnx.Dropout(0.5, rngs=nnx.Rngs(0))
    return jax.jit(lambda q: layer(q))(jnp.ones(3))


@functools.partial(jax.custom_vjp, nondiff_argnums=(1,))
def scaled(q: jax.Array, factor: jax.Array) -> jax.Array:
    return q * factor


scaled.defvjp(lambda q, factor: (q * factor, None), lambda factor, _, weight: (weight * factor,))


PROGRAMS: dict[str, Callable[[], object]] = {
    f"{TRACING}.html#tracerboolconversionerror": lambda: jax.jit(branch)(jnp.ones(23)),
    f"{TRACING}.html#tracerarrayconversionerror": lambda: jax.jit(lambda q: 2 * np.cos(q))(
        jnp.ones(3)
    ),
    f"{TRACING}.html#shapes-must-be-1d-sequences-of-concrete-values": lambda: jax.jit(jnp.arange)(
        5
    ),
    f"{TRACING}.html#concretizationtypeerror-from-nonzero-and-unique": lambda: jax.jit(jnp.unique)(
        jnp.ones(23)
    ),
    f"{TRACING}.html#array-slice-indices-must-have-static-start": lambda: jax.jit(
        lambda q, r: q[..., 1:r]
    )(jnp.ones((2, 23)), 5),
    f"{TRACING}.html#error-interpreting-argument-to": lambda: jax.jit(lambda q: q)("mean"),
    f"{TRACING}.html#unexpectedtracererror": lambda: store([], 23),
    f"{VALUES}.html#jax-arrays-are-immutable": lambda: jnp.ones(3).__setitem__(0, 2.0),
    f"{VALUES}.html#vmap-got-inconsistent-sizes": lambda: jax.vmap(jnp.add)(
        jnp.ones(3), jnp.ones(4)
    ),
    f"{TRACING}.html#tracecontexterror-from-flax": drop,
    "transforms/custom-derivatives.html#what-goes-wrong": lambda: jax.jit(jax.grad(scaled))(
        2.0, 3.0
    ),
    f"{VALUES}.html#must-be-a-tree-prefix": lambda: jax.vmap(jnp.add, in_axes=((0, 1), (0, 1)))(
        jnp.ones((2, 3)), jnp.ones((2, 3))
    ),
    f"{VALUES}.html#too-many-indices": lambda: jnp.ones(3)[0][0],
    f"{VALUES}.html#module-jax-has-no-attribute": lambda: jax.core.Shape,  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("address", PROGRAMS)
def test_a_traceback_of_another_program_leads_to_its_section(
    address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Exception) as raised:
        PROGRAMS[address]()
    pasted = "".join(traceback.format_exception(raised.value))
    monkeypatch.setattr("sys.stdin", io.StringIO(pasted))
    assert main(["-"]) == 0
    first = capsys.readouterr().out.split("\n\n")[0]
    assert first.endswith(f"  page:  {address}")


def test_an_unknown_message_ends_with_status_1(
    capsys: pytest.CaptureFixture[str], refused: Refused
) -> None:
    assert main(["ValueError:", "could not convert string to float: 'three'"]) == 1
    assert capsys.readouterr().out.count("\n") == 1
    assert "give a longer part" in refused(main, "x")
