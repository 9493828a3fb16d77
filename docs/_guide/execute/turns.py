"""When the cells of pages that run at the same time may run: asyncio has no readers-writer lock."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Turns:
    """Ordinary cells run side by side; one that measures waits for them, then runs alone."""

    def __init__(self) -> None:
        self.changed = asyncio.Condition()
        self.running = 0
        self.alone = 0  # cells that measure, and those that wait to

    @asynccontextmanager
    async def turn(self, alone: bool) -> AsyncIterator[None]:
        """Wait for the turn of a cell, and hold it while the block runs."""
        async with self.changed:
            self.alone += alone
            try:
                if alone:
                    await self.changed.wait_for(lambda: not self.running)
                else:
                    await self.changed.wait_for(lambda: not self.alone)
            except BaseException:
                self.alone -= alone
                self.changed.notify_all()
                raise
            self.running += 1
        try:
            yield
        finally:
            self.running -= 1
            self.alone -= alone
            async with self.changed:
                self.changed.notify_all()
