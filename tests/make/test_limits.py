"""A page that takes too much of the machine is stopped, and nothing of it stays behind."""

import asyncio
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import psutil
import pytest

from docs._make import limits
from docs._make.failure import PageFailure
from docs._make.kernel import run_page
from docs._make.page import Page, read_page
from tests.conftest import SmallGuide, notebook

SLEEPER = (
    "import subprocess, sys\nsleeper = [sys.executable, '-c', 'import time; time.sleep(90)']\n"
)
# Each is bounded: a limit that does not hold would fail the test, not the machine.
SPAWNS = SLEEPER + "many = [subprocess.Popen(sleeper) for _ in range(300)]\nmany[0].wait()"
FORKS = "import os, time\nfor _ in range(8):\n    os.fork()\ntime.sleep(90)"  # 256
FILLS = "import time\nfilled = bytearray(b'x') * 2**30\ntime.sleep(90)"
PRINTS = "for n in range(3_000_000):\n    print('a line of what is printed without end')"
SHOWS = """\
from IPython.display import HTML, display
for n in range(20_000):
    display(HTML("x" * 1000))"""
# In a session of its own, and its parent has ended: it is a child of the page no more.
LEAVES = (
    SLEEPER
    + """\
starter = "import subprocess, sys; subprocess.Popen(sys.argv[1:], start_new_session=True)"
subprocess.run([sys.executable, "-c", starter, *sleeper])"""
)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that are soon reached; a kernel by itself holds about 0.1 GiB."""
    monkeypatch.setattr(limits, "MEMORY_GIB", 0.5)
    monkeypatch.setattr(limits, "PROCESSES", 20)
    monkeypatch.setattr(limits, "OUTPUT_MB", 2)


def page(*cells: str) -> Page:
    return read_page("some/page", notebook(*cells))


def left_of(root: Path) -> list[psutil.Process]:
    """Processes that pages of a checkout started."""
    return [
        process
        for process, said in limits.environments()
        if said.get("PYTHONPATH") == str(root) and "JPY_PARENT_PID" in said
    ]


def left_here() -> list[psutil.Process]:
    """What is left of pages that this process ran: another test may run others."""
    return [
        process
        for process, said in limits.environments()
        if said.get("JPY_PARENT_PID") == str(os.getpid())
    ]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (SPAWNS, "it ran more than 20 processes at once"),
        (FORKS, "it ran more than 20 processes at once"),
        (FILLS, "its processes held more than 0.5 GiB"),
        (PRINTS, "it printed more than 2 MB"),
        (SHOWS, "it printed more than 2 MB"),
    ],
    ids=["spawns", "forks", "fills", "prints", "shows"],
)
def test_a_page_is_stopped_at_its_limit(cell: str, why: str) -> None:
    started = time.perf_counter()
    with pytest.raises(PageFailure) as caught:
        asyncio.run(run_page(page("good = 1", cell), "cpu"))
    assert time.perf_counter() - started < 45
    told, *more = str(caught.value).splitlines()
    assert re.fullmatch(rf"docs/some/page\.md:\d+: cell 2 of 2 was stopped: {why}", told)
    assert more == ["To try just this page: nox -s docs -- --page some/page"]
    assert left_here() == []


def test_what_a_page_leaves_behind_ends_and_other_pages_go_on(tmp_path: Path) -> None:
    asks = "child = subprocess.Popen([sys.executable, '-c', 'input(); print(42)'], stdin=-1)"
    waits = (
        f"import os, time\nwhile not os.path.exists({str(tmp_path / 'go')!r}):\n    time.sleep(0.1)"
    )
    answers = "child.communicate(b'go')\nprint(child.returncode)"

    async def both() -> str:
        other = asyncio.create_task(run_page(page(SLEEPER + asks, waits, answers), "cpu"))
        await run_page(page(LEAVES), "cpu")
        assert [
            process for process in left_here() if "time.sleep(90)" in str(process.cmdline())
        ] == []
        (tmp_path / "go").touch()
        executed, _facts = await other
        return str(executed.cells[-1].outputs[0].text)

    assert asyncio.run(both()).endswith("0\n")
    assert left_here() == []


def test_where_memory_runs_out_the_page_ends_before_the_build() -> None:
    asked = page("print(open('/proc/self/oom_score_adj').read())")
    executed, _facts = asyncio.run(run_page(asked, "cpu"))
    assert executed.cells[-1].outputs[0].text.strip() == "1000"


def test_pages_over_their_limits_keep_the_site(small_guide: SmallGuide) -> None:
    assert small_guide.make("--language=en").returncode == 0
    before = small_guide.page("one")
    settings = small_guide.root / "docs" / "_make" / "limits.py"
    text = settings.read_text(encoding="utf-8")
    for name, value in (("MEMORY_GIB", 1), ("PROCESSES", 20), ("OUTPUT_MB", 1)):
        text, replaced = re.subn(rf"^{name} = \d+", f"{name} = {value}", text, flags=re.MULTILINE)
        assert replaced
    settings.write_text(text, encoding="utf-8")
    small_guide.write("docs/one.md", notebook(SPAWNS))
    small_guide.write("docs/two.md", notebook(PRINTS))
    failed = small_guide.make("--language=en")
    assert failed.returncode == 1
    assert "cell 1 of 1 was stopped: it ran more than 20 processes at once\n" in failed.stderr
    assert "cell 1 of 1 was stopped: it printed more than 1 MB\n" in failed.stderr
    assert "Traceback" not in failed.stdout + failed.stderr
    assert small_guide.page("one") == before
    assert left_of(small_guide.root) == []


def test_what_a_killed_build_leaves_ends_with_the_next(small_guide: SmallGuide) -> None:
    small_guide.write("docs/two.md", notebook(SLEEPER + "subprocess.run(sleeper)"))
    command = small_guide.command("--page=two")
    build = subprocess.Popen(command, cwd=small_guide.root, stdout=subprocess.DEVNULL)
    while len(left_of(small_guide.root)) < 2:
        assert build.poll() is None
        time.sleep(0.2)
    build.send_signal(signal.SIGKILL)
    build.wait()
    assert small_guide.make("--page=one").returncode == 0
    assert left_of(small_guide.root) == []
