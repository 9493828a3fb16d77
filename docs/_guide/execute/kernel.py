"""Run one page's cells, in order, in a kernel of their own."""

import ast
import asyncio
import os
import re
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from docs._guide.execute import traceback
from docs._guide.execute.environment import available_cpus, processor
from docs._guide.execute.page import Page
from docs._guide.options import ROOT

OUTPUT_LIMIT_MB = 10  # the largest page prints 1.0 MB

LINE_IN_CELL = re.compile(r"Cell In\[\d+\], line (\d+)")

# Evaluated in the page's own kernel: JAX may have fallen back to another device.
ENVIRONMENT = """(
    __import__("jax").__version__,
    __import__("platform").python_version(),
    __import__("jax").default_backend(),
    __import__("jax").devices()[0].device_kind,
    len(__import__("jax").devices()),
)"""


class PageFailure(Exception):
    """A page that did not run to its end: where, why, and the command that runs it alone."""

    def __init__(self, page: Page, cell_index: int, reason: str, report: str = "") -> None:
        self.is_assertion = reason == "raised AssertionError"
        report = traceback.ANSI.sub("", report).rstrip()
        inner = LINE_IN_CELL.search(report)
        line = page.line(cell_index, int(inner[1]) if inner else 1)
        ordinals = page.code_indices
        cell = f"cell {ordinals.index(cell_index) + 1} of {len(ordinals)}"
        lines = [f"{page.path}:{line}: {cell} {reason}"]
        if report:
            lines.append(re.sub("^", "    ", report, flags=re.MULTILINE))
        lines.append(f"To run only this page: nox -s docs -- --page {page.name}")
        super().__init__("\n".join(lines))


class OutputLimitExceeded(Exception):
    """A page printed more than a page may."""


class LimitedClient(NotebookClient):
    """A notebook client that stops a page when its output grows too large."""

    printed = 0

    async def async_execute_cell(self, *arguments: Any, **options: Any) -> NotebookNode:
        """Run a cell; killing the kernel surfaces as another error, which this replaces."""
        try:
            return await super().async_execute_cell(*arguments, **options)
        finally:
            if self.printed > OUTPUT_LIMIT_MB * 1e6:
                raise OutputLimitExceeded

    def process_message(
        self, msg: dict[str, Any], cell: NotebookNode, cell_index: int
    ) -> NotebookNode | None:
        """Count the size of each message; beyond the limit, kill the kernel and drop the rest."""
        self.printed += len(str(msg["content"]))
        if self.printed > OUTPUT_LIMIT_MB * 1e6:
            kill_group(self.km)
            return None
        return super().process_message(msg, cell, cell_index)


def kill_group(manager: Any) -> None:
    """SIGKILL the kernel's whole process group, so that no member can fork meanwhile."""
    with suppress(ProcessLookupError, AttributeError):
        os.killpg(manager.provisioner.pgid, signal.SIGKILL)


@asynccontextmanager
async def kernel(
    notebook: NotebookNode, backend: str, limit_s: int, memory: float | None = None
) -> AsyncIterator[NotebookClient]:
    """Start a kernel on a backend, without the user's own IPython and Matplotlib settings."""
    with tempfile.TemporaryDirectory(prefix="page-") as folder:
        # TCP ports collide when kernels start together; a socket in a folder of its own cannot.
        manager = AsyncKernelManager(transport="ipc", ip=f"{folder}/kernel")
        client = LimitedClient(
            notebook,
            km=manager,
            timeout=limit_s,
            record_timing=False,  # it would be stored with the cells
            coalesce_streams=True,  # a kernel may send one line in two pieces
            extra_arguments=["--InlineBackend.figure_formats={'svg'}"],
        )
        work = Path(folder) / "work"  # a page must not depend on the repository's layout
        work.mkdir()
        try:
            await client.async_start_new_kernel(
                env=variables(backend, folder, memory), cwd=str(work)
            )
            await client.async_start_new_kernel_client()
            yield client
        finally:
            if client.kc is not None:
                client.kc.stop_channels()
            kill_group(manager)  # with the kernel, what the page started and did not wait for
            if manager.has_kernel:
                await manager.shutdown_kernel(now=True)


def variables(backend: str, folder: str, memory: float | None) -> dict[str, str]:
    """Environment variables of a page's kernel; `memory` is how much of a GPU's it reserves."""
    limit = {"XLA_CLIENT_MEM_FRACTION": f"{memory:.2f}"} if memory else {}
    return os.environ | {
        **limit,
        # Beside an accelerator, callbacks and `jax.devices("cpu")` need the CPU.
        "JAX_PLATFORMS": backend if backend == "cpu" else f"{backend},cpu",
        "PYTHONPATH": "",  # a page imports nothing of the repository
        "PYTHONHASHSEED": "0",
        # tqdm, which NumPyro imports, warns without ipywidgets; no page shows a progress bar of it.
        "PYTHONWARNINGS": "ignore:IProgress not found",
        "IPYTHONDIR": folder,
        "JUPYTER_PREFER_ENV_PATH": "1",
        "MATPLOTLIBRC": str(Path(__file__).with_name("matplotlibrc")),
        "SOURCE_DATE_EPOCH": "0",  # else every figure carries the date
    }


async def run_page(
    page: Page, backend: str, memory: float | None = None
) -> tuple[NotebookNode, dict[str, Any]]:
    """Run a page; return its notebook with outputs, and the run's metadata.

    Raises:
        PageFailure: a cell raised, did not raise though it was meant to, took too long or
            printed too much, or its kernel died.
    """
    notebook = nbformat.from_dict(page.notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    started = time.perf_counter()
    index = page.code_indices[0]
    try:
        async with kernel(notebook, backend, page.cell_limit_s, memory) as client:
            for number, index in enumerate(page.code_indices, start=1):
                cell = notebook.cells[index]
                if missing := missing_package(cell):
                    text = f"not run: {missing} is not installed\n"
                    cell.outputs = [nbformat.v4.new_output("stream", text=text)]
                    continue
                await client.async_execute_cell(cell, index, number)
                require_expected_error(page, index, cell)
            values = await evaluate(client, ENVIRONMENT)
    except CellExecutionError as error:
        raise PageFailure(page, index, f"raised {error.ename}", error.traceback) from error
    except CellTimeoutError as error:
        reason = f"was stopped: it took longer than its limit of {page.cell_limit_s} s"
        raise PageFailure(page, index, reason) from error
    except OutputLimitExceeded as error:
        reason = f"was stopped: it printed more than {OUTPUT_LIMIT_MB} MB"
        raise PageFailure(page, index, reason) from error
    except DeadKernelError as error:
        reraise_interrupt()
        raise PageFailure(page, index, "killed its kernel") from error
    except RuntimeError as error:
        raise PageFailure(page, index, f"did not run, since its kernel did not: {error}") from error
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                output.traceback = traceback.shorten(output.traceback)
    return notebook, run_metadata(values, time.perf_counter() - started)


def missing_package(cell: NotebookNode) -> str:
    """The optional package that a cell has as its option `needs`, where it is not installed.

    >>> missing_package(nbformat.v4.new_code_cell(metadata={"needs": "no_such_package"}))
    'no_such_package'
    """
    package = cell.metadata.get("needs", "")
    return "" if not package or find_spec(package) else package


def reraise_interrupt() -> None:
    """Stop after Ctrl-C: nbclient reports a cancelled cell as a dead kernel."""
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError


def require_expected_error(page: Page, index: int, cell: NotebookNode) -> None:
    """Fail where a cell tagged `raises-exception` does not raise."""
    expected = "raises-exception" in cell.metadata.get("tags", [])
    raised = any(output.output_type == "error" for output in cell.outputs)
    if expected and not raised:
        raise PageFailure(page, index, "is tagged raises-exception, but raised nothing")


async def evaluate(client: NotebookClient, expression: str) -> tuple[Any, ...]:
    """Evaluate an expression in the kernel, without leaving a trace on the page."""
    channel: Any = client.kc
    reply = await channel.execute(
        "",
        silent=True,
        user_expressions={"value": " ".join(expression.split())},
        reply=True,
        timeout=120,
    )
    result = reply["content"]["user_expressions"]["value"]
    if result["status"] == "error":
        raise RuntimeError(f"{result['ename']}: {result['evalue']}")
    value = ast.literal_eval(result["data"]["text/plain"])
    assert isinstance(value, tuple)
    return value


def run_metadata(values: tuple[Any, ...], seconds: float) -> dict[str, Any]:
    """How a page was run, for its foot and the status page."""
    jax, python, backend, device, devices = values
    return {
        "jax": jax,
        "python": python,
        "backend": backend,
        "device": processor() if backend == "cpu" else device,
        "devices": available_cpus() if backend == "cpu" else devices,
        "driver": nvidia_driver() if backend == "gpu" else "",
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "seconds": round(seconds, 1),
    }


def nvidia_driver() -> str:
    """The version of NVIDIA's driver; empty where it has none, as on other GPUs."""
    with suppress(OSError, subprocess.CalledProcessError):
        command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
        return subprocess.check_output(command, text=True).split()[0]
    return ""


def commit() -> str:
    """The checked-out commit, with a plus sign where files differ from it."""
    command = ["git", "describe", "--always", "--dirty=+", "--exclude=*"]
    try:
        return subprocess.check_output(
            command, cwd=ROOT, text=True, stderr=subprocess.DEVNULL
        ).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
