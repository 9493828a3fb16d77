"""A process that builds a small guide again and again: it imports Sphinx once."""

import subprocess
import sys
from dataclasses import dataclass

import psutil

from tests.conftest import SmallGuide

# Builds as often as it is told to, each in a process of its own, which leads a group, as one that
# a shell starts does.
BUILDER = """
import os, sys
import docs._make.runner
from docs._make.__main__ import main
for _ in sys.stdin:
    pid = os.fork()
    if not pid:
        os.dup2(os.open("said", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        os.dup2(1, 2)
        status = main(sys.argv[1:])
        sys.stdout.flush()
        os._exit(status)
    os.setpgid(pid, pid)
    print(pid, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)
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

    def close(self) -> None:
        """End the process."""
        self.process.terminate()
        self.process.communicate()


def builder(guide: SmallGuide, *options: str) -> Builder:
    """Start a process that builds a guide with these options."""
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", BUILDER, *options]
    return Builder(
        guide, subprocess.Popen(command, cwd=guide.root, stdin=pipe, stdout=pipe, text=True)
    )
