"""Several devices, of this process or of several, that share the points of one run."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jax
from jax.sharding import Mesh
from processes import free_port

SCRIPT = Path(__file__).parents[1] / "ukr.py"


def start(processes: int, arguments: Sequence[str]) -> int:
    """Run the script in several processes, and wait for the first; only this one prints.

    Args:
        processes: How many.
        arguments: The command line.

    Returns:
        The exit status of the first process; 130 after Ctrl-C, which ends all without a result.
    """
    # A web proxy has no part in what processes of one machine send each other.
    environment = {name: text for name, text in os.environ.items() if "proxy" not in name.lower()}
    command = [sys.executable, str(SCRIPT), *arguments, "--join", str(free_port()), str(processes)]
    workers: list[subprocess.Popen[bytes]] = []
    for index in range(processes):
        output = subprocess.DEVNULL if index else None
        pipes: dict[str, Any] = {"stdout": output, "stderr": output, "start_new_session": True}
        workers.append(subprocess.Popen([*command, str(index)], env=environment, **pipes))
    try:
        return workers[0].wait()
    except KeyboardInterrupt:
        return 130
    finally:
        for worker in workers:
            worker.kill()
            worker.wait()


def mesh(options: argparse.Namespace) -> Mesh | None:
    """Join the other processes and return the devices that share the points.

    Args:
        options: The command line: devices, processes and join.

    Returns:
        A mesh with one axis over all devices of all processes, or nothing if there is one device.

    Raises:
        ValueError: If there are fewer devices.
    """
    try:
        if options.devices > 1:
            config: Any = jax.config  # its methods have no types
            config.update("jax_num_cpu_devices", options.devices)
        if options.join:
            port, count, index = options.join
            address = f"127.0.0.1:{port}"
            jax.distributed.initialize(address, count, index, coordinator_bind_address=address)
    except RuntimeError as error:
        raise ValueError(str(error).splitlines()[0]) from None
    if jax.local_device_count() < options.devices:
        raise ValueError(f"--devices {options.devices}: there are {jax.local_device_count()}")
    devices = options.devices * options.processes
    return jax.make_mesh((devices,), ("points",)) if devices > 1 else None
