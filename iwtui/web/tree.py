"""The processes below one of ours."""

import os
from contextlib import suppress
from pathlib import Path

import psutil

_PAGE = os.sysconf("SC_PAGE_SIZE")
_CHILDREN = Path("/proc/self/task").exists()
MOST = 5_000
"""Processes that are looked at; more are as good as this many."""


def descendants(pid: int) -> list[int]:
    """The process and all below it, as far as they still run."""
    if not _CHILDREN:
        return _asked(pid)
    found = [pid]
    for parent in found:
        if len(found) > MOST:
            break
        with suppress(OSError):
            for task in Path(f"/proc/{parent}/task").iterdir():
                found += map(int, (task / "children").read_text().split())
    return found


def resident(pids: list[int]) -> int:
    """Bytes of memory of their own that the processes hold."""
    return sum(map(_resident, pids))


def _resident(pid: int) -> int:
    try:
        if not _CHILDREN:
            return int(psutil.Process(pid).memory_info().rss)
        _, pages, shared, *_ = map(int, Path(f"/proc/{pid}/statm").read_text().split())
        return (pages - shared) * _PAGE
    except (OSError, ValueError, psutil.Error):
        return 0  # it ended meanwhile


def _asked(pid: int) -> list[int]:
    try:
        process = psutil.Process(pid)
        return [pid, *(child.pid for child in process.children(recursive=True))]
    except psutil.Error:
        return [pid]
