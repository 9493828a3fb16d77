"""A page runs, or fails with where and why; nothing of it is left running."""

import asyncio
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest
from nbformat import NotebookNode

from docs._guide.execute import cache, kernel
from docs._guide.execute.kernel import PageFailure, run_page
from docs._guide.execute.page import Page, code_cells, read_page
from docs._guide.execute.runner import run_pages
from tests.conftest import notebook


@pytest.fixture
def no_jax(jupyter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that do not take the time to import JAX."""
    monkeypatch.setenv("JUPYTER_PATH", str(jupyter))


def page(*cells: str, more: str = "") -> Page:
    result = read_page("some/page", notebook(*cells, more=more))
    assert result
    return result


def execute(*cells: str) -> tuple[list[NotebookNode], dict[str, Any]]:
    """Run a page; return its cells and the run's metadata."""
    executed, metadata = asyncio.run(run_page(page(*cells), "cpu"))
    return code_cells(executed), metadata


def failure(failing: Page) -> str:
    with pytest.raises(PageFailure) as caught:
        asyncio.run(run_page(failing, "cpu"))
    return str(caught.value)


def test_a_page_runs_on_the_backend_and_its_tracebacks_name_no_folder() -> None:
    jitted = "@jax.jit\ndef choose(x):\n    return 1 if x else 2\nchoose(1)"
    cells, metadata = execute(
        "import jax\nx = jax.numpy.arange(3)",
        "print(jax.default_backend(), x.sum())",
        ":tags: [raises-exception]\njax.grad(1)",
        f":tags: [raises-exception]\n{jitted}",
    )
    assert cells[0].outputs == []
    assert cells[1].outputs[0]["text"] == "cpu 3\n"
    library, own = ("\n".join(cell.outputs[0]["traceback"]) for cell in cells[2:])
    assert re.search(r"\[\.\.\. \d+ library frames?\]", library)
    assert "site-packages" not in library
    assert "choose at cell:" in own
    assert "ipykernel_" not in own
    assert metadata["backend"] == "cpu"
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", metadata["date"])
    assert metadata["seconds"] > 0
    assert metadata["device"]


@pytest.mark.usefixtures("no_jax")
def test_a_page_sees_neither_the_checkout_nor_the_users_settings() -> None:
    cells, _ = execute(
        "import os, pathlib\nprint(list(pathlib.Path().iterdir()))",
        "from IPython import get_ipython\nprint(get_ipython().profile_dir.location)",
        ":tags: [raises-exception]\nimport docs",
        "import time\nprint('one', end='', flush=True)\ntime.sleep(1)\nprint(' two')",
    )
    assert cells[0].outputs[0]["text"] == "[]\n"
    assert not cells[1].outputs[0]["text"].startswith(os.path.expanduser("~"))
    assert cells[2].outputs[0]["ename"] == "ModuleNotFoundError"
    (output,) = cells[3].outputs
    assert output["text"] == "one two\n", "one line, though the kernel sends it in two pieces"


@pytest.mark.usefixtures("no_jax")
def test_a_raising_cell_is_reported_with_its_line_and_traceback() -> None:
    failing = page("good = 1", "value = 2\nassert value == 3, 'not three'")
    message = failure(failing)
    line = failing.text.splitlines().index("assert value == 3, 'not three'") + 1
    assert message.startswith(f"docs/some/page.md:{line}: cell 2 of 2 raised AssertionError")
    assert "AssertionError: not three" in message
    assert "\x1b" not in message
    assert message.endswith("To run only this page: nox -s docs -- --page some/page")


@pytest.mark.usefixtures("no_jax")
@pytest.mark.parametrize(
    ("cell", "reason"),
    [
        ("import time\ntime.sleep(60)", "was stopped: it took longer than its limit of 2 s"),
        ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)", "killed its kernel"),
        (":tags: [raises-exception]\n1 / 1", "is tagged raises-exception, but raised nothing"),
        ("for n in range(10**5):\n    print('x' * 99)", "was stopped: it printed more than 1 MB"),
        (
            "from IPython.display import HTML, display\ndisplay(HTML('x' * 10**7))",
            "was stopped: it printed more than 1 MB",
        ),
    ],
    ids=["hangs", "dies", "does not raise", "prints", "displays"],
)
def test_a_cell_that_may_not_go_on_is_stopped(
    cell: str, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kernel, "OUTPUT_LIMIT_MB", 1)
    limits = "guide:\n  cell_limit_s: 2\n" if "sleep" in cell else ""
    message = failure(page("1", cell, more=limits))
    assert re.match(rf"docs/some/page\.md:\d+: cell 2 of 2 {re.escape(reason)}\n", message)


@pytest.mark.usefixtures("no_jax")
def test_what_a_page_started_ends_with_it(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    start = "import subprocess\nsleeper = subprocess.Popen(['sleep', '90'])\n"
    execute(f"{start}open({str(file)!r}, 'w').write(str(sleeper.pid))")
    deadline = time.monotonic() + 10  # until init has reaped it
    with suppress(psutil.NoSuchProcess):
        while psutil.Process(int(file.read_text())).status() != psutil.STATUS_ZOMBIE:
            assert time.monotonic() < deadline
            time.sleep(0.05)


@pytest.mark.usefixtures("no_jax")
def test_a_failing_measurement_is_retried_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs = tmp_path / "runs"
    count = f"with open({str(runs)!r}, 'a') as file: file.write('x')"
    timed = "guide: {timed: true}\n"

    def attempts(claim: str, more: str) -> tuple[str, int]:
        runs.write_text("")
        pages = [page(count, claim, more=more)]
        failures = asyncio.run(run_pages(tmp_path / "cache", pages, "cpu", 1))
        return runs.read_text(), len(failures)

    assert attempts(f"assert len(open({str(runs)!r}).read()) > 1", timed) == ("xx", 0)
    assert "cell 2 of 2 raised AssertionError" in capsys.readouterr().out, "both are reported"
    assert attempts("assert False", timed) == ("xx", 1)
    assert attempts("assert False", "") == ("x", 1)  # measures no time
    assert attempts("1 / 0", timed) == ("x", 1)  # no assertion


@pytest.mark.usefixtures("no_jax")
def test_pages_run_at_once_but_those_that_measure_run_alone(tmp_path: Path) -> None:
    folder = tmp_path / "started"
    folder.mkdir()
    wait_for_each_other = f"""
import pathlib, time
folder = pathlib.Path({str(folder)!r})
(folder / "{{}}").touch()
deadline = time.monotonic() + 60
while len(list(folder.iterdir())) < 2:
    assert time.monotonic() < deadline
    time.sleep(0.05)"""
    after_both = f"import os\nassert len(os.listdir({str(folder)!r})) == 2"
    texts = {
        "alone": notebook(after_both, more="guide: {timed: true}\n"),
        "one": notebook(wait_for_each_other.format("one")),
        "two": notebook(wait_for_each_other.format("two")),
    }
    pages = [page for name, text in texts.items() if (page := read_page(name, text))]
    assert asyncio.run(run_pages(tmp_path / "cache", pages, "cpu", 2)) == []
    assert cache.missing(tmp_path / "cache", pages) == []
