"""Pages are read as Sphinx reads them, and know what their outputs depend on."""

from pathlib import Path

import pytest

from docs._make.page import digest_of_modules, imports, local_modules, pages_that_run, read_page
from tests.conftest import notebook


def test_every_page_with_cells_runs() -> None:
    names = [page.name for page in pages_that_run()]
    assert {"measure/async-dispatch", "transforms/grad", "transforms/scan"} <= set(names)


def test_line_of_a_cell_is_its_line_in_the_file() -> None:
    text = notebook("first = 1", ":tags: [hide-cell]\nsecond = 2\nthird = 3")
    page = read_page("some/page", text)
    index = next(i for i, cell in enumerate(page.notebook.cells) if "second" in cell.source)
    lines = text.splitlines()
    assert lines[page.line(index) - 1] == "second = 2"
    assert lines[page.line(index, 2) - 1] == "third = 3"


def test_front_matter_sets_limits() -> None:
    plain = read_page("a", notebook("1"))
    special = read_page("a", notebook("1", more="guide:\n  timed: true\n  cell_limit_s: 300\n"))
    assert (plain.timed, plain.cell_limit_s) == (False, 120)
    assert (special.timed, special.cell_limit_s) == (True, 300)


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr("docs._make.page.ROOT", tmp_path)
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples" / "__init__.py").touch()
    (tmp_path / "examples" / "direct.py").write_text("from examples import indirect\n")
    (tmp_path / "examples" / "indirect.py").write_text("VALUE = 1\n")
    (tmp_path / "examples" / "other.py").write_text("VALUE = 2\n")
    return tmp_path


@pytest.mark.parametrize(
    "cell",
    [
        "from examples.direct import indirect",
        "import examples.direct",
        "if True:\n    from examples import direct as renamed",
        "import jax\n\nsource = '''\nfrom jax import (\n'''\nfrom examples import direct",
        "%matplotlib inline\nfrom examples import direct",
        "from examples import (\n    direct,\n)",
    ],
)
def test_imports_are_followed(tree: Path, cell: str) -> None:
    found = {path.name for path in local_modules(imports([cell]))}
    assert {"direct.py", "indirect.py"} <= found


@pytest.mark.parametrize("mistake", ["from jax import (", "x = 1\nfrom __future__ import division"])
def test_a_mistake_in_a_module_counts_all(tree: Path, mistake: str) -> None:
    (tree / "examples" / "indirect.py").write_text(mistake)
    found = {path.name for path in local_modules(["from examples import direct"])}
    assert {"direct.py", "indirect.py", "other.py"} <= found


def test_a_cell_may_look_into_the_future(tree: Path) -> None:
    cells = ["import jax", "from __future__ import annotations", "from examples import direct"]
    found = {path.name for path in local_modules(imports(cells))}
    assert "direct.py" in found
    assert "other.py" not in found


def test_only_imported_modules_count(tree: Path) -> None:
    statements = ["import jax", "from examples import direct"]
    before = digest_of_modules(statements)
    (tree / "examples" / "other.py").write_text("VALUE = 3\n")
    assert digest_of_modules(statements) == before
    (tree / "examples" / "indirect.py").write_text("VALUE = 3\n")
    assert digest_of_modules(statements) != before
    assert local_modules(["import jax.numpy as jnp", "import numpy"]) == set()
