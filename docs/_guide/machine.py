"""What this process may use of the machine: CPUs, memory, open files; and so how much runs at once.

Neither `os.cpu_count` nor psutil takes the limits of a container (cgroup) into account.
Standard library only: the command line is checked before anything is installed.
"""

import os
import resource
from collections.abc import Iterator
from pathlib import Path

PAGE_GB = 1.5  # memory of a page's kernel, or of Sphinx; the largest of 67 pages takes 1.1
PAGE_FILES = 40  # descriptors that a kernel takes in the process that starts it: 25 on Linux
CGROUPS = Path("/sys/fs/cgroup")


def at_once() -> int:
    """How many pages, languages or workers of tests this machine holds at the same time.

    >>> 1 <= at_once() <= available_cpus()
    True
    """
    return max(1, min(available_cpus(), int(memory_gb() / PAGE_GB), open_files() // PAGE_FILES))


def available_cpus() -> int:
    """CPUs that this process may use, which can be fewer than the machine has."""
    cpus = os.cpu_count() or 1
    if hasattr(os, "sched_getaffinity"):  # not on macOS
        cpus = len(os.sched_getaffinity(0))
    for text in cgroup_values("cpu.max"):  # "200000 100000": two CPUs
        quota, period = text.split()
        if quota != "max":
            cpus = min(cpus, max(1, int(quota) // int(period)))
    return cpus


def memory_gb() -> float:
    """Memory that this process may use, in gigabytes."""
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limits = [*cgroup_values("memory.max"), *cgroup_values("memory.limit_in_bytes", "memory")]
    return min([size, *(int(text) for text in limits if text != "max")]) / 1e9


def open_files() -> int:
    """Raise the limit of open files as far as that needs no rights, and return it.

    macOS begins with 256 of them, which ten kernels exceed.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        return wanted
    return 4096 if soft == resource.RLIM_INFINITY else soft


def cgroup_values(file: str, controller: str = "") -> Iterator[str]:
    """Yield what a file has in the cgroup of this process and in those around it.

    Version 2 has one tree, and version 1 a tree for each controller.
    """
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:  # not Linux
        return
    root = CGROUPS / controller
    for _number, name, path in (line.split(":", 2) for line in lines):
        if name != controller:
            continue
        folder = root / path.lstrip("/")
        for group in (folder, *folder.parents):
            if group.is_relative_to(root) and (group / file).is_file():
                yield (group / file).read_text(encoding="utf-8").strip()
