"""A page runs, or says where and why it did not."""

import asyncio
import os

import pytest

from docs._make.failure import PageFailure
from docs._make.kernel import run_page
from docs._make.page import Page, read_page
from tests.conftest import notebook


def page(*cells: str, more: str = "") -> Page:
    return read_page("some/page", notebook(*cells, more=more))


def failure_of(failing: Page) -> str:
    with pytest.raises(PageFailure) as caught:
        asyncio.run(run_page(failing, "cpu"))
    return str(caught.value)


def line_of(text: str, failing: Page) -> int:
    return failing.text.splitlines().index(text) + 1


def test_cells_run_in_order_on_the_backend() -> None:
    works = page("import jax\nx = jax.numpy.arange(3)", "print(jax.default_backend(), x.sum())")
    executed, facts = asyncio.run(run_page(works, "cpu"))
    outputs = [cell.outputs for cell in executed.cells if cell.cell_type == "code"]
    assert outputs[0] == []
    assert outputs[1][0]["text"] == "cpu 3\n"
    assert facts["backend"] == "cpu"
    assert facts["cells"] == 2
    assert facts["seconds"] > 0
    assert facts["device"]


def test_a_line_that_the_kernel_sends_in_pieces_is_one_line() -> None:
    slow = page("import time", "print('one', end='', flush=True)\ntime.sleep(1)\nprint(' two')")
    executed, _facts = asyncio.run(run_page(slow, "cpu"))
    (output,) = executed.cells[-1].outputs
    assert output["text"] == "one two\n"


def test_a_raising_cell_is_told_with_its_line_and_traceback() -> None:
    failing = page("good = 1", "value = 2\nassert value == 3, 'not three'")
    told = failure_of(failing)
    line = line_of("assert value == 3, 'not three'", failing)
    assert told.startswith(f"docs/some/page.md:{line}: cell 2 of 2 raised AssertionError")
    assert "AssertionError: not three" in told
    assert "\x1b" not in told
    assert told.endswith("To try just this page: nox -s docs -- --page some/page")


def test_a_hanging_cell_is_stopped_at_its_limit() -> None:
    failing = page("import time\ntime.sleep(60)", more="guide:\n  cell_limit_s: 2\n")
    assert "cell 1 of 1 was stopped: it took longer than its limit of 2 s" in failure_of(failing)


def test_a_cell_that_kills_its_kernel_is_told() -> None:
    failing = page("import os, signal", "os.kill(os.getpid(), signal.SIGKILL)")
    assert "cell 2 of 2 killed its kernel" in failure_of(failing)


def test_a_cell_meant_to_raise_may_and_must() -> None:
    executed, _ = asyncio.run(run_page(page(":tags: [raises-exception]\n1 / 0"), "cpu"))
    assert executed.cells[-1].outputs[0]["ename"] == "ZeroDivisionError"
    told = failure_of(page(":tags: [raises-exception]\n1 / 1"))
    assert "is tagged raises-exception, but raised nothing" in told


def test_a_traceback_does_not_tell_where_libraries_lie() -> None:
    raising = page("import jax", ":tags: [raises-exception]\njax.grad(1)")
    executed, _ = asyncio.run(run_page(raising, "cpu"))
    traceback = "\n".join(executed.cells[-1].outputs[0]["traceback"])
    assert "File jax/_src/" in traceback
    assert "site-packages" not in traceback


def test_a_traceback_does_not_tell_where_a_cell_was_kept() -> None:
    raising = page(
        "import jax",
        ":tags: [raises-exception]\n@jax.jit\ndef choose(x):\n    return 1 if x else 2\nchoose(1)",
    )
    executed, _ = asyncio.run(run_page(raising, "cpu"))
    traceback = "\n".join(executed.cells[-1].outputs[0]["traceback"])
    assert "choose at cell:" in traceback
    assert "ipykernel_" not in traceback


def test_a_page_sees_neither_the_checkout_nor_the_users_settings() -> None:
    checks = page(
        "import os, pathlib\nprint(list(pathlib.Path().iterdir()))",
        "from IPython import get_ipython\nprint(get_ipython().profile_dir.location)",
    )
    executed, _ = asyncio.run(run_page(checks, "cpu"))
    outputs = [cell.outputs[0]["text"] for cell in executed.cells if cell.cell_type == "code"]
    assert outputs[0] == "[]\n"
    assert not outputs[1].startswith(os.path.expanduser("~"))
