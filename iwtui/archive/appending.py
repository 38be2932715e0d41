"""Files of lines that one process at a time appends to."""

import fcntl
import os
from pathlib import Path

from iwtui.archive.durable import write_durably
from iwtui.archive.errors import LogBusyError
from iwtui.archive.lines import CHUNK


def claim(fd: int, path: Path) -> None:
    """Be the one writer of an open file, until it is closed. Raises LogBusyError."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise LogBusyError(f"{path} is being written by another process") from error


def set_torn_aside(fd: int, path: Path, end: int) -> str | None:
    """Cut off what stands after the last whole line, which ends at byte `end`; the name of the file that now holds it."""
    size = os.fstat(fd).st_size
    if size == end:
        return None
    number = 1
    while (aside := path.with_name(f"{path.name}.torn-{number}")).exists():
        number += 1
    write_durably(aside, os.pread(fd, min(size - end, CHUNK), end))
    os.ftruncate(fd, end)
    os.fsync(fd)
    return aside.name
