"""Run the pages whose outputs are missing: each once, whatever the number of languages."""

import asyncio
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from docs._guide.execute import cache
from docs._guide.execute.kernel import PageFailure, matplotlib_folder, run_page, variables
from docs._guide.execute.page import Page
from docs._guide.execute.turns import Turns


async def run_pages(
    folder: Path, pages: Sequence[Page], backend: str, jobs: int, strict: bool = True
) -> list[PageFailure]:
    """Run pages, cache the outputs of each as soon as it ends, and return the failures.

    Pages share the memory of an accelerator, of which JAX would reserve three quarters for the
    first. Although cells that measure run alone (turns.py), another process of the machine can
    disturb one: where an assertion fails in it, the page is run once more. If it fails again, the
    outputs are cached with a note of it, or the page fails if `strict`.
    """
    done = 0
    failures: list[PageFailure] = []
    slots = asyncio.Semaphore(jobs)
    turns = Turns()
    memory = 0.75 / jobs if jobs > 1 and backend != "cpu" else None

    async def attempt(page: Page, strict: bool) -> PageFailure | None:
        print(f"running {page.name} ({len(page.code_indices)} cells)", flush=True)
        try:
            executed, metadata = await run_page(page, backend, memory, turns, strict)
        except PageFailure as failure:
            return failure
        cache.put(folder, page, executed, metadata)
        return None

    async def run(page: Page) -> None:
        nonlocal done
        async with slots:
            started = time.perf_counter()
            failure = await attempt(page, strict=True)
            if failure and failure.assertion:
                print(f"{failure}\nretrying: another process may have disturbed it", flush=True)
                failure = await attempt(page, strict)
            done += 1
            if failure:
                failures.append(failure)
            seconds = time.perf_counter() - started
            result = "FAILED" if failure else "ran"
            print(f"[{done}/{len(pages)}] {result} {page.name} in {seconds:.1f} s", flush=True)

    if any("matplotlib" in cell.source for page in pages for cell in page.code_cells):
        list_fonts(backend)
    try:
        async with asyncio.TaskGroup() as group:
            for page in pages:
                group.create_task(run(page))
    except ExceptionGroup as errors:  # such as a full disk: the first one is the cause
        raise errors.exceptions[0] from errors
    return failures


def list_fonts(backend: str) -> None:
    """Let Matplotlib cache its list of fonts, which a page would warn of where it takes long."""
    matplotlib_folder().mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-c", "import matplotlib.font_manager"]
    environment = variables(backend, str(matplotlib_folder()))
    subprocess.run(command, env=environment, stderr=subprocess.DEVNULL, check=False)
