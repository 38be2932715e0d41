"""Whole lines of a file that another process may be writing, truncating or replacing at this moment."""

import os
from pathlib import Path

CHUNK = 1 << 20
"""Bytes read at once. What is longer without a newline is no line of ours and is passed over in pieces of this size."""

MARK = 64


class Tail:
    """Reads on from an offset. `mark` is what stood right before it: when that has changed, the file is another one."""

    def __init__(self, path: Path, offset: int = 0, mark: bytes = b"") -> None:
        self.path = path
        self.offset = offset
        self.mark = mark
        self.restarted = False
        """Whether the last read began again at the top, because the file was truncated or replaced."""
        self._file: int | None = None

    def read(self) -> list[tuple[int, bytes]]:
        """The next whole lines, without their newlines, each with the offset of its end; [] when there are none now.

        A last line without its newline is left for later. Raises FileNotFoundError.
        """
        fd = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            self.restarted = not self._same(fd)
            if self.restarted:
                self.offset, self.mark = 0, b""
            data = os.pread(fd, CHUNK, self.offset)
        finally:
            os.close(fd)
        whole = data[: data.rfind(b"\n") + 1]
        if not whole and len(data) == CHUNK:
            whole = data
        start = self.offset
        if whole:
            self.offset += len(whole)
            self.mark = (self.mark + whole)[-MARK:]
        return _lines(start, whole)

    def _same(self, fd: int) -> bool:
        status = os.fstat(fd)
        before, self._file = self._file, status.st_ino
        if before not in (None, status.st_ino) or status.st_size < self.offset:
            return False
        return not self.mark or os.pread(fd, len(self.mark), self.offset - len(self.mark)) == self.mark


def _lines(start: int, whole: bytes) -> list[tuple[int, bytes]]:
    lines: list[tuple[int, bytes]] = []
    parts = whole.split(b"\n")
    for part in parts[:-1]:
        start += len(part) + 1
        lines.append((start, part))
    if parts[-1]:
        lines.append((start + len(parts[-1]), parts[-1]))
    return lines
