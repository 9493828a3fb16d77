"""Run one page's cells, in order, in a kernel of their own."""

import ast
import asyncio
import os
import re
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import nbformat
import psutil
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from docs._make.environment import available_cpus, processor
from docs._make.failure import ANSI, PageFailure
from docs._make.limits import PREFIX, LimitedClient, LimitExceeded, end
from docs._make.options import ROOT
from docs._make.page import Page

SITE_PACKAGES = re.compile(r"(?<=File )\S*/site-packages/")
CELL_FILE = re.compile(r"\S*/ipykernel_\d+/\d+\.py")  # where a function of a cell is, for JAX

# What ran the page, asked of the page's own kernel: JAX may have fallen back to another device.
QUESTION = """(
    __import__("jax").__version__,
    __import__("platform").python_version(),
    __import__("jax").default_backend(),
    __import__("jax").devices()[0].device_kind,
    len(__import__("jax").devices()),
)"""


@asynccontextmanager
async def kernel(
    notebook: NotebookNode, backend: str, limit_s: int
) -> AsyncIterator[NotebookClient]:
    """Start a kernel on a backend, away from the user's own IPython and Matplotlib settings."""
    with tempfile.TemporaryDirectory(prefix=PREFIX) as folder:
        # TCP ports collide when kernels start together; a socket in a folder of its own cannot.
        manager = AsyncKernelManager(transport="ipc", ip=f"{folder}/kernel")
        client = LimitedClient(
            notebook,
            folder,
            km=manager,
            timeout=limit_s,
            record_timing=False,  # it would be stored with the cells
            coalesce_streams=True,  # a kernel may send one line in two pieces
            extra_arguments=["--InlineBackend.figure_formats={'svg'}"],
        )
        work = Path(folder) / "work"  # a page must not depend on the repository's layout
        work.mkdir()
        try:
            await client.async_start_new_kernel(env=environment(backend, folder), cwd=str(work))
            await client.async_start_new_kernel_client()
            provisioner: Any = manager.provisioner
            async with client.watched(psutil.Process(provisioner.pid)):
                yield client
        finally:
            if client.kc is not None:
                client.kc.stop_channels()
            if manager.has_kernel:
                await manager.shutdown_kernel(now=True)
            end(folder)  # what the page started and did not wait for


def environment(backend: str, folder: str) -> dict[str, str]:
    """Variables of a page's process."""
    return os.environ | {
        "JAX_PLATFORMS": backend,
        "PYTHONPATH": str(ROOT),  # local modules, such as examples.grad
        "PYTHONHASHSEED": "0",
        "IPYTHONDIR": folder,  # also what the page's processes are known by
        "JUPYTER_PREFER_ENV_PATH": "1",
        "MATPLOTLIBRC": str(Path(__file__).with_name("matplotlibrc")),
        "SOURCE_DATE_EPOCH": "0",  # else every figure carries the date
    }


async def run_page(page: Page, backend: str) -> tuple[NotebookNode, dict[str, Any]]:
    """Run a page; return its notebook with outputs, and the facts about the run.

    Raises:
        PageFailure: a cell raised, did not raise though it was meant to, took too long or
            too much of the machine, or its kernel died.
    """
    notebook = nbformat.from_dict(page.notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    started = time.perf_counter()
    index = page.code_indices[0]
    try:
        async with kernel(notebook, backend, page.cell_limit_s) as client:
            for number, index in enumerate(page.code_indices, start=1):
                cell = await client.async_execute_cell(notebook.cells[index], index, number)
                require_meant_error(page, index, cell)
            answer = await ask(client, QUESTION)
    except CellExecutionError as error:
        raise PageFailure(page, index, f"raised {error.ename}", error.traceback) from error
    except CellTimeoutError as error:
        what = f"was stopped: it took longer than its limit of {page.cell_limit_s} s"
        raise PageFailure(page, index, what) from error
    except LimitExceeded as error:
        raise PageFailure(page, index, f"was stopped: {error}") from error
    except DeadKernelError as error:
        stop_if_interrupted()
        raise PageFailure(page, index, "killed its kernel") from error
    except RuntimeError as error:
        raise PageFailure(page, index, f"did not run, since its kernel did not: {error}") from error
    for cell in notebook.cells:
        shorten_traceback(cell)
    return notebook, facts(page, answer, time.perf_counter() - started)


def stop_if_interrupted() -> None:
    """Stop after Ctrl-C: nbclient takes a cancelled cell for a dead kernel and goes on."""
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError


def require_meant_error(page: Page, index: int, cell: NotebookNode) -> None:
    """A cell that is tagged as raising, and does not, would tell the reader something false."""
    meant = "raises-exception" in cell.metadata.get("tags", [])
    raised = any(output.output_type == "error" for output in cell.outputs)
    if meant and not raised:
        raise PageFailure(page, index, "is tagged raises-exception, but raised nothing")


def shorten_traceback(cell: NotebookNode) -> None:
    """Name library files from their package on, a cell "cell", and drop IPython's ruled line."""
    for output in cell.get("outputs", []):
        if output.output_type == "error":
            lines = [SITE_PACKAGES.sub("", line) for line in output.traceback]
            lines = [CELL_FILE.sub("cell", line) for line in lines]
            output.traceback = [line for line in lines if set(ANSI.sub("", line)) != {"-"}]


async def ask(client: NotebookClient, expression: str) -> tuple[Any, ...]:
    """Evaluate an expression in the kernel, out of the page's sight."""
    channel: Any = client.kc
    reply = await channel.execute(
        "",
        silent=True,
        user_expressions={"answer": " ".join(expression.split())},
        reply=True,
        timeout=120,
    )
    answer = reply["content"]["user_expressions"]["answer"]
    if answer["status"] == "error":
        raise RuntimeError(f"{answer['ename']}: {answer['evalue']}")
    value = ast.literal_eval(answer["data"]["text/plain"])
    assert isinstance(value, tuple)
    return value


def facts(page: Page, answer: tuple[Any, ...], seconds: float) -> dict[str, Any]:
    """What ran a page: its foot and the status page say so."""
    jax, python, backend, device, devices = answer
    return {
        "jax": jax,
        "python": python,
        "backend": backend,
        "device": processor() if backend == "cpu" else device,
        "devices": available_cpus() if backend == "cpu" else devices,
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "seconds": round(seconds, 1),
        "cells": len(page.code_cells),
    }


def commit() -> str:
    """The commit that is checked out, with a plus sign where files differ from it."""
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        return subprocess.check_output(
            command, cwd=ROOT, text=True, stderr=subprocess.DEVNULL
        ).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
