"""A gate before the index: one writer or many readers, first come first served, gone with the process that held it.

Two file locks: a *turnstile* that each passes on its way in, and a lock that the writer has alone and the readers share.
A writer that waits holds the turnstile, so that new readers queue behind it. Threads of a process queue like processes.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from iwtui.archive.errors import IndexBusyError
from iwtui.archive.flock import Wait, take


class Gate:
    """The gate of one index file, in its folder."""

    def __init__(self, index: Path) -> None:
        self._turnstile = index.with_name(f".{index.name}.turn")
        self._lock = index.with_name(f".{index.name}.lock")

    @contextmanager
    def reading(self, wait: Wait) -> Iterator[None]:
        """Hold the index together with other readers."""
        with self._held(fcntl.LOCK_SH, wait):
            yield

    @contextmanager
    def writing(self, wait: Wait) -> Iterator[None]:
        """Hold the index alone."""
        with self._held(fcntl.LOCK_EX, wait):
            yield

    @contextmanager
    def _held(self, mode: int, wait: Wait) -> Iterator[None]:
        busy = IndexBusyError(f"another process of iwtui has been using the index for {wait.seconds:.1f} s")
        lock = _open(self._lock)
        try:
            turnstile = _open(self._turnstile)
            try:
                take(turnstile, fcntl.LOCK_EX, wait, busy)
                take(lock, mode, wait, busy)
            finally:
                os.close(turnstile)
            yield
        finally:
            os.close(lock)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
