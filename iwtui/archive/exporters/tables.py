"""The public tables of the index, the rows of one run."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import duckdb
import msgspec

from iwtui.archive.index import Index

if TYPE_CHECKING:
    import pyarrow as pa

BATCH = 10_000

T = TypeVar("T")

_KEY = re.compile(r"Key: (\w+(?:, \w+)*)\.")
_TABLES = """
SELECT name, comment, columns FROM (
    SELECT table_name AS name, comment, internal FROM duckdb_tables() WHERE schema_name = 'main'
    UNION ALL
    SELECT view_name, comment, internal FROM duckdb_views() WHERE schema_name = 'main'
) JOIN (
    SELECT table_name AS name, map(list(column_name ORDER BY column_index), list(comment ORDER BY column_index)) AS columns
    FROM duckdb_columns() WHERE schema_name = 'main' GROUP BY table_name
) USING (name)
WHERE NOT internal AND comment IS NOT NULL AND list_contains(map_keys(columns), 'run')
ORDER BY name
"""


class Table(msgspec.Struct, frozen=True):
    """A table or view with a column `run`: what it holds, its columns with what they hold, and the order of its rows."""

    name: str
    title: str
    columns: dict[str, str | None]
    order: tuple[str, ...]


def run_tables(index: Index) -> list[Table]:
    """All public tables that have rows of single runs. Raises IndexBusyError, IndexFaultError."""
    found = index.read(lambda con: con.execute(_TABLES).fetchall())
    return [Table(name, title, dict(columns), _order(title, columns)) for name, title, columns in found]


def _order(title: str, columns: dict[str, str | None]) -> tuple[str, ...]:
    key = _KEY.search(title)
    return tuple(key[1].split(", ")) if key else (next(iter(columns)),)


def read_table(index: Index, table: Table, run: str, take: "Callable[[pa.RecordBatchReader], T]") -> T:
    """What `take` makes of a run's rows, in batches and in the order of their key. Raises as `run_tables`."""
    order = ", ".join(f"{column} NULLS FIRST" for column in table.order)
    query = f"SELECT * FROM {table.name} WHERE run = $run ORDER BY {order}"

    def rows(con: duckdb.DuckDBPyConnection) -> T:
        return take(con.sql(query, params={"run": run}).to_arrow_reader(BATCH))

    return index.read(rows)


def write_parquet(index: Index, run: str, folder: Path) -> dict[str, int]:
    """One Parquet file a table, with what each column holds as its metadata; the rows of each."""
    from pyarrow import parquet

    written: dict[str, int] = {}
    for table in run_tables(index):

        def write(reader: "pa.RecordBatchReader", table: Table = table) -> int:
            rows = 0
            schema = _commented(reader.schema, table)
            with parquet.ParquetWriter(folder / f"{table.name}.parquet", schema, compression="zstd") as writer:
                for batch in reader:
                    rows += batch.num_rows
                    writer.write_batch(batch.cast(schema))
            return rows

        written[table.name] = read_table(index, table, run, write)
    return written


def _commented(schema: "pa.Schema", table: Table) -> "pa.Schema":
    import pyarrow as pa

    fields = [field.with_metadata({"comment": table.columns.get(field.name) or ""}) for field in schema]
    return pa.schema(fields, {"comment": table.title})
