"""The queries that were asked in the console, the last one last: a small file of JSON lines in the user's state folder.

Each console adds its lines with one write; now and then the file is made shorter. A line that cannot be read is passed over.
"""

import os
from pathlib import Path
from threading import Lock

import msgspec

from iwtui.archive.durable import make_folder, write_durably
from iwtui.resources import state_folder

MOST = 500
"""Queries that are kept."""

LONGEST = 20_000
"""Characters of a query that is kept."""

LARGEST = 2_000_000
"""Bytes of the file that are read, from its end, and from which on it is made shorter."""


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """A query, when it was asked (seconds since the epoch), how many rows it gave, and how long that took.

    `rows` is None when they were not counted; `fault` says why there are none.
    """

    sql: str
    at: float
    rows: int | None = None
    seconds: float | None = None
    fault: str = ""


class History:
    """Belongs into a thread; any may use it."""

    def __init__(self, file: Path | None = None) -> None:
        self._file = file or state_folder() / "queries.jsonl"
        self._turn = Lock()

    def read(self) -> tuple[Asked, ...]:
        """The queries, each once, the last one last. Raises OSError."""
        with self._turn:
            return self._read()

    def add(self, asked: Asked) -> tuple[Asked, ...]:
        """One more; all there are then. One that is too long is not kept. Raises OSError."""
        with self._turn:
            if len(asked.sql) <= LONGEST:
                make_folder(self._file.parent)
                line = msgspec.json.encode(asked) + b"\n"
                fd = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
                try:
                    os.write(fd, line)
                finally:
                    os.close(fd)
            found = self._read()
            if self._file.exists() and self._file.stat().st_size > LARGEST:
                write_durably(self._file, b"".join(msgspec.json.encode(one) + b"\n" for one in found))
                self._file.chmod(0o600)
            return found

    def _read(self) -> tuple[Asked, ...]:
        try:
            with self._file.open("rb") as stream:
                size = stream.seek(0, os.SEEK_END)
                stream.seek(max(0, size - LARGEST))
                lines = stream.read(LARGEST).splitlines()
        except FileNotFoundError:
            return ()
        found: dict[str, Asked] = {}
        for line in lines:
            try:
                asked = msgspec.json.decode(line, type=Asked)
            except (msgspec.MsgspecError, UnicodeDecodeError):
                continue
            found.pop(asked.sql, None)
            found[asked.sql] = asked
        return tuple(found.values())[-MOST:]
