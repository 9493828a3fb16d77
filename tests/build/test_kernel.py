"""A page runs, or fails with where and why; nothing of it is left running."""

import asyncio
import re
import subprocess
import tempfile
import time
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
from nbformat import NotebookNode

from docs._guide.execute import cache, environment, kernel
from docs._guide.execute.kernel import PageFailure, run_page
from docs._guide.execute.page import Page, code_cells, read_page
from docs._guide.execute.runner import run_pages
from docs._guide.options import ROOT
from tests.conftest import notebook


@pytest.fixture
def no_jax(python: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Kernels that do not take the time to import JAX."""
    monkeypatch.setattr("sys.executable", str(python))


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


def test_what_xla_compiled_is_cached_unless_a_page_measures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment, "compiled_folder", lambda: tmp_path / "compiled")
    code = "import jax\nprint(jax.jit(lambda x: x * 2)(3))"
    execute(f":tags: [measures]\n{code}")
    assert not (tmp_path / "compiled").exists()
    first, _ = execute(code)
    programs = list((tmp_path / "compiled").glob("jit*-cache"))
    assert programs
    again, metadata = execute(code)
    assert again == first
    assert metadata["compilations"] > 0  # the same count, whatever is cached
    for program in programs:  # as a stopped build leaves it
        program.write_bytes(program.read_bytes()[:-9])
    assert execute(code)[0] == first


def test_a_page_runs_on_the_backend_and_its_tracebacks_name_no_folder() -> None:
    jitted = "@jax.jit\ndef choose(x):\n    return 1 if x else 2\nchoose(1)"
    cells, metadata = execute(
        "import jax\nx = jax.numpy.ones(3)\nfor n in (1, 2):\n    jax.jit(lambda x, n=n: x * n)(x)",
        "print(jax.default_backend(), x.sum())",
        ":tags: [raises-exception]\njax.grad(1)",
        f":tags: [raises-exception]\n{jitted}",
    )
    assert cells[0].outputs == []
    assert cells[1].outputs[0]["text"] == "cpu 3.0\n"
    assert metadata["compilations"] >= 3  # ones, and twice jit
    assert metadata["cpu_seconds"] > 0.5
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
def test_a_page_sees_neither_the_checkout_nor_the_users_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kernels" / "python3").mkdir(parents=True)
    kernel_file = tmp_path / "kernels" / "python3" / "kernel.json"
    kernel_file.write_text('{"argv": ["false"], "display_name": "", "language": "python"}')
    (tmp_path / "startup.py").write_text("import colorsys\n")
    settings = {
        "MPLBACKEND": "Agg",
        "PYTHONOPTIMIZE": "1",
        "PYTHONSTARTUP": str(tmp_path / "startup.py"),
        "PYTHONPATH": str(ROOT),
        "JUPYTER_PATH": str(tmp_path),
        "HOME": "/proc",  # where nobody can write
        "TOKEN": "secret",
    }
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    cells, _ = execute(
        "import os, pathlib\nprint(list(pathlib.Path().iterdir()), os.environ.get('TOKEN'))",
        "from IPython import get_ipython\nprint(get_ipython().profile_dir.location)",
        ":tags: [raises-exception]\nimport docs",
        ":tags: [raises-exception]\ncolorsys",
        ":tags: [raises-exception]\nassert False",
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]);",
        "import time\nprint('one', end='', flush=True)\ntime.sleep(1)\nprint(' two')",
    )
    assert cells[0].outputs[0]["text"] == "[] None\n"
    assert cells[1].outputs[0]["text"].startswith(tempfile.gettempdir())
    errors = [cell.outputs[0]["ename"] for cell in cells[2:5]]
    assert errors == ["ModuleNotFoundError", "NameError", "AssertionError"]
    assert "image/svg+xml" in cells[5].outputs[0]["data"]
    (output,) = cells[6].outputs
    assert output["text"] == "one two\n", "one line, though the kernel sends it in two pieces"


@pytest.mark.usefixtures("no_jax")
def test_a_long_folder_for_temporary_files_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ("x" * 110)
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    cells, _ = execute("print(1)")
    assert cells[0].outputs[0]["text"] == "1\n"


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
        (":tags: [skip-execution]\n1 / 0", "raised ZeroDivisionError"),
        ("import warnings\nwarnings.warn('old')", "wrote to stderr without the tag prints-stderr"),
        ("for n in range(10**5):\n    print('x' * 99)", "was stopped: it printed more than 1 MB"),
        (
            "from IPython.display import HTML, display\ndisplay(HTML('x' * 10**7))",
            "was stopped: it printed more than 1 MB",
        ),
    ],
    ids=["hangs", "dies", "does not raise", "is not skipped", "warns", "prints", "displays"],
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
def test_stderr_that_is_announced_is_shown() -> None:
    cells, _ = execute(":tags: [prints-stderr]\nimport sys\nprint('careful', file=sys.stderr)")
    assert (cells[0].outputs[0]["name"], cells[0].outputs[0]["text"]) == ("stderr", "careful\n")


@pytest.mark.usefixtures("no_jax")
def test_a_failing_measurement_is_retried_once_and_then_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    runs, folder = tmp_path / "runs", tmp_path / "cache"
    count = f"with open({str(runs)!r}, 'a') as file: file.write('x')"

    def attempts(claim: str, tag: str = ":tags: [measures]\n", strict: bool = True) -> Any:
        runs.write_text("")
        pages = [page(count, tag + claim, "print('more')")]
        failures = asyncio.run(run_pages(folder, pages, "cpu", 1, strict))
        return runs.read_text(), len(failures), failures or cache.not_held(folder, pages)

    second_time = f"assert len(open({str(runs)!r}).read()) > 1"
    assert attempts(second_time) == ("xx", 0, [])
    assert "cell 2 of 3 raised AssertionError" in capsys.readouterr().out, "both are reported"
    assert attempts("assert False")[:2] == ("xx", 1)
    assert attempts("assert False", tag="")[:2] == ("x", 1)  # measures nothing
    assert attempts("1 / 0")[:2] == ("x", 1)  # no assertion
    library = "import numpy as np\nnp.testing.assert_equal(1, 2)"
    assert attempts(library, strict=False)[:2] == ("x", 1)  # compares values
    ratio = "ratio = 1\nprint(ratio)\nassert (\n    ratio > 2\n)"
    text, failed, [line] = attempts(ratio, strict=False)
    assert (text, failed) == ("xx", 0)
    assert re.fullmatch(r"docs/some/page\.md:\d+: assert ratio > 2", line)
    shown = page(count, f":tags: [measures]\n{ratio}", "print('more')")
    texts = [cell.outputs[0].text for cell in code_cells(cache.get(folder, shown))[1:]]
    assert texts == ["1\n", "more\n"], "later cells run"
    assert cache.missing(folder, [shown]) == []
    assert cache.missing(folder, [shown], strict=True) == [shown]


@pytest.mark.usefixtures("no_jax")
def test_cells_run_at_once_but_those_that_measure_run_alone(tmp_path: Path) -> None:
    """A cell that measures lists the cells that run at its beginning and at its end."""
    folder = tmp_path / "running"
    folder.mkdir()
    here = f"import os, pathlib, time\nfolder = pathlib.Path({str(folder)!r})\n"
    busy = f"{here}(folder / '{{}}').touch()\ntime.sleep(0.5)\n(folder / '{{}}').unlink()"
    meet = f"""{here}(folder / "met-{{}}").touch()
deadline = time.monotonic() + 60
while len(list(folder.glob("met-*"))) < 2:
    assert time.monotonic() < deadline
    time.sleep(0.05)"""
    alone = f""":tags: [measures]
{here}others = [path.name for path in folder.iterdir() if "met" not in path.name]
(folder / "measures").touch()
time.sleep(0.5)
(folder / "measures").unlink()
assert others == [], others"""
    texts = {
        name: notebook(meet.format(name), *(2 * [busy.format(name, name), alone]))
        for name in ("one", "two")
    }
    pages = [page for name, text in texts.items() if (page := read_page(name, text))]
    assert asyncio.run(run_pages(tmp_path / "cache", pages, "cpu", 2)) == []
    assert cache.missing(tmp_path / "cache", pages) == []


def test_without_git_or_inside_of_another_repository_no_commit_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git = partial(subprocess.run, cwd=tmp_path, check=True, capture_output=True)
    git(["git", "init"])
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    git(["git", *author, "commit", "--allow-empty", "--message=x"])
    monkeypatch.setattr(kernel, "ROOT", tmp_path)
    assert kernel.commit()
    (tmp_path / "inside").mkdir()
    monkeypatch.setattr(kernel, "ROOT", tmp_path / "inside")
    assert kernel.commit() == ""
    monkeypatch.setattr(kernel, "ROOT", tmp_path)
    monkeypatch.setenv("PATH", "")
    assert kernel.commit() == ""
