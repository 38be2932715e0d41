"""The content of an index, table by table, so that two can be compared."""

import hashlib

import duckdb

from iwtui.archive.index import Index
from iwtui.archive.schema import tables


def hashes(index: Index) -> dict[str, str]:
    """A hash of each table's rows, whatever their order."""

    def each(con: duckdb.DuckDBPyConnection) -> dict[str, str]:
        return {table: _hash(con, table) for table in (*tables(), "episodes")}

    return index.read(each)


def _hash(con: duckdb.DuckDBPyConnection, table: str) -> str:
    rows = sorted(map(repr, con.execute(f"FROM {table}").fetchall()))
    return f"{len(rows)} {hashlib.sha256(chr(10).join(rows).encode()).hexdigest()[:12]}"
