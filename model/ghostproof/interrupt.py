"""Ctrl-C while a solver runs. Solver libraries take the signal for themselves and call the answer unknown."""

from __future__ import annotations

import _thread
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

INTERRUPTED = 130
GRACE_SECONDS = 1.0
"""How long the main thread may take to notice; it does so between two calls of a library, not within one."""

SHOW_CURSOR = "\x1b[?25h"


@contextmanager
def interruptible() -> Iterator[None]:
    """Within, Ctrl-C ends the process with exit code 130 even if the main thread never returns from a library call."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    left = threading.Event()
    # A blocked signal reaches nobody's handler; the thread that waits for it gets it all the same.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    waiter = threading.Thread(target=_wait, args=(left,), daemon=True)
    waiter.start()
    try:
        yield
    finally:
        left.set()
        if waiter.is_alive() and waiter.ident is not None:
            signal.pthread_kill(waiter.ident, signal.SIGINT)
        waiter.join()
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _wait(left: threading.Event) -> None:
    signal.sigwait({signal.SIGINT})
    if left.is_set():
        return
    _thread.interrupt_main()
    if not left.wait(GRACE_SECONDS):
        # A progress line may have hidden the cursor.
        sys.stderr.write((SHOW_CURSOR if sys.stderr.isatty() else "") + "ghostproof: interrupted\n")
        sys.stderr.flush()
        os._exit(INTERRUPTED)
