"""Rows on their way into the index: gathered by table, then written in one statement a table."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any, NamedTuple

import duckdb
import pyarrow as pa

Row = dict[str, Any]

_INT64 = 1 << 63
_LAST_TIME = datetime(9999, 1, 1, tzinfo=UTC).timestamp()


class Rows:
    """Rows by table. Values come from logs: a number that the index cannot hold becomes NULL."""

    def __init__(self) -> None:
        self.tables: dict[str, list[Row]] = defaultdict(list)
        self.discards: list[tuple[str, int]] = []
        """Episodes of which a resume discarded the events from a seq on."""

    def add(self, table: str, row: Row) -> None:
        self.tables[table].append(row)

    def extend(self, table: str, rows: Iterable[Row]) -> None:
        self.tables[table].extend(rows)

    def forget(self, episode: str) -> None:
        """Drop all rows of an episode."""
        for table, rows in self.tables.items():
            self.tables[table] = [row for row in rows if row.get("episode") != episode]
        self.discards = [discarded for discarded in self.discards if discarded[0] != episode]

    def write(self, con: duckdb.DuckDBPyConnection) -> None:
        """Insert all rows."""
        for table, rows in self.tables.items():
            if rows:
                _insert(con, table, rows)


def moment(t: float) -> int | None:
    """Seconds since the epoch as microseconds, the unit of a TIMESTAMP; None for what is no time."""
    return round(t * 1_000_000) if 0 < t < _LAST_TIME else None


class _Shape(NamedTuple):
    """The columns of a table, with their DuckDB types, and the same for Arrow."""

    columns: list[tuple[str, str]]
    arrow: Any


_shapes: dict[str, _Shape] = {}


def _shape(con: duckdb.DuckDBPyConnection, table: str) -> _Shape:
    if table not in _shapes:
        empty = con.sql(f"FROM {table} LIMIT 0")
        types = zip(empty.columns, map(str, empty.types), strict=True)
        _shapes[table] = _Shape(list(types), empty.to_arrow_table().schema)
    return _shapes[table]


def _insert(con: duckdb.DuckDBPyConnection, table: str, rows: list[Row]) -> None:
    shape = _shape(con, table)
    values = ", ".join(
        # What is no JSON, in a log that is damaged, is kept as a JSON string.
        f"coalesce(try_cast({column} AS JSON), to_json({column}))" if kind == "JSON" else column
        for column, kind in shape.columns
    )
    con.register("batch", _table(rows, shape))
    try:
        con.execute(f"INSERT INTO {table} SELECT {values} FROM batch")
    finally:
        con.unregister("batch")


def _table(rows: list[Row], shape: _Shape) -> Any:
    try:
        return pa.Table.from_pylist(rows, schema=shape.arrow)
    except (OverflowError, pa.ArrowInvalid):
        held = [{name: _held(value) for name, value in row.items()} for row in rows]
        return pa.Table.from_pylist(held, schema=shape.arrow)


def _held(value: Any) -> Any:
    if isinstance(value, int):
        return value if -_INT64 <= value < _INT64 else None
    if isinstance(value, tuple | list):
        return [_held(item) for item in value]
    return value
