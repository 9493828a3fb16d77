"""A build that is killed, or finds damaged files, leaves the old site or makes the right one."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import psutil
import pytest

from tests.conftest import SmallGuide, notebook

# Builds as often as it is told to, each in a process of its own: that saves the seconds in which
# Python would import the same again. A build leads a group, as one that a shell starts does.
BUILDER = """
import os, sys
import docs._make.runner
from docs._make.__main__ import main
for _ in sys.stdin:
    pid = os.fork()
    if not pid:
        os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        status = main(["--language=en"])
        sys.stdout.flush()
        os._exit(status)
    os.setpgid(pid, pid)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
"""
# Stands for JAX in the kernels of these pages: the build asks it what ran a page.
JAX = """
__version__ = "0"
class Device: device_kind = "a device"
def devices(): return [Device]
def default_backend(): return "cpu"
"""


@dataclass
class Builder:
    """A small guide, and the process that builds it again and again."""

    guide: SmallGuide
    process: subprocess.Popen[str]

    def answer(self) -> int:
        assert self.process.stdout
        return int(self.process.stdout.readline())

    def start(self) -> int:
        """Start a build; tell its process."""
        assert self.process.stdin
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        return self.answer()

    def finish(self) -> None:
        """Wait for a build that must be right."""
        assert self.answer() == 0, (self.guide.root / "said").read_text()

    def site(self) -> dict[str, bytes]:
        """What is published, byte for byte."""
        folder = self.guide.root / "site"
        files = (file for file in folder.rglob("*") if file.is_file())
        return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}

    def others(self) -> list[str]:
        """Processes that a build left behind."""
        return [
            str(process)
            for process in psutil.process_iter(["cwd"])
            if process.info["cwd"] == str(self.guide.root) and process.pid != self.process.pid
        ]

    def published(self) -> dict[str, bytes]:
        """The site after a build that nothing disturbs."""
        self.start()
        self.finish()
        return self.site()


@pytest.fixture
def builders(
    small_guide: SmallGuide, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Builder, Builder]]:
    """Two builders of equal guides, the second with the outputs of the first."""
    small_guide.write("jax.py", JAX)
    (small_guide.root / "_build" / "outputs").mkdir(parents=True)
    other = tmp_path_factory.mktemp("undisturbed") / "guide"
    shutil.copytree(small_guide.root, other)
    (other / "_build" / "outputs").rmdir()
    (other / "_build" / "outputs").symlink_to(small_guide.root / "_build" / "outputs")
    pair = builder(small_guide), builder(SmallGuide(other))
    yield pair
    for each in pair:
        each.process.terminate()
        each.process.communicate()


def builder(guide: SmallGuide) -> Builder:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", BUILDER]
    return Builder(
        guide, subprocess.Popen(command, cwd=guide.root, stdin=pipe, stdout=pipe, text=True)
    )


def change(guide: SmallGuide, number: int, runs: bool) -> None:
    """Give a build something to do: new words always, sometimes a page to run."""
    guide.write("docs/one.md", notebook("print(6 * 7)", prose=f"These are the words {number}."))
    if runs:  # a page whose file does not change, for Sphinx goes by its time
        guide.write("examples/used.py", f"ANSWER = {number}\n")


def test_a_build_that_is_killed_at_any_moment(builders: tuple[Builder, Builder]) -> None:
    killed, undisturbed = builders
    seed = random.randrange(10**6)
    print(f"seed {seed}")
    chance = random.Random(seed)
    whole = {}
    killed.published()
    undisturbed.published()
    for runs in (True, False):
        change(killed.guide, -1, runs)
        started = time.perf_counter()
        killed.published()
        whole[runs] = time.perf_counter() - started
    for number in range(20):
        runs = number % 4 == 0  # a fifth of the pages' time is a fair share of a build's
        old = killed.site()
        for each in builders:
            change(each.guide, number, runs)
        build = killed.start()
        moment = whole[runs] * (number + chance.random()) / 20
        time.sleep(moment)
        with suppress(ProcessLookupError):  # it was quicker than the one that was measured
            (os.kill if number % 2 else os.killpg)(build, signal.SIGKILL)
        killed.answer()
        found = killed.site()
        new = killed.published()
        which = "old" if found == old else "new" if found == new else "neither"
        print(number, runs, f"{moment:.2f} s of {whole[runs]:.2f} s", which)
        assert found in (old, new)
        assert f"the words {number}." in new["en/one.html"].decode()
        assert new == undisturbed.published()
    assert killed.others() == []


def test_damaged_files_of_sphinx_are_made_anew(builders: tuple[Builder, Builder]) -> None:
    builder, _ = builders
    whole = builder.published()
    made = builder.guide.root / "_build" / "en"
    for number, name in enumerate(
        (
            "html/.doctrees/environment.pickle",
            "html/.doctrees/one.doctree",
            "html/html/one.html",
            "html/html/_static/guide.css",
            "html/untranslated.json",
            "pagefind/words.json",
            "pagefind/0/pagefind-entry.json",
            "html.whole",
        )
    ):
        content = (made / name).read_bytes()
        middle = len(content) // 2
        rest = b"" if number % 2 else b"?" + content[middle + 1 :]
        (made / name).write_bytes(content[:middle] + rest)
        assert builder.published() == whole, name
