"""`iwtui sql`: any question to the index, in SQL that only reads."""

import difflib
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import click

from iwtui.archive.result_files import FORMATS, PARQUET, SUFFIXES, write_result, write_text
from iwtui.bench.text import one_line
from iwtui.cli.failures import NotFound
from iwtui.cli.options import fresh_index, open_store
from iwtui.cli.output import WRITERS, counted

if TYPE_CHECKING:
    from iwtui.archive.index import Index
    from iwtui.archive.query import Result

FOR_PEOPLE = ("table", "markdown")
LIMIT = 500
"""Rows of a table for people, when nothing else is said; a format for programs has no limit."""

_TABLES = """
SELECT table_name AS "table", comment AS "what it holds" FROM duckdb_tables() WHERE NOT internal AND comment IS NOT NULL
UNION ALL
SELECT view_name, comment FROM duckdb_views() WHERE NOT internal AND comment IS NOT NULL
ORDER BY 1
"""


class _Asks(click.Command):
    """Takes a query that begins with a comment for a query, not for an option."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        comment = next((place for place, arg in enumerate(args) if arg.startswith(("-- ", "--\n"))), None)
        if comment is not None and "--" not in args[:comment]:
            args = [*args[:comment], *args[comment + 1 :], "--", args[comment]]
        return super().parse_args(ctx, args)


@click.command(cls=_Asks)
@click.argument("query", required=False)
@click.option(
    "-f", "--file", "file", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="A file with the query."
)
@click.option(
    "--format", "form", type=click.Choice([*WRITERS, PARQUET]), help="Else by the name of the file of -o, else table."
)
@click.option(
    "--limit", type=click.IntRange(min=1), metavar="N", help=f"At most N rows ({LIMIT} for table and markdown, else all)."
)
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="The file to write, instead of stdout."
)
def sql(query: str | None, file: Path | None, form: str | None, limit: int | None, output: Path | None) -> None:
    """Ask the index with QUERY: SQL, or `@name` for a saved query, or `-` to read it from stdin.

    Without a query, the tables and the saved queries are listed. `DESCRIBE episodes` shows the columns of a table.
    """
    if query is not None and file is not None:
        raise click.UsageError("give QUERY or -f, not both")
    chosen = form or (SUFFIXES.get(output.suffix) if output else None) or "table"
    if chosen == PARQUET and output is None and sys.stdout.isatty():
        raise click.UsageError("parquet is nothing for a terminal: give -o FILE")
    asked = _text(query, file)
    index = fresh_index(open_store())
    if asked is None:
        _list(index)
        return
    rows = limit or (LIMIT if chosen in FOR_PEOPLE else None)
    result = _ask(index, asked, rows)
    _write(result, chosen, output)
    _tell(result, under_table=chosen in FOR_PEOPLE and output is None and not sys.stdout.isatty())


def _text(query: str | None, file: Path | None) -> str | None:
    from iwtui.archive.saved_queries import read_query, saved_queries

    if file:
        try:
            return read_query(file).sql
        except (OSError, ValueError) as error:
            raise click.UsageError(f"{file} cannot be read: {error}") from error
    if query == "-":
        return sys.stdin.read()
    if query is None or not query.startswith("@"):
        return query
    saved = saved_queries()
    name = query.removeprefix("@")
    if name not in saved:
        near = difflib.get_close_matches(name, saved, 1, 0)
        raise NotFound(f"no saved query {name!r}; the nearest is {near[0]!r}\n`iwtui sql` lists them.")
    if saved[name].trouble:
        raise click.UsageError(f"the saved query {name!r} cannot be read: {saved[name].trouble}")
    return saved[name].sql


def _ask(index: "Index", text: str, limit: int | None) -> "Result":
    """The query runs in a thread of its own, so that Ctrl-C is heard while DuckDB works."""
    from iwtui.archive.query import Query

    query = Query(index)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(query.run, text, limit)
        try:
            return asked.result()
        except KeyboardInterrupt:
            query.cancel()
            raise


def _write(result: "Result", form: str, output: Path | None) -> None:
    if output is None:
        if form == PARQUET:
            from pyarrow import parquet

            parquet.write_table(result.arrow, sys.stdout.buffer)
        else:
            WRITERS[form](result.columns, result.rows, sys.stdout)
        return
    try:
        if form in FORMATS:
            write_result(result, output, form)
        else:
            write_text(result, output, WRITERS[form])
    except OSError as error:
        raise click.UsageError(f"{output} cannot be written: {error.strerror}") from error


def _tell(result: "Result", under_table: bool) -> None:
    """How many rows these are, of how many, and of when; under a piped table too when it was cut."""
    number = result.arrow.num_rows
    rows = f"{number} of > {number} rows" if result.truncated else counted(number, "row")
    if result.truncated and under_table:
        click.echo(rows)
    more = " (--limit N shows more)" if result.truncated else ""
    age = "" if result.age is None else f", index {result.age:.0f} s old"
    click.echo(f"{rows}{more}, {result.seconds:.2f} s{age}", err=True)


def _list(index: "Index") -> None:
    from iwtui.archive.saved_queries import saved_queries

    entries = [(name, comment) for name, comment in _ask(index, _TABLES, None).rows]
    entries += [(f"@{name}", query.title) for name, query in saved_queries().items()]
    width = max(len(name) for name, _ in entries)
    for name, title in entries:
        click.echo(f"{one_line(name):<{width}}  {one_line(title, 120)}")
    click.echo('\nFor example: iwtui sql "select persona, avg(tcr) from episodes group by persona"', err=True)
