"""What a page may take of the machine: beyond that, it and all that it started is killed.

nbclient limits the time of a cell, and nothing else. Here a page is looked at from outside, for
the system's own limits do not fit: RLIMIT_AS and RLIMIT_DATA count what is reserved, of which CUDA
and XLA take far more than they use; RLIMIT_NPROC counts all that the user runs; and a cgroup needs
rights that a build does not have everywhere.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import psutil
from nbclient import NotebookClient
from nbformat import NotebookNode

from docs._make.options import ROOT

# Eight times and more what the greediest pages take on a CPU: 1.0 GiB, 4 processes, 1.0 MB. Two
# pages at once stay within the 16 GiB of a usual runner.
MEMORY_GIB = 8
PROCESSES = 64
OUTPUT_MB = 10

PREFIX = "page-"  # of the folder that a page has for itself
LOOK_S = 0.2  # between two looks


class LimitExceeded(Exception):
    """A page took more than it may."""


class LimitedClient(NotebookClient):
    """Runs the cells of a page whose processes have `folder` as their IPYTHONDIR."""

    def __init__(self, notebook: NotebookNode, folder: str, **settings: Any) -> None:
        super().__init__(notebook, **settings)
        self.folder = folder
        self.printed = 0
        self.exceeded = ""

    async def async_execute_cell(self, *arguments: Any, **options: Any) -> NotebookNode:
        """Run a cell; where a limit ended it, say which one, whatever nbclient made of that."""
        try:
            return await super().async_execute_cell(*arguments, **options)
        finally:
            if self.exceeded:
                raise LimitExceeded(self.exceeded)

    def process_message(
        self, msg: dict[str, Any], cell: NotebookNode, cell_index: int
    ) -> NotebookNode | None:
        """Count what is printed, shown and drawn; what comes after the limit is not kept."""
        self.printed += len(str(msg["content"]))
        if self.printed > OUTPUT_MB * 1e6:
            self.stop(f"it printed more than {OUTPUT_MB} MB")
            return None
        return super().process_message(msg, cell, cell_index)

    @asynccontextmanager
    async def watched(self, kernel: psutil.Process) -> AsyncIterator[None]:
        """Look at the kernel and its children again and again, until the body ends."""
        # Where memory runs out between two looks, Linux ends the page first.
        with suppress(OSError):
            Path(f"/proc/{kernel.pid}/oom_score_adj").write_text("1000")
        watching = asyncio.create_task(self.watch(kernel))
        try:
            yield
        finally:
            watching.cancel()

    async def watch(self, kernel: psutil.Process) -> None:
        """Stop the page when its processes are too many or too large."""
        while not self.exceeded:
            processes = family(kernel)
            if len(processes) > PROCESSES:
                self.stop(f"it ran more than {PROCESSES} processes at once")
            elif held(processes) > MEMORY_GIB * 2**30:
                self.stop(f"its processes held more than {MEMORY_GIB} GiB")
            await asyncio.sleep(LOOK_S)

    def stop(self, why: str) -> None:
        """Kill all that the page runs; a second reason is only an effect of the first."""
        self.exceeded = self.exceeded or why
        end(self.folder)


def family(kernel: psutil.Process) -> list[psutil.Process]:
    """The kernel and all that came of it; nothing, once it is gone."""
    try:
        return [kernel, *kernel.children(recursive=True)]
    except psutil.NoSuchProcess:
        return []


def held(processes: list[psutil.Process]) -> int:
    """Bytes of memory that some processes hold; where it matters, what they share counts once."""
    resident = sum(memory(process, "memory_info", "rss") for process in processes)
    if resident <= MEMORY_GIB * 2**30:
        return resident
    return sum(memory(process, "memory_full_info", "pss") for process in processes)  # takes long


def memory(process: psutil.Process, method: str, kind: str) -> int:
    """Bytes of a kind that a process holds: all of them where the system knows no such kind."""
    try:
        told = getattr(process, method)()
    except psutil.Error:  # it has ended
        return 0
    return int(getattr(told, kind, told.rss))


def end(folder: str) -> None:
    """Kill every process of a page, also one that left its group or outlived its parent."""
    for _ in range(50):  # a process may start another while it is looked for
        left = [process for process, said in environments() if said.get("IPYTHONDIR") == folder]
        if not left:
            return
        for process in left:
            kill(process)
        time.sleep(0.02)


def end_orphans() -> None:
    """Kill what outlived a killed build of this checkout; kernels notice it by themselves."""
    for process, said in environments():
        of_a_page = Path(said.get("IPYTHONDIR", "")).name.startswith(PREFIX)
        of_this_checkout = said.get("PYTHONPATH") == str(ROOT)
        build = int(said.get("JPY_PARENT_PID", 0))  # as jupyter_client names it
        if of_a_page and of_this_checkout and not psutil.pid_exists(build):
            kill(process)


def environments() -> Iterator[tuple[psutil.Process, dict[str, str]]]:
    """Every process whose environment may be seen."""
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            yield process, process.environ()


def kill(process: psutil.Process) -> None:
    """Kill a process, with its group at one blow: one by one, they could start others meanwhile."""
    with suppress(psutil.Error, OSError):  # it has ended
        if hasattr(os, "killpg"):
            os.killpg(os.getpgid(process.pid), signal.SIGKILL)
        else:
            process.kill()
