"""What a build costs: CPU time, wall time, memory of all its processes, pages read and written."""

import resource
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import psutil  # comes with ipykernel

from docs._make.options import configured_languages

SAMPLES_S = 0.2


class Cost(NamedTuple):
    """What one build cost."""

    cpu_s: float  # user and system, of all processes
    wall_s: float
    # The largest sum of all processes, where what they share counts once (PSS): of all but the
    # search's index, and while Pagefind makes that.
    memory_mib: float
    search_mib: float
    read: dict[str, int]  # pages that Sphinx read, in each language
    written: dict[str, int]


def build(root: Path, *options: str) -> Cost:
    """Build a guide, and measure it.

    Raises:
        RuntimeError: it was not built.
    """
    started_ns, before = time.time_ns(), resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.perf_counter()
    command = [sys.executable, "-m", "docs._make", *options]
    with (root / "build.log").open("w+") as log:
        process = subprocess.Popen(command, cwd=root, stdout=log, stderr=subprocess.STDOUT)
        memory = Memory(process.pid)
        memory.start()
        code = process.wait()
        wall = time.perf_counter() - started
        memory.join()
        if code:
            raise RuntimeError((root / "build.log").read_text())
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    built = {code: root / "_build" / code / "html" for code in configured_languages()}
    return Cost(
        round(cpu, 2),
        round(wall, 2),
        round(memory.most[False] / 2**20, 1),
        round(memory.most[True] / 2**20, 1),
        {c: len(changed(at / ".doctrees", "*.doctree", started_ns)) for c, at in built.items()},
        {c: len(changed(at / "html", "*.html", started_ns)) for c, at in built.items()},
    )


def changed(folder: Path, pattern: str, since_ns: int) -> set[str]:
    """Which files were written since then, without their endings; the search page always is."""
    return {
        file.relative_to(folder).with_suffix("").as_posix()
        for file in folder.rglob(pattern)
        if file.stat().st_mtime_ns > since_ns and file.stem != "search"
    }


class Memory(threading.Thread):
    """Watches how much memory a process and all below it take, until it ends."""

    def __init__(self, pid: int) -> None:
        super().__init__()
        self.process = psutil.Process(pid)
        self.most = {False: 0, True: 0}  # without Pagefind, and with it

    def run(self) -> None:
        """Look again and again."""
        while self.process.is_running() and self.process.status() != psutil.STATUS_ZOMBIE:
            search, total = self.now()
            self.most[search] = max(self.most[search], total)
            time.sleep(SAMPLES_S)

    def now(self) -> tuple[bool, int]:
        """Whether Pagefind runs, and the bytes of all processes; one that ended has none."""
        search, total = False, 0
        with suppress(psutil.NoSuchProcess):
            for process in (self.process, *self.process.children(recursive=True)):
                with suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                    search |= process.name().startswith("pagefind")
                    total += process.memory_full_info().pss
        return search, total
