"""What can be named in a query: the tables of the index with their comments, DuckDB's functions, its keywords."""

from typing import NamedTuple

import duckdb

from iwtui.archive.index import WAIT, Index


class ColumnInfo(NamedTuple):
    """A column; `type` as DuckDB writes it."""

    name: str
    type: str
    comment: str


class TableInfo(NamedTuple):
    """A table or a view."""

    name: str
    comment: str
    columns: tuple[ColumnInfo, ...]


class FunctionInfo(NamedTuple):
    """A function with all its overloads. `call`: the shortest of them; `kind`: scalar, aggregate, table or macro."""

    name: str
    call: str
    comment: str
    kind: str


class Catalog(NamedTuple):
    """All of it, each by name."""

    tables: tuple[TableInfo, ...] = ()
    functions: tuple[FunctionInfo, ...] = ()
    keywords: tuple[str, ...] = ()


_TABLES = """
SELECT table_name, comment FROM duckdb_tables() WHERE NOT internal AND schema_name = 'main'
UNION ALL
SELECT view_name, comment FROM duckdb_views() WHERE NOT internal AND schema_name = 'main'
ORDER BY 1
"""
_COLUMNS = """
SELECT table_name, column_name, data_type, comment FROM duckdb_columns()
WHERE NOT internal AND schema_name = 'main' ORDER BY table_name, column_index
"""
_FUNCTIONS = r"""
SELECT function_name, any_value(parameters ORDER BY len(parameters)), any_value(description), any_value(function_type)
FROM duckdb_functions()
WHERE regexp_full_match(function_name, '[a-z][a-z0-9_]*') AND NOT starts_with(function_name, 'pg_')
  AND function_type IN ('scalar', 'aggregate', 'table', 'macro', 'table_macro')
GROUP BY function_name ORDER BY function_name
"""
_KEYWORDS = "SELECT keyword_name FROM duckdb_keywords() ORDER BY keyword_name"


def read_catalog(index: Index, wait: float = WAIT) -> Catalog:
    """The catalog of the index as it stands. Raises IndexBusyError, IndexFaultError."""
    return index.read(_read, wait)


def _read(con: duckdb.DuckDBPyConnection) -> Catalog:
    columns: dict[str, list[ColumnInfo]] = {}
    for table, name, kind, comment in con.execute(_COLUMNS).fetchall():
        columns.setdefault(table, []).append(ColumnInfo(name, kind, comment or ""))
    return Catalog(
        tables=tuple(
            TableInfo(name, comment or "", tuple(columns.get(name, ()))) for name, comment in con.execute(_TABLES).fetchall()
        ),
        functions=tuple(
            FunctionInfo(name, f"{name}({', '.join(parameters)})", comment or "", kind.removeprefix("table_"))
            for name, parameters, comment, kind in con.execute(_FUNCTIONS).fetchall()
        ),
        keywords=tuple(word for (word,) in con.execute(_KEYWORDS).fetchall()),
    )
