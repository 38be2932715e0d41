"""SQL on the index as anybody may ask it: read-only, fenced in, cancellable, with a hard limit of rows."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
import msgspec

from iwtui.archive.errors import QueryError, QueryStoppedError
from iwtui.archive.index import WAIT, Index
from iwtui.archive.schema import first_comment
from iwtui.resources import shipped, users_own

if TYPE_CHECKING:
    import pyarrow as pa

ALLOWED = ("SELECT", "EXPLAIN", "MULTI")
"""Types of statements that only read. SELECT covers FROM, VALUES, WITH, SHOW, DESCRIBE and SUMMARIZE; MULTI is PIVOT."""

BATCH = 10_000


class SavedQuery(NamedTuple):
    """A query with its title, the first comment in its file."""

    title: str
    sql: str


class Result(msgspec.Struct, frozen=True):
    """`truncated`: there are more rows than the limit. `age`: seconds since the index is known to have held all logs."""

    columns: tuple[str, ...]
    types: tuple[str, ...]
    arrow: "pa.Table"
    truncated: bool
    seconds: float
    age: float | None

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """The rows as Python values."""
        return list(zip(*(column.to_pylist() for column in self.arrow.columns), strict=True))


class Query:
    """Asks one query at a time of an index; another thread may `cancel` it."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._cancelled = threading.Event()
        self._stopped = ""
        """Why the query was stopped, once it was."""

    def cancel(self) -> None:
        """Stop the query that is running, within a moment."""
        self._cancelled.set()

    def run(self, sql: str, limit: int | None = 500, seconds: float | None = None, wait: float = WAIT) -> Result:
        """The first `limit` rows (None: all). Ends after `seconds`; `wait` is for the index to be free.

        Raises QueryError with DuckDB's message, QueryStoppedError when cancelled or out of time, IndexBusyError,
        IndexFaultError.
        """
        self._cancelled.clear()
        self._stopped = ""
        began = time.monotonic()
        age = self._index.age()
        failure = None
        try:
            columns, types, table, truncated = self._index.read(
                lambda con: self._ask(con, sql, limit, seconds), wait, self._cancelled
            )
        except duckdb.Error as error:
            failure = QueryStoppedError(self._stopped) if self._stopped else QueryError(str(error))
        if failure:
            # Not within the `except`: the frames of DuckDB's own exception keep the file open in this process.
            raise failure
        return Result(columns, types, table, truncated, time.monotonic() - began, age)

    def _ask(
        self, con: duckdb.DuckDBPyConnection, sql: str, limit: int | None, seconds: float | None
    ) -> tuple[tuple[str, ...], tuple[str, ...], "pa.Table", bool]:
        _check(con, sql)
        import pyarrow as pa

        with self._watched(con, seconds):
            relation = con.sql(sql)
            columns, types = tuple(relation.columns), tuple(map(str, relation.types))
            reader = relation.to_arrow_reader(BATCH if limit is None else min(limit + 1, BATCH))
            batches: list[pa.RecordBatch] = []
            rows = 0
            while limit is None or rows <= limit:
                try:
                    batches.append(reader.read_next_batch())
                except StopIteration:
                    break
                rows += batches[-1].num_rows
            table = pa.Table.from_batches(batches, schema=reader.schema)
        truncated = limit is not None and rows > limit
        return columns, types, table.slice(0, limit) if truncated else table, truncated

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


def saved_queries() -> dict[str, SavedQuery]:
    """The saved queries by name: the shipped ones and the user's own, which may replace them."""
    found: dict[str, SavedQuery] = {}
    for folder in (shipped("storage") / "queries", users_own("storage") / "queries"):
        for file in sorted(folder.glob("*.sql")):
            found[file.stem] = read_query(file)
    return found


def read_query(file: Path) -> SavedQuery:
    """The query in a file. Raises OSError, UnicodeDecodeError."""
    sql = file.read_text(encoding="utf-8")
    return SavedQuery(first_comment(sql), sql)


def _check(con: duckdb.DuckDBPyConnection, sql: str) -> None:
    statements = con.extract_statements(sql)
    if len(statements) != 1:
        raise QueryError(f"give one statement, not {len(statements)}")
    kind = statements[0].type.name
    if kind not in ALLOWED:
        raise QueryError(f"{kind} is not allowed here: queries only read")
