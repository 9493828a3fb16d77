"""Run the pages that have no stored outputs: each once, whatever the number of languages."""

import asyncio
import time
from collections.abc import Sequence

from docs._make.failure import PageFailure
from docs._make.kernel import run_page
from docs._make.limits import end_orphans
from docs._make.page import Page
from docs._make.store import OutputStore, keep


async def run_pages(
    store: OutputStore, pages: Sequence[Page], backend: str, jobs: int
) -> list[PageFailure]:
    """Run pages, keep what each printed as soon as it ends, and return the failures.

    Pages that measure time run last, one by one, with nothing beside them. Even so another
    process of the machine can spoil a measurement: such a page gets a second try, and says so.
    """
    end_orphans()
    done = 0
    failures: list[PageFailure] = []
    free = asyncio.Semaphore(jobs)

    async def attempt(page: Page) -> PageFailure | None:
        print(f"running {page.name} ({len(page.code_cells)} cells)", flush=True)
        try:
            executed, facts = await run_page(page, backend)
        except PageFailure as failure:
            return failure
        keep(store, executed, facts)
        return None

    async def run(page: Page) -> None:
        nonlocal done
        async with free:
            started = time.perf_counter()
            failure = await attempt(page)
            if failure and failure.of_claim and page.timed:
                print(f"{failure}\nonce more: another process may have disturbed it", flush=True)
                failure = await attempt(page)
            done += 1
            if failure:
                failures.append(failure)
            ended = "FAILED" if failure else "ran"
            seconds = time.perf_counter() - started
            print(f"[{done}/{len(pages)}] {ended} {page.name} in {seconds:.1f} s", flush=True)

    try:
        async with asyncio.TaskGroup() as group:
            for page in pages:
                if not page.timed:
                    group.create_task(run(page))
    except ExceptionGroup as errors:  # such as a full disk: the first one says it
        raise errors.exceptions[0] from errors
    for page in pages:
        if page.timed:
            await run(page)
    return failures
