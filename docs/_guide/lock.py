"""One build at a time in a checkout."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager

from docs._guide.options import BUILD


class Locked(Exception):
    """Another build is running."""


@contextmanager
def build_lock() -> Iterator[None]:
    """Hold the lock of the checkout.

    Subprocesses that write to `_build` inherit it (`close_fds=False`), so a killed build stays
    locked until they have ended; filelock closes its file on exec.

    Raises:
        Locked: another build holds it.
    """
    BUILD.mkdir(exist_ok=True)
    with (BUILD / "lock").open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise Locked(
                "another build is running in this checkout: wait until it ends, or stop it"
            ) from error
        os.set_inheritable(file.fileno(), True)
        yield
