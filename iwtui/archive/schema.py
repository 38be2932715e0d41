"""The tables and views of the index, from the SQL files in `storage/`; each table and column bears its comment.

A table file is a comment, which becomes the table's, and a CREATE TABLE with one column a line, the comment of which
becomes the column's. A view's own columns bear theirs in the same way; others have that of the table it names.
"""

import hashlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import duckdb

from iwtui.archive.errors import IndexNewerError
from iwtui.resources import shipped

VERSION = 1
"""Goes up when the meaning of a table changes. An index of a lower version, or from other files, is made anew."""

INTERNAL = "internal"

_COLUMN = re.compile(r"^\s+(?P<name>\w+)\s+[A-Z].*--\s*(?P<comment>.+?)\s*$")
_OF_A_VIEW = re.compile(r"^\s+(?:.*\sAS\s+)?(?P<name>\w+),?\s+--\s*(?P<comment>.+?)\s*$")
_SAME_COLUMNS = re.compile(r"\s*Columns as in (\w+)\.")


def first_comment(sql: str) -> str:
    """The comment that a file begins with: its title."""
    lines = sql.strip().splitlines()
    title = next((number for number, line in enumerate(lines) if not line.startswith("--")), len(lines))
    return " ".join(line.lstrip("- ").strip() for line in lines[:title])


@cache
def fingerprint() -> str:
    """Changes with any file that the index is made from."""
    digest = hashlib.sha256()
    for file in [*_files("schema"), *_files("views"), _published()]:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


@cache
def tables() -> tuple[str, ...]:
    """The public tables, without the views."""
    return tuple(file.stem for file in _files("schema") if file.stem != INTERNAL)


def create(con: duckdb.DuckDBPyConnection) -> None:
    """Make all tables, views and comments in an empty database, and checkpoint: no change of schema stays in the WAL."""
    con.execute("BEGIN")
    for file in [*_files("schema"), *_files("views")]:
        con.execute(file.read_text())
    for statement in _comments(con):
        con.execute(statement)
    con.execute("INSERT INTO published SELECT * FROM read_csv(?, header = true, all_varchar = true)", [str(_published())])
    con.execute(f"INSERT INTO {INTERNAL}.about VALUES (?, ?)", [VERSION, fingerprint()])
    con.execute("COMMIT")
    con.execute("CHECKPOINT")


def is_current(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether a database is an index as this program makes it. Raises IndexNewerError when a newer one made it."""
    made = _made_by(con)
    if made and made[0] > VERSION:
        raise IndexNewerError("the index was made by a newer version of iwtui; this one reads it, but does not change it")
    return made == (VERSION, fingerprint())


def is_empty(con: duckdb.DuckDBPyConnection) -> bool:
    """Whether a database holds no table at all."""
    return con.execute("SELECT count(*) FROM duckdb_tables()").fetchone() == (0,)


def _made_by(con: duckdb.DuckDBPyConnection) -> tuple[int, str] | None:
    try:
        found = con.execute(f"SELECT version, fingerprint FROM {INTERNAL}.about").fetchone()
    except duckdb.CatalogException:
        return None
    return (found[0], found[1]) if found else None


def _files(room: str) -> list[Path]:
    return sorted((shipped("storage") / room).glob("*.sql"))


def _published() -> Path:
    return shipped("storage") / "published.csv"


def _comments(con: duckdb.DuckDBPyConnection) -> Iterator[str]:
    columns: dict[str, dict[str, str]] = {}
    for file in _files("schema"):
        if file.stem == INTERNAL:
            continue
        sql = file.read_text()
        found = [match.groupdict() for match in map(_COLUMN.match, sql.splitlines()) if match]
        columns[file.stem] = {match["name"]: match["comment"] for match in found}
        yield from _comments_on("TABLE", file.stem, first_comment(sql), columns[file.stem])
    for file in _files("views"):
        sql = file.read_text()
        title = first_comment(sql)
        same = _SAME_COLUMNS.search(title)
        inherited = columns[same.group(1)] if same else {}
        own = {
            row[0]
            for row in con.execute("SELECT column_name FROM duckdb_columns() WHERE table_name = ?", [file.stem]).fetchall()
        }
        added = {match["name"]: match["comment"] for match in map(_OF_A_VIEW.match, sql.splitlines()) if match}
        kept = {name: comment for name, comment in (inherited | added).items() if name in own}
        yield from _comments_on("VIEW", file.stem, _SAME_COLUMNS.sub("", title), kept)


def _comments_on(what: str, name: str, title: str, columns: dict[str, str]) -> Iterator[str]:
    yield f"COMMENT ON {what} {name} IS {_quoted(title)}"
    for column, comment in columns.items():
        yield f"COMMENT ON COLUMN {name}.{column} IS {_quoted(comment)}"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
