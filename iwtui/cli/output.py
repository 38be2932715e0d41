"""Rows to text: a table for people, beside the json, csv and markdown of `bench.sheets`. Every cell is data."""

import io
import shutil
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TextIO

from iwtui.bench.cells import CELL, Cells, Written, distinct, numeric, objects, short, to_json
from iwtui.bench.sheets import FOR_PROGRAMS, Writer
from iwtui.bench.text import one_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["WRITERS", "Written", "console_on", "counted", "distinct", "make_table", "objects", "to_json", "write_table"]

UNBOUNDED = 100_000


def write_table(columns: Sequence[str], rows: Sequence[Cells], out: TextIO) -> None:
    """A table as wide as it needs to be; on a terminal too narrow for it, one line a value."""
    console = console_on(out)
    table = make_table(columns, [[short(cell) for cell in row] for row in rows], numeric(columns, rows))
    natural = console.measure(table, options=console.options.update(max_width=UNBOUNDED)).maximum
    if out.isatty() and natural > console.width:
        _write_records(columns, rows, out)
    else:
        _print(console, table, out)


def make_table(columns: Sequence[str], rows: Iterable[Sequence[str]], numeric: Sequence[bool]) -> "Table":
    """A quiet table of texts that were made visible before."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    for column, right in zip(columns, numeric, strict=True):
        table.add_column(Text(one_line(column, CELL)), justify="right" if right else "left", no_wrap=True)
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    return table


def console_on(out: TextIO) -> "Console":
    """A rich console that knows no markup, has no colour off a terminal and is as wide as needed there."""
    import click
    from rich.console import Console

    context = click.get_current_context(silent=True)
    colour = context.color if context else None
    return Console(
        file=io.StringIO(),
        width=shutil.get_terminal_size((80, 24)).columns if out.isatty() else UNBOUNDED,
        force_terminal=out.isatty(),
        no_color=colour is False,
        markup=False,
        highlight=False,
        emoji=False,
    )


def _print(console: "Console", table: "Table", out: TextIO) -> None:
    with console.capture() as captured:
        console.print(table)
    out.writelines(line.rstrip() + "\n" for line in captured.get().splitlines())


def _write_records(columns: Sequence[str], rows: Sequence[Cells], out: TextIO) -> None:
    width = max(len(column) for column in columns)
    for number, row in enumerate(rows, 1):
        out.write(f"— {number} —\n")
        for column, cell in zip(columns, row, strict=True):
            out.write(f"{one_line(column, CELL):>{width}}  {short(cell)}\n")


WRITERS: dict[str, Writer] = {"table": write_table, **FOR_PROGRAMS}


def counted(number: int, what: str) -> str:
    """The number with its noun in the singular or the plural."""
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
