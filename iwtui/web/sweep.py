"""What runs that died have left behind: found by the mark that all we start and make bears, and removed.

A mark names the process that made it: its number and the time it began, so that a number used anew is not taken for it.
"""

import os
import re
import shutil
import signal
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

import psutil

from iwtui.web import cgroup

MARK = "IWTUI_SANDBOX"
"""The variable by which the processes that we started are found again."""

_SHAPE = re.compile(r"m(\d+)t(\d+)")


def our_mark() -> str:
    """The mark of this process: a part of names, and the value of the variable."""
    return _mark_of(os.getpid())


def sweep(*folders: Path) -> int:
    """End the processes and remove what stands in `folders` and in the temporary folder of runs that are gone.

    Returns how many there were.
    """
    found = 0
    for process in psutil.process_iter():
        with suppress(psutil.Error, OSError):
            mark = process.environ().get(MARK, "")
            if mark and not _lives(mark):
                os.kill(process.pid, signal.SIGKILL)
                found += 1
    for folder in (Path(tempfile.gettempdir()), *folders):
        with suppress(OSError):
            for entry in os.scandir(folder):
                if "iwtui" in entry.path and _SHAPE.search(entry.name) and not _lives(entry.name):
                    shutil.rmtree(entry.path, ignore_errors=True)
                    found += 1
    cgroup.sweep()
    return found


@cache
def _mark_of(pid: int) -> str:
    return f"m{pid}t{psutil.Process(pid).create_time() * 100:.0f}"


def _lives(text: str) -> bool:
    """Whether the process that the mark in the text names still runs; a text without one is nobody's."""
    mark = _SHAPE.search(text)
    if mark is None:
        return True
    try:
        return _mark_of.__wrapped__(int(mark[1])) == mark[0]
    except psutil.NoSuchProcess:
        return False
