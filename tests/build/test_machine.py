"""What runs at once is what the process may use, also in a container."""

import resource
import subprocess
import sys
from pathlib import Path

import pytest

from docs._guide import machine


@pytest.fixture
def container(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of cgroups, with that of this process as of Docker: the root."""
    monkeypatch.setattr(machine, "CGROUPS", tmp_path)
    read = Path.read_text
    groups = "4:memory:/docker/one\n0::/\n"
    monkeypatch.setattr(
        Path, "read_text", lambda self, **o: groups if self.name == "cgroup" else read(self, **o)
    )
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(64)), raising=False)
    monkeypatch.setattr(machine, "open_files", lambda: 4096)
    return tmp_path


def test_a_container_s_memory_limits_the_pages(container: Path) -> None:
    (container / "memory.max").write_text("4000000000\n")
    assert machine.at_once() == 2
    (container / "memory.max").write_text("max\n")
    (container / "memory" / "docker").mkdir(parents=True)
    (container / "memory" / "docker" / "memory.limit_in_bytes").write_text("3000000000\n")
    assert machine.at_once() == 2
    assert machine.memory_gb() == 3.0


def test_a_container_s_share_of_cpus_limits_the_pages(
    container: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(machine, "memory_gb", lambda: 1000.0)
    assert machine.at_once() == 64
    (container / "cpu.max").write_text("350000 100000\n")
    assert machine.at_once() == 3


def test_few_open_files_limit_the_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "available_cpus", lambda: 64)
    monkeypatch.setattr(machine, "memory_gb", lambda: 1000.0)
    monkeypatch.setattr(machine, "open_files", lambda: 256)
    assert machine.at_once() == 6


def test_a_soft_limit_of_open_files_is_raised() -> None:
    code = (
        "import resource; from docs._guide.machine import open_files; "
        "hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]; "
        "resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard)); print(open_files())"
    )
    raised = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    expected = 4096 if hard == resource.RLIM_INFINITY else min(4096, hard)
    assert raised.stdout == f"{expected}\n", raised.stderr
