"""Run one page's cells, in order, in a kernel of their own, without the builder's settings."""

import ast
import asyncio
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from docs._guide.execute import traceback
from docs._guide.execute.cache import NOT_HELD
from docs._guide.execute.environment import (
    compilation_cache,
    jax_variables,
    nvidia_gpu,
    processor,
)
from docs._guide.execute.page import MEASURES, RAISES, STDERR, Page, has_tag, statements
from docs._guide.execute.turns import Turns
from docs._guide.machine import available_cpus
from docs._guide.options import BUILD, ROOT

OUTPUT_LIMIT_MB = 10  # the largest page prints 1.0 MB

LINE_IN_CELL = re.compile(r"Cell In\[\d+\], line (\d+)")

# Evaluated in the page's own kernel: JAX may have fallen back to another device.
ENVIRONMENT = """(
    __import__("jax").__version__,
    __import__("platform").python_version(),
    __import__("jax").default_backend(),
    __import__("jax").devices()[0].device_kind,
    len(__import__("jax").devices()),
    __import__("guide_counter").compilations,
    sum(sum(__import__("resource").getrusage(who)[:2]) for who in (0, -1)),
)"""
COUNTER = f"""
import sys, types
sys.modules["guide_counter"] = types.ModuleType("guide_counter")
exec({Path(__file__).with_name("counter.py").read_text(encoding="utf-8")!r},
     sys.modules["guide_counter"].__dict__)
del sys, types
"""

# What a kernel takes from the builder's shell, besides what the cache depends on
# (environment.py): where programs, libraries, a GPU's driver and proxies are.
PASSED = re.compile(
    r"(PATH|TMPDIR|(DY)?LD_LIBRARY_PATH|SSL_CERT_\w+|(CUDA|NVIDIA|TPU|OPENBLAS)_\w+"
    r"|((HTTPS?|ALL|NO)_PROXY))$",
    re.IGNORECASE,
)

# How warnings begin that depend on the machine, not on the page: tqdm, which NumPyro imports,
# misses ipywidgets, though no page shows a progress bar of it; JAX compiles a program again where
# its cached file is incomplete, since another page is just writing it or a build was stopped.
UNSHOWN_WARNINGS = ("IProgress not found", "Error reading persistent", "Error writing persistent")


class PageFailure(Exception):
    """A page that did not run to its end: where, why, and the command that runs it alone.

    `assertion` is the `assert` that failed in a cell that measures, and otherwise empty.
    """

    def __init__(self, page: Page, cell_index: int, reason: str, report: str = "") -> None:
        report = traceback.ANSI.sub("", report).rstrip()
        inner = LINE_IN_CELL.search(report)
        line = int(inner[1]) if inner else 1
        failed = page.notebook.cells[cell_index]
        measured = has_tag(failed, MEASURES) and reason == "raised AssertionError"
        self.assertion = assertion_at(failed.source, line) if measured else ""
        ordinals = page.code_indices
        cell = f"cell {ordinals.index(cell_index) + 1} of {len(ordinals)}"
        lines = [f"{page.path}:{page.line(cell_index, line)}: {cell} {reason}"]
        if report:
            lines.append(re.sub("^", "    ", report, flags=re.MULTILINE))
        lines.append(f"To run only this page: nox -s docs -- --page {page.name}")
        super().__init__("\n".join(lines))


def assertion_at(source: str, line: int) -> str:
    """The `assert` at a line of a cell, in one line; empty where there is none."""
    for node in (node for tree in statements(source) for node in ast.walk(tree)):
        if isinstance(node, ast.Assert) and node.lineno <= line <= (node.end_lineno or line):
            return ast.unparse(node)
    return ""


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


class OwnKernel(KernelSpecManager):
    """The kernel of the Python that builds, whatever kernels are installed for the user."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        """Return how it is started."""
        argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
        return KernelSpec(argv=argv, display_name="Python 3", language="python")


def kill_group(manager: Any) -> None:
    """SIGKILL the kernel's whole process group, so that no member can fork meanwhile."""
    # macOS has no permission where only ended processes are left.
    with suppress(ProcessLookupError, PermissionError, AttributeError):
        os.killpg(manager.provisioner.pgid, signal.SIGKILL)


@asynccontextmanager
async def kernel(
    notebook: NotebookNode, backend: str, limit_s: int, settings: dict[str, str]
) -> AsyncIterator[NotebookClient]:
    """Start a kernel on a backend, with folders of its own and these variables."""
    with tempfile.TemporaryDirectory(prefix="page-", dir=folder_for_sockets()) as folder:
        # TCP ports collide when kernels start together; a socket in a folder of its own cannot.
        manager = AsyncKernelManager(
            transport="ipc",
            ip=f"{folder}/kernel",
            connection_file=f"{folder}/kernel.json",
            kernel_spec_manager=OwnKernel(),
        )
        client = LimitedClient(
            notebook,
            km=manager,
            timeout=limit_s,
            record_timing=False,  # it would be stored with the cells
            coalesce_streams=True,  # a kernel may send one line in two pieces
            skip_cells_with_tag="",  # nbclient would leave out cells tagged skip-execution
            extra_arguments=["--InlineBackend.figure_formats={'svg'}"],
        )
        work = Path(folder) / "work"  # a page must not depend on the repository's layout
        work.mkdir()
        try:
            await client.async_start_new_kernel(
                env=variables(backend, folder) | settings, cwd=str(work)
            )
            await client.async_start_new_kernel_client()
            yield client
        finally:
            if client.kc is not None:
                client.kc.stop_channels()
            kill_group(manager)  # with the kernel, what the page started and did not wait for
            if manager.has_kernel:
                await manager.shutdown_kernel(now=True)


def folder_for_sockets() -> str:
    """The folder for temporary files; /tmp where its path is too long for a socket in it.

    A socket's path has at most 103 bytes on macOS and 107 on Linux.
    """
    folder = tempfile.gettempdir()
    return folder if len(os.fsencode(folder)) <= 70 else "/tmp"


def variables(backend: str, folder: str) -> dict[str, str]:
    """Environment variables of every page's kernel."""
    passed = {name: value for name, value in os.environ.items() if PASSED.match(name)}
    return {
        **passed,
        **jax_variables(),
        # Beside an accelerator, callbacks and `jax.devices("cpu")` need the CPU.
        "JAX_PLATFORMS": backend if backend == "cpu" else f"{backend},cpu",
        # XLA's alarms, such as that of a slow compilation, would stand on the pages.
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "LANG": "C.UTF-8",
        "HOME": folder,
        "USER": "reader",  # torch.compile names a folder after it; a container may have none
        "PYTHONHASHSEED": "0",
        "PYTHONWARNINGS": ",".join(f"ignore:{start}" for start in UNSHOWN_WARNINGS),
        "IPYTHONDIR": f"{folder}/ipython",
        "MPLBACKEND": "module://matplotlib_inline.backend_inline",
        "MPLCONFIGDIR": str(matplotlib_folder()),
        "MATPLOTLIBRC": str(Path(__file__).with_name("matplotlibrc")),
        "SOURCE_DATE_EPOCH": "0",  # else every figure carries the date
    }


def page_variables(page: Page, backend: str, memory: float | None) -> dict[str, str]:
    """Environment variables of one page's kernel.

    JAX's persistent cache serves every program of a page on the CPU, but not where time is
    measured: compilation would take less of it from the second build on.
    """
    result = {"XLA_CLIENT_MEM_FRACTION": f"{memory:.2f}"} if memory else {}
    if backend == "cpu" and not page.measures:
        result |= compilation_cache()
    return result


def matplotlib_folder() -> Path:
    """Where Matplotlib caches its list of fonts."""
    return BUILD / "matplotlib"


async def run_page(
    page: Page,
    backend: str,
    memory: float | None = None,
    turns: Turns | None = None,
    strict: bool = True,
) -> tuple[NotebookNode, dict[str, Any]]:
    """Run a page; return its notebook with outputs, and the run's metadata.

    Args:
        page: The page.
        backend: `cpu`, `cuda` or `tpu`.
        memory: How much of an accelerator's memory JAX reserves; None leaves it to JAX.
        turns: Shared by pages that run at the same time, so that a cell that measures runs alone.
        strict: Whether an assertion on a measurement is fatal; else it is in the metadata.

    Raises:
        PageFailure: a cell raised, did not raise though it was meant to, took too long, printed
            too much or wrote to stderr, or its kernel died.
    """
    notebook = nbformat.from_dict(page.notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
    turns = turns or Turns()
    started = time.perf_counter()
    index = page.code_indices[0]
    not_held: dict[str, str] = {}
    try:
        settings = page_variables(page, backend, memory)
        async with kernel(notebook, backend, page.cell_limit_s, settings) as client:
            await evaluate(client, "()", before=COUNTER)
            for number, index in enumerate(page.code_indices, start=1):
                cell = notebook.cells[index]
                if missing := missing_package(cell):
                    text = f"not run: {missing} is not installed\n"
                    cell.outputs = [nbformat.v4.new_output("stream", text=text)]
                    continue
                try:
                    async with turns.turn(alone=has_tag(cell, MEASURES)):
                        await client.async_execute_cell(cell, index, number)
                except CellExecutionError as error:
                    failure = PageFailure(page, index, f"raised {error.ename}", error.traceback)
                    if strict or not failure.assertion:
                        raise failure from error
                    not_held[str(index)] = failure.assertion
                    cell.outputs = [o for o in cell.outputs if o.output_type != "error"]
                require_expected_outputs(page, index, cell)
            values = await evaluate(client, ENVIRONMENT)
    except CellTimeoutError as error:
        reason = f"was stopped: it took longer than its limit of {page.cell_limit_s} s"
        raise PageFailure(page, index, reason) from error
    except OutputLimitExceeded as error:
        reason = f"was stopped: it printed more than {OUTPUT_LIMIT_MB} MB"
        raise PageFailure(page, index, reason) from error
    except DeadKernelError as error:
        reraise_interrupt()
        raise PageFailure(page, index, "killed its kernel") from error
    except TimeoutError as error:  # an OSError, too
        raise PageFailure(page, index, "did not answer in time") from error
    except (PageFailure, OSError):  # an OSError, such as a full disk, ends the whole build
        raise
    except Exception as error:
        reason = f"did not run, since its kernel did not: {type(error).__name__}: {error}"
        raise PageFailure(page, index, reason) from error
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                output.traceback = traceback.shorten(output.traceback)
    run = run_metadata(values, time.perf_counter() - started)
    return notebook, {**run, NOT_HELD: not_held}


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


def require_expected_outputs(page: Page, index: int, cell: NotebookNode) -> None:
    """Fail where a cell does not raise, or writes to stderr, other than its tags announce."""
    if has_tag(cell, RAISES) and not any(o.output_type == "error" for o in cell.outputs):
        raise PageFailure(page, index, f"is tagged {RAISES}, but raised nothing")
    stderr = "".join(output.text for output in cell.outputs if output.get("name") == "stderr")
    if stderr and not has_tag(cell, STDERR):
        raise PageFailure(page, index, f"wrote to stderr without the tag {STDERR}", stderr)


async def evaluate(client: NotebookClient, expression: str, before: str = "") -> tuple[Any, ...]:
    """Evaluate an expression in the kernel, without leaving a trace on the page."""
    channel: Any = client.kc
    reply = await channel.execute(
        before,
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
    jax, python, backend, device, devices, compilations, cpu_seconds = values
    return {
        "jax": jax,
        "python": python,
        "backend": backend,
        "device": processor() if backend == "cpu" else device,
        "devices": available_cpus() if backend == "cpu" else devices,
        "driver": nvidia_gpu("driver_version") if backend == "gpu" else "",
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "commit": commit(),
        "seconds": round(seconds, 1),
        "cpu_seconds": round(cpu_seconds, 1),
        "compilations": compilations,
    }


def commit() -> str:
    """The checked-out commit, with a plus sign where files differ from it.

    Empty without git, and where the guide only lies inside of another repository.
    """
    git = ["git", "-c", f"safe.directory={ROOT}", "-C", str(ROOT)]
    try:
        quiet: dict[str, Any] = {"text": True, "encoding": "utf-8", "stderr": subprocess.DEVNULL}
        top = subprocess.check_output([*git, "rev-parse", "--show-toplevel"], **quiet)
        if not Path(top.strip()).samefile(ROOT):
            return ""
        describe = [*git, "describe", "--always", "--dirty=+", "--exclude=*"]
        return str(subprocess.check_output(describe, **quiet)).strip()
    except (OSError, subprocess.CalledProcessError):
        return ""
