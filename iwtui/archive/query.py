"""SQL on the index as anybody may ask it: read-only, fenced in, cancellable, with a hard limit of rows."""

import bisect
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import duckdb
import msgspec

from iwtui.archive.errors import QueryError, QueryStoppedError
from iwtui.archive.index import WAIT, Index

if TYPE_CHECKING:
    import pyarrow as pa

ALLOWED = ("SELECT", "EXPLAIN", "MULTI")
"""Types of statements that only read. SELECT covers FROM, VALUES, WITH, SHOW, DESCRIBE and SUMMARIZE; MULTI is PIVOT."""

BATCH = 10_000


class Rows(Sequence[tuple[Any, ...]]):
    """The rows of an Arrow table as Python values, made when they are asked for, so that they need no room of their own."""

    def __init__(self, table: "pa.Table") -> None:
        self._table = table

    def __len__(self) -> int:
        return int(self._table.num_rows)

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        for batch in self._table.to_batches(BATCH):
            yield from zip(*(column.to_pylist() for column in batch.columns), strict=True)

    @overload
    def __getitem__(self, index: int) -> tuple[Any, ...]: ...
    @overload
    def __getitem__(self, index: slice) -> list[tuple[Any, ...]]: ...
    def __getitem__(self, index: int | slice) -> tuple[Any, ...] | list[tuple[Any, ...]]:
        if isinstance(index, slice):
            return [self[place] for place in range(*index.indices(len(self)))]
        return tuple(column[index].as_py() for column in self._table.columns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)


class Result(msgspec.Struct, frozen=True):
    """`truncated`: there are more rows than these. `total`: rows in all; None when they were not counted to the end.

    `at_least`: rows that were seen. `seconds`: until these rows were there. `age`: seconds since the index is known to have
    held all logs.
    """

    columns: tuple[str, ...]
    types: tuple[str, ...]
    arrow: "pa.Table"
    truncated: bool
    seconds: float
    age: float | None
    total: int | None = None
    at_least: int = 0

    @property
    def rows(self) -> "Rows":
        """The rows as Python values."""
        return Rows(self.arrow)


class Ahead(msgspec.Struct, frozen=True):
    """Rows for somebody who waits at a screen: `arrived` is told of the first ones, in the thread that asks, and the rest is
    counted for so many seconds. No more than `room` bytes are kept, but always one row.
    """

    arrived: Callable[[Result], None]
    counting: float
    room: int


class Query:
    """Asks one query at a time of an index; another thread may `cancel` it.

    Once an event that was given as `cancelled` is set, this and all later queries are cancelled.
    """

    def __init__(self, index: Index, cancelled: threading.Event | None = None) -> None:
        self._index = index
        self._for_good = cancelled is not None
        self._cancelled = cancelled or threading.Event()
        self._stopped = ""
        """Why the query was stopped, once it was."""

    def cancel(self) -> None:
        """Stop the query that is running, within a moment."""
        self._cancelled.set()

    def run(
        self,
        sql: str,
        limit: int | None = 500,
        seconds: float | None = None,
        wait: float = WAIT,
        ahead: Ahead | None = None,
    ) -> Result:
        """The first `limit` rows (None: all). Ends after `seconds`; `wait` is for the index to be free.

        Raises QueryError with DuckDB's message, QueryStoppedError when cancelled or out of time (but not while the rest is
        counted: then the total is not known), IndexBusyError, IndexFaultError.
        """
        if not self._for_good:
            self._cancelled.clear()
        self._stopped = ""
        asked = _Asked(sql, limit, ahead, time.monotonic(), self._index.age())
        fault, result = "", None
        try:
            fault, result = self._index.read(lambda con: self._ask(con, asked, seconds), wait, self._cancelled)
        except duckdb.Error as error:
            fault = str(error)
        # Raised out here: the frames of DuckDB's own exception, and what is in them, keep the file open in this process.
        if result is None:
            raise QueryStoppedError(self._stopped) if self._stopped else QueryError(fault)
        return result

    def _ask(self, con: duckdb.DuckDBPyConnection, asked: "_Asked", seconds: float | None) -> tuple[str, Result | None]:
        _check(con, asked.sql)
        with self._watched(con, seconds):
            rows = _Rows(con.sql(asked.sql), asked)
            fault = rows.read_first()
            if not fault and asked.ahead:
                asked.ahead.arrived(rows.result())
                fault = rows.count(time.monotonic() + asked.ahead.counting)
                if self._stopped:
                    fault = ""
        return fault, None if fault else rows.result()

    @contextmanager
    def _watched(self, con: duckdb.DuckDBPyConnection, seconds: float | None) -> Iterator[None]:
        """Interrupt the connection when the query is cancelled or its time is up."""
        over = threading.Event()
        ends = time.monotonic() + (seconds if seconds is not None else float("inf"))

        def watch() -> None:
            while not over.wait(0.02):
                if self._cancelled.is_set():
                    self._stopped = "the query was cancelled"
                elif time.monotonic() >= ends:
                    self._stopped = f"the query was stopped after {seconds:.1f} s, the limit of its time"
                if self._stopped:
                    con.interrupt()

        watcher = threading.Thread(target=watch, name="query watcher", daemon=True)
        watcher.start()
        try:
            yield
        finally:
            over.set()
            watcher.join()


class _Asked(NamedTuple):
    sql: str
    limit: int | None
    ahead: Ahead | None
    began: float
    age: float | None


class _Rows:
    """The rows of a relation as they stream in. What goes wrong on the way is given back in words."""

    def __init__(self, relation: duckdb.DuckDBPyRelation, asked: _Asked) -> None:
        self._columns, self._types = tuple(relation.columns), tuple(map(str, relation.types))
        self._limit, self._asked = asked.limit, asked
        self._reader = relation.to_arrow_reader(BATCH if asked.limit is None else min(asked.limit + 1, BATCH))
        self._kept: list[pa.RecordBatch] = []
        self._rows = self._seen = 0
        self._room = asked.ahead.room if asked.ahead else None
        self._full = self._ended = False
        self._seconds = 0.0

    def read_first(self) -> str:
        """Those that are kept, and enough to know whether there are more."""
        fault = ""
        while not fault and not self._ended and not self._full and (self._limit is None or self._seen <= self._limit):
            batch, fault = self._next()
            if batch is not None:
                self._keep(batch)
        self._seconds = time.monotonic() - self._asked.began
        return fault

    def count(self, ends: float) -> str:
        """The rest, until then."""
        fault = ""
        while not fault and not self._ended and time.monotonic() < ends:
            _, fault = self._next()
        return fault

    def result(self) -> Result:
        """What is there now."""
        import pyarrow as pa

        table = pa.Table.from_batches(self._kept, schema=self._reader.schema)
        return Result(
            columns=self._columns,
            types=self._types,
            arrow=table,
            truncated=self._seen > table.num_rows,
            seconds=self._seconds,
            age=self._asked.age,
            total=self._seen if self._ended else None,
            at_least=self._seen,
        )

    def _next(self) -> "tuple[pa.RecordBatch | None, str]":
        import pyarrow as pa

        try:
            batch = self._reader.read_next_batch()
        except StopIteration:
            self._ended = True
            return None, ""
        except (OSError, pa.ArrowException) as error:  # what DuckDB says on the way comes as an error of Arrow's
            return None, str(error)
        self._seen += batch.num_rows
        return batch, ""

    def _keep(self, batch: "pa.RecordBatch") -> None:
        part = batch if self._limit is None else batch.slice(0, self._limit - self._rows)
        if self._room is not None:
            part, self._full = _within(part, self._room, least=0 if self._rows else 1)
            self._room -= part.nbytes
        self._rows += part.num_rows
        self._kept.append(part)


def _within(batch: "pa.RecordBatch", room: int, least: int) -> "tuple[pa.RecordBatch, bool]":
    """As many rows as there is room for, copied out when they are not all; and whether the room is used up."""
    if batch.nbytes <= room:
        return batch, False
    fitting = bisect.bisect_right(range(batch.num_rows), room, key=lambda rows: batch.slice(0, rows + 1).nbytes)
    return batch.take(list(range(max(fitting, least)))), True


def _check(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    statements = con.extract_statements(sql)
    if len(statements) != 1:
        raise QueryError(f"give one statement, not {len(statements)}")
    kind = statements[0].type.name
    if kind not in ALLOWED:
        raise QueryError(f"{kind} is not allowed here: queries only read")
