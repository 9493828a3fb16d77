"""Several processes on this machine that share one run."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from processes import free_port

GRACE_S = 10
SILENT = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}

SCRIPT = Path(__file__).parents[1] / "ukr.py"


def start(processes: int, arguments: Sequence[str]) -> int:
    """Run this script in several processes, and wait for the first one.

    The others only compute. Ctrl-C reaches the first one, which keeps what is done; what is left
    of the others is ended after it.

    Args:
        processes: How many.
        arguments: The command line, without ``--processes``.

    Returns:
        The exit status of the first process, or 1 if another one failed before it ended.
    """
    # A web proxy has no part in what processes of one machine send each other.
    environment = {name: text for name, text in os.environ.items() if "proxy" not in name.lower()}
    port = free_port()
    workers: list[subprocess.Popen[bytes]] = []
    for number in range(processes):
        place = map(str, (port, processes, number))
        command = [sys.executable, str(SCRIPT), *arguments, "--join", *place]
        heard: dict[str, Any] = {} if number == 0 else SILENT
        workers.append(subprocess.Popen(command, env=environment, **heard))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        while workers[0].poll() is None:
            if any(worker.poll() for worker in workers[1:]):
                break
            time.sleep(0.05)
        # If all have the same trouble, the first one says so.
        return workers[0].wait(timeout=GRACE_S)
    except subprocess.TimeoutExpired:
        print("one of the processes failed: run again, or leave --processes out", file=sys.stderr)
        return 1
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()
        signal.signal(signal.SIGINT, before)
