"""The two stages of a Ctrl-C: let the turns under way end; then stop now, whatever hangs."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable

INTERRUPTED = 130
"""Exit code of a run that was stopped."""

PATIENCE = 4.0
"""Seconds that stopping now may take. What hangs then (a library that is still being loaded, say) holds nothing of worth:
each event is written as it happens, and browser and sandboxes end with the process."""


def how_to_go_on(run: str) -> str:
    return f"`iwtui resume {run}` goes on from the last whole turn"


class Signals:
    """SIGINT and SIGTERM: the first asks for a stop, the second cancels the task, the third leaves at once.

    A hang-up (SIGHUP) does not stop a run.
    """

    def __init__(self, run: str, stop: Callable[[], bool]) -> None:
        self._run = run
        self._stop = stop
        self._task: asyncio.Task[object] | None = None
        self._last: threading.Timer | None = None

    def install(self) -> None:
        """From now on, for the task that calls this. `stop` returns whether it is the first to ask for it."""
        self._task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self._came)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    def over(self) -> None:
        """All has ended in time."""
        if self._last:
            self._last.cancel()

    def _came(self) -> None:
        if self._stop() or self._task is None:
            return
        if self._last:
            self._leave()
        self._last = threading.Timer(PATIENCE, self._leave)
        self._last.daemon = True
        self._last.start()
        self._task.cancel()

    def _leave(self) -> None:
        try:
            os.write(sys.stderr.fileno(), f"stopped\n{how_to_go_on(self._run)}\n".encode())
        finally:
            os._exit(INTERRUPTED)
