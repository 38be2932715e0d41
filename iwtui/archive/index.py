"""The DuckDB index over the logs: caught up in short transactions, read by many, made anew at any time.

No process keeps the file open: open, do one thing, close, behind a gate that all processes of the program queue at.
"""

import contextlib
import hashlib
import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import TypeVar

import duckdb
import msgspec

from iwtui.archive import schema
from iwtui.archive.durable import make_folder
from iwtui.archive.errors import IndexBrokenError, IndexBusyError, IndexFaultError
from iwtui.archive.flock import Wait
from iwtui.archive.gate import Gate
from iwtui.archive.ingest import Indexed, indexed, ingest
from iwtui.archive.reading import Readings
from iwtui.archive.scan import scan
from iwtui.archive.store import Store
from iwtui.resources import cache_folder

logger = logging.getLogger("iwtui.archive")

WAIT = 10.0
"""Seconds to wait for others before giving up."""

HOLD = 1.0
"""Seconds after which a writer with more to do lets others in."""

FOREIGN_NAP = (0.005, 0.03)
"""Seconds between two tries to open a file that a program which does not know the gate holds."""

READ_ONLY = {
    "enable_external_access": "false",
    "python_enable_replacements": "false",
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    "lock_configuration": "true",
}
"""How every reader opens the file: nothing but its tables can be reached."""

T = TypeVar("T")


class CaughtUp(msgspec.Struct, frozen=True):
    """What a catch-up did. `behind`: there is more in the logs, the time was up. `problems`: runs that cannot be read."""

    events: int = 0
    logs: int = 0
    seconds: float = 0.0
    behind: bool = False
    problems: tuple[str, ...] = ()


class Index:
    """The index of a store; in the user's cache folder when the store may not be written."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.path = (store.root if store.writable else _cached(store.root)) / "iwtui.duckdb"
        self._gate = Gate(self.path)
        self._readings = Readings()
        self._known: tuple[int, Indexed] | None = None
        """The file's inode and how far it was when this process wrote it last."""

    def catch_up(self, budget: float | None = None, wait: float = WAIT) -> CaughtUp:
        """Read what is new in the logs, exactly once. Ends after `budget` seconds, at the end of a batch.

        Raises IndexBusyError when others hold the file for longer than `wait` seconds, IndexNewerError when a newer version
        made it, IndexFaultError when it cannot be written. The logs hold everything in any case.
        """
        began = time.monotonic()
        state = self._state(wait)
        if state is not None and state.is_up_to(scan(self.store.root)):
            self._checked().touch()
            return CaughtUp(seconds=time.monotonic() - began, problems=_problems(state))
        ends = began + budget if budget is not None else float("inf")
        events = logs = 0
        more = True
        while more:
            with self._writing(wait) as con:
                found = scan(self.store.root)
                let_in = min(time.monotonic() + HOLD, ends)
                while more:
                    batch = ingest(con, self.store, self._readings, found)
                    events, logs, more = events + batch.events, logs + batch.logs, batch.more
                    if time.monotonic() >= let_in:
                        break
                state = indexed(con)
                self._known = (self.path.stat().st_ino, state)
            if time.monotonic() >= ends:
                break
        if not more:
            self._checked().touch()
        return CaughtUp(events, logs, time.monotonic() - began, more, _problems(state))

    def rebuild(self, wait: float = WAIT) -> CaughtUp:
        """Make the index anew from the logs. Raises as `catch_up`."""
        make_folder(self.path.parent)
        limit = Wait(wait)
        with self._gate.writing(limit):
            if self.path.exists():
                self._refuse_newer(limit)
            self._remove()
        return self.catch_up(wait=wait)

    def read(self, fn: Callable[[duckdb.DuckDBPyConnection], T], wait: float = WAIT, cancelled: Event | None = None) -> T:
        """What `fn` makes of a read-only connection; it must not keep the connection, nor a result that is not fetched.

        An index that is not there yet is made first. Raises IndexBusyError, IndexFaultError, QueryStoppedError.
        """
        if not self.path.exists():
            self.catch_up(wait=wait)
        limit = Wait(wait, cancelled)
        with self._gate.reading(limit), contextlib.closing(self._connect(limit, read_only=True)) as con:
            return fn(con)

    def age(self) -> float | None:
        """Seconds since the index was last known to hold all that the logs do; None before the first time."""
        try:
            return max(0.0, time.time() - self._checked().stat().st_mtime)
        except FileNotFoundError:
            return None

    def _checked(self) -> Path:
        return self.path.with_name(f".{self.path.name}.checked")

    def _state(self, wait: float) -> Indexed | None:
        """How far the index is, or None when it must be made or made anew."""
        if not self.path.exists():
            return None
        if self._known and self._known[0] == self.path.stat().st_ino:
            return self._known[1]
        try:
            return self.read(lambda con: indexed(con) if schema.is_current(con) else None, wait)
        except (IndexFaultError, duckdb.Error):
            return None  # the writer, who comes next, makes it anew or says what is wrong

    @contextlib.contextmanager
    def _writing(self, wait: float) -> Iterator[duckdb.DuckDBPyConnection]:
        make_folder(self.path.parent)
        limit = Wait(wait)
        with self._gate.writing(limit):
            try:
                with contextlib.closing(self._open_whole(limit)) as con:
                    yield con
            except duckdb.Error as error:
                raise IndexFaultError(f"{self.path}: {error}") from error

    def _open_whole(self, limit: Wait) -> duckdb.DuckDBPyConnection:
        """A writer's connection to an index of this version; one of an older version, or a broken one, is made anew."""
        try:
            con = self._connect(limit, read_only=False)
        except IndexBrokenError as error:
            logger.warning("the index cannot be opened and is made anew from the logs: %s", error)
            self._remove()
            con = self._connect(limit, read_only=False)
        try:
            if schema.is_current(con):
                return con
            if not schema.is_empty(con):
                con.close()
                self._remove()
                con = self._connect(limit, read_only=False)
            schema.create(con)
        except BaseException:
            con.close()
            raise
        return con

    def _refuse_newer(self, limit: Wait) -> None:
        try:
            with contextlib.closing(self._connect(limit, read_only=True)) as con:
                schema.is_current(con)
        except (IndexBrokenError, duckdb.Error) as error:
            logger.info("the index that is made anew could not be read: %s", error)

    def _connect(self, limit: Wait, read_only: bool) -> duckdb.DuckDBPyConnection:
        while True:
            try:
                return duckdb.connect(str(self.path), read_only=read_only, config=dict(READ_ONLY) if read_only else {})
            except duckdb.Error as error:
                if not _is_conflict(error):
                    kind = IndexFaultError if _is_of_the_machine(error) else IndexBrokenError
                    raise kind(f"{self.path}: {error}") from error
                limit.nap(IndexBusyError(f"another program has the index open: {error}"), *FOREIGN_NAP)

    def _remove(self) -> None:
        self._readings.forget()
        self._known = None
        for file in (self.path, self.path.with_name(self.path.name + ".wal")):
            file.unlink(missing_ok=True)


def _problems(state: Indexed | None) -> tuple[str, ...]:
    return tuple(state.problems.values()) if state else ()


def _is_conflict(error: duckdb.Error) -> bool:
    return "Could not set lock" in str(error) or "different configuration" in str(error)


def _is_of_the_machine(error: duckdb.Error) -> bool:
    return any(reason in str(error) for reason in ("No space left", "Permission denied", "Too many open files"))


def _cached(root: Path) -> Path:
    return cache_folder() / "indexes" / hashlib.sha256(str(root.resolve()).encode()).hexdigest()[:16]
