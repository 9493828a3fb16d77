"""Run the pages whose outputs are missing: each once, whatever the number of languages."""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

from docs._guide.execute import cache
from docs._guide.execute.kernel import PageFailure, run_page
from docs._guide.execute.page import Page


async def run_pages(
    folder: Path, pages: Sequence[Page], backend: str, jobs: int
) -> list[PageFailure]:
    """Run pages, cache the outputs of each as soon as it ends, and return the failures.

    Pages that measure time run last, one by one; the others share the memory of an accelerator,
    of which JAX would reserve three quarters for the first. Even so another process of the machine
    can disturb a measurement: an exclusive page whose assertion fails is tried once more.
    """
    done = 0
    failures: list[PageFailure] = []
    slots = asyncio.Semaphore(jobs)

    async def attempt(page: Page) -> PageFailure | None:
        print(f"running {page.name} ({len(page.code_indices)} cells)", flush=True)
        try:
            shared = jobs > 1 and backend != "cpu" and not page.exclusive
            memory = 0.75 / jobs if shared else None
            executed, metadata = await run_page(page, backend, memory)
        except PageFailure as failure:
            return failure
        cache.put(folder, page, executed, metadata)
        return None

    async def run(page: Page) -> None:
        nonlocal done
        async with slots:
            started = time.perf_counter()
            failure = await attempt(page)
            if failure and failure.is_assertion and page.exclusive:
                print(f"{failure}\nretrying: another process may have disturbed it", flush=True)
                failure = await attempt(page)
            done += 1
            if failure:
                failures.append(failure)
            seconds = time.perf_counter() - started
            result = "FAILED" if failure else "ran"
            print(f"[{done}/{len(pages)}] {result} {page.name} in {seconds:.1f} s", flush=True)

    try:
        async with asyncio.TaskGroup() as group:
            for page in pages:
                if not page.exclusive:
                    group.create_task(run(page))
    except ExceptionGroup as errors:  # such as a full disk: the first one is the cause
        raise errors.exceptions[0] from errors
    for page in pages:
        if page.exclusive:
            await run(page)
    return failures
