"""Waiting for a file lock, with a limit."""

import fcntl
import random
import threading
import time

from iwtui.archive.errors import QueryStoppedError, StoreError

NAP = (0.001, 0.01)
"""Seconds between two tries: flock has no deadline of its own."""


class Wait:
    """How long one may wait, and an event that ends the wait early. `seconds` counts from now."""

    def __init__(self, seconds: float, cancelled: threading.Event | None = None) -> None:
        self.seconds = seconds
        self._deadline = time.monotonic() + seconds
        self._cancelled = cancelled or threading.Event()

    def nap(self, busy: StoreError, least: float = NAP[0], most: float = NAP[1]) -> None:
        """Wait a little, at random. Raises `busy` at the deadline, QueryStoppedError when cancelled."""
        if time.monotonic() >= self._deadline:
            raise busy
        if self._cancelled.wait(random.uniform(least, most)):  # noqa: S311 - jitter
            raise QueryStoppedError("cancelled while waiting")


def take(fd: int, mode: int, wait: Wait, busy: StoreError) -> None:
    """Take a flock (LOCK_EX or LOCK_SH) on an open file. Raises `busy` when it cannot be had in time."""
    while True:
        try:
            fcntl.flock(fd, mode | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            wait.nap(busy)
