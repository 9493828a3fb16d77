"""Ctrl-C at the right moment.

The upstream gap: a KeyboardInterrupt can come out of JAX as a ValueError, and one while Orbax
writes leaves an incomplete checkpoint. So it waits until Python asks.
"""

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def ctrl_c_waits() -> Iterator[Callable[[], None]]:
    """Let the first Ctrl-C wait until it is asked for; the second one does not wait.

    Yields:
        A function that raises KeyboardInterrupt if Ctrl-C was pressed.
    """
    pressed = threading.Event()

    def remember(*_: object) -> None:
        pressed.set()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def asked() -> None:
        if pressed.is_set():
            raise KeyboardInterrupt

    # A process in the background is deaf to Ctrl-C, and another thread never sees it.
    usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if not usual or threading.current_thread() is not threading.main_thread():
        yield asked
        return
    signal.signal(signal.SIGINT, remember)
    try:
        yield asked
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
