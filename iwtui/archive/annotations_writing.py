"""Writing annotations: one writer a file, each line durable before it is told of."""

import errno
import os
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import msgspec

from iwtui.archive.annotations import FOLDER, Annotation, Noted, Said, SlotDecided, encode, envelopes
from iwtui.archive.appending import claim, set_torn_aside
from iwtui.archive.control import ulid
from iwtui.archive.durable import make_folder, sync_folder
from iwtui.archive.errors import LogBusyError, ReadOnlyError
from iwtui.archive.lines import Tail
from iwtui.archive.store import Store
from iwtui.bench.events import MAX_LINE
from iwtui.bench.names import slug
from iwtui.bench.text import storable


class AnnotationWriter:
    """Writes what one author says, each line durable when `add` returns.

    It goes on with the author's last file of this host, if nobody writes that; a torn last line is set aside. Raises
    ReadOnlyError for a store that may not be written, ValueError for a name that is none.
    """

    def __init__(self, store: Store, author: str, clock: Callable[[], float] = time.time) -> None:
        self.author = storable(author.strip())[0]
        if not 1 <= len(self.author) <= 80 or not self.author.isprintable():
            raise ValueError(f"{author[:100]!r} is no name for an author: 1 to 80 printable characters")
        if not store.writable:
            raise ReadOnlyError(
                f"{store.root} may not be written by you, and what people say is kept in the store\n"
                "Ask its owner for the right to write in it, or annotate a copy of your own (`--store`)."
            )
        self._clock = clock
        self._host = socket.gethostname()[:255]
        folder = store.root / FOLDER
        make_folder(folder)
        self._fd, self.path = self._open(folder)
        try:
            sync_folder(folder)
            self._end, self._seq = _whole(self.path)
            set_torn_aside(self._fd, self.path, self._end)
        except BaseException:
            os.close(self._fd)
            raise

    def _open(self, folder: Path) -> tuple[int, Path]:
        own = f"{slug(self.author)}-{slug(self._host)}-"
        for path in sorted(folder.glob(f"{own}{'?' * 26}.jsonl"), reverse=True)[:1]:
            if _author(path) != self.author:
                continue  # another name that looks alike in a file's name
            fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
            try:
                claim(fd, path)
            except LogBusyError:
                os.close(fd)
            else:
                return fd, path
        path = folder / f"{own}{ulid(self._clock())}.jsonl"
        fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
        claim(fd, path)
        return fd, path

    def add(self, said: Said) -> Annotation:
        """Write it down. Raises OSError, the file being whole then as before; ValueError for what no reader could take."""
        annotation = Annotation(
            f"{self.path.stem}.{self._seq}", round(self._clock(), 3), self.author, self._host, _storable(said)
        )
        line = encode(self._seq, annotation)
        try:
            if os.write(self._fd, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self.path))
            os.fsync(self._fd)
        except OSError:
            os.ftruncate(self._fd, self._end)
            raise
        self._end += len(line)
        self._seq += 1
        return annotation

    def close(self) -> None:
        """Let go of the file; closing again does nothing."""
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()


def _storable(said: Said) -> Said:
    match said:
        case SlotDecided(note=text):
            return msgspec.structs.replace(said, note=storable(text)[0])
        case Noted(text=text):
            return msgspec.structs.replace(said, text=storable(text)[0])
    return said


def _author(path: Path) -> str | None:
    with path.open("rb") as file:
        first = file.readline(MAX_LINE)
    try:
        return envelopes.decode(first).author
    except (msgspec.MsgspecError, RecursionError):
        return None


def _whole(path: Path) -> tuple[int, int]:
    """The end of the last whole line, and the number of the next one."""
    lines, last, tail = 0, -1, Tail(path)
    while chunk := tail.read():
        lines += len(chunk)
        for _, line in chunk:
            try:
                last = max(last, envelopes.decode(line).seq)
            except (msgspec.MsgspecError, RecursionError):
                continue  # the readers count it; here only the numbering matters
    return tail.offset, max(last + 1, lines)
